"""What journals hold of a convicted peer, and what watchers are shown of lines that parted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay_protocol.replica.messages import read, sign
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.draws import Draws
from tests.byzantine.run import ROUND, begun, liars_of
from tests.byzantine.witnesses import watched
from tests.replica.harness import Table, identity, roster
from tests.replica.test_cut_cheats import bring, level

LIAR, AWAY, OTHERS = 2, 1, (0, 3)


def test_who_came_back_past_a_convicted_peer_is_restarted():
    """It was given the proof first, and followed the messages of the liar with which the others
    had gone on; after one of them comes a phase in which nobody says anything."""
    settings = TableSettings(grace=5)
    table = Table(roster(4, settings=settings, game=load("charidice")), seed=b"past")
    table.start()
    level(table)
    table.kill(AWAY)
    number = table.replicas[0].transcript.number

    def on(t):
        numbers = {t.replicas[p].transcript.number for p in (LIAR, *OTHERS)}
        return len(numbers) == 1 and min(numbers) > number + 5

    table.run(on, seconds=60)
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    true = next(moves[LIAR] for moves in reversed(line.moves) if LIAR in moves)
    lie = replace(read(true), state=bytes(32))
    bring(table, "move", sign(lie, identity(LIAR), game).plain(), OTHERS, LIAR)
    assert all(set(table.replicas[p].convicted) == {LIAR} for p in OTHERS)
    table.kill(LIAR)
    table.restart(AWAY)
    table.disconnect((0, AWAY))  # it signs nothing before it has heard from both
    table.run(seconds=3)
    table.connect((0, AWAY))
    table.run(lambda t: AWAY in t.replicas[AWAY].transcript.members, seconds=60)
    assert AWAY in table.replicas[AWAY].transcript.members
    table.kill(AWAY)
    table.restart(AWAY)
    table.run(lambda t: all(t.replicas[p].over for p in (*OTHERS, AWAY)), seconds=2000)
    assert all(table.replicas[p].over for p in (*OTHERS, AWAY))


@pytest.mark.parametrize("place", [(25, 107, 0), (30, 11, 0), (30, 16, 0)])
def test_who_watches_late_follows_over_a_view_of_lines_that_had_parted(place):
    """Members of the view had stood on another line: what they name there counts for nobody, and
    no message of the line that went on shows it."""
    number, steps, _ = place
    world = begun(number)
    if number // ROUND % 2:
        world.lose(number % len(world.actors))
    for _ in range(steps):
        world.turn()
    world.schedule(Draws(b"%d %d %d" % place), liars_of(number, len(world.actors)))
    assert world.faults == []
    peer = world.honest[0].replica
    assert [*watched(peer, world.now)] == []
