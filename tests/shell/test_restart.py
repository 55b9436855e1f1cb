"""Who watches a game that is continued among too few follows it into the new one."""

from __future__ import annotations

from dataclasses import replace

import trio

from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.restart import continues
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.shell.spectator_client import SpectatorClient
from tests.shell.test_chat import GRACE, Audience, Node, Person, Room
from tests.shell.test_table import GAME


class Follower(Audience):
    """Remembers the tables that it was shown."""

    def __init__(self):
        super().__init__()
        self.tables = []

    def table(self, roster):
        self.tables.append(roster)
        return GAME


async def test_a_watcher_follows_the_game_that_is_continued_anew(autojump_clock, nursery):
    """Two of four are gone, the others agree, and it sees how their new game ends."""
    room = Room(4)
    for place in range(4):
        nursery.start_soon(room.run, place)
    await room.people[0].middle.wait()
    audience = Follower()
    watch = SpectatorClient(Node(room, 9), "Cyril", audience)
    seen = []

    async def follow():
        seen.append(await watch.run([("host0", 1)]))

    nursery.start_soon(follow)
    await trio.sleep(5)
    history = list(room.plays[0]._replica.context.referee.history)
    for place in (2, 3):
        room.lose(place)
    await trio.sleep(GRACE + 20)
    for place in (0, 1):
        room.plays[place].continue_without()
    await room.ends[0].wait()
    await room.ends[1].wait()
    table = room.outcomes[0].restarted
    assert continues(GAME, room.table, history, table)
    assert not continues(GAME, room.table, history, replace(table, names=("x",) * 4))
    assert not continues(GAME, room.table, history, replace(table, start=None))
    assert not continues(GAME, room.table, history, room.table)
    ends, people = {}, [Person(0), Person(1)]

    async def again(place):
        key = room.table.peers[place].public
        node = room.nodes[key]
        replica = Replica(GAME, table, node.identity, bytes([50 + place]) * 32)
        hosts = {k: [(host, 1)] for host, k in room.hosts.items()}
        ends[place] = await GameRunner(node, replica, table, hosts, people[place]).run()

    async with trio.open_nursery() as new:
        for place in (0, 1):
            new.start_soon(again, place)
        await people[0].middle.wait()
        await trio.sleep(10)
        people[0].go_on.set()
    await trio.sleep(10)
    assert audience.tables == [room.table, table]
    assert seen[0].context.referee.table.hash() == ends[0].record.state_hash
