"""Chat and pause among whole programs: shells in memory, a virtual clock, no sockets."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.errors import PeerError
from lanplay_protocol.pausing import LENGTH
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.chat import GameClock
from lanplay_protocol.shell.endings import NoEndings
from lanplay_protocol.shell.events import Events
from lanplay_protocol.shell.node import PeerConnected, PeerDisconnected, PeerMessage
from lanplay_protocol.shell.offers import Offers
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.shell.spectator_client import SpectatorClient
from tests.replica.harness import Walker, identity, roster
from tests.shell.test_table import GAME

GRACE = 45
MIDDLE = 12
"""Answers of peer 0 before it waits for the test."""


class Node:
    """A node of a program that hears others of this process."""

    port = 1

    def __init__(self, network, place):
        self.identity = identity(place)
        self.seated = frozenset()
        self.archive = NoEndings()
        self.offers = Offers()
        self.events = Events()
        self._network = network
        self._links = network.links
        network.nodes[self.identity.public] = self

    @property
    def linked(self):
        me = self.identity.public
        return frozenset(k for pair in self._links if me in pair for k in pair if k != me)

    def seen_at(self, identity):
        return "127.0.0.1" if identity in self.linked else ""

    @property
    def unread(self):
        return self.events.waiting > 0

    async def dial(self, host, port):
        key = self._network.hosts[host]
        if key not in self._network.reachable:
            raise OSError("no answer")
        if frozenset((key, self.identity.public)) not in self._links:
            self._links.add(frozenset((key, self.identity.public)))
            self.events.put(PeerConnected(key, "", True))
            self._network.nodes[key].events.put(PeerConnected(self.identity.public, "", False))
        return key

    def send(self, to, body):
        if frozenset((to, self.identity.public)) in self._links:
            self._network.nodes[to].events.put(PeerMessage(self.identity.public, body))

    def close(self, to, error):
        pair = frozenset((to, self.identity.public))
        if pair in self._links:
            self._links.discard(pair)
            self._network.nodes[to].events.put(PeerDisconnected(self.identity.public, error.text))
            self.events.put(PeerDisconnected(to, error.text))


class Person:
    """Answers at once, peer 0 until the middle; keeps what it is told."""

    def __init__(self, place):
        self.walker = Walker(b"%d" % place)
        self.told = []
        self.notices = []
        self.answers = 0
        self.waits = place == 0
        self.waited = set
        self.middle = trio.Event()
        self.go_on = trio.Event()

    async def answer(self, seat, view, question, bot):
        self.answers += 1
        if self.waits and self.answers == MIDDLE:
            self.middle.set()
            await self.go_on.wait()
        return self.walker.answer(view, question)

    async def confirm(self, binding):
        pass

    def refused(self, seat, illegal):
        raise illegal

    def happened(self, message):
        pass

    def recalled(self, round_, message):
        pass

    def asked_to_yield(self):
        pass

    def changed(self):
        self.sees = self.waited()

    def notice(self, text):
        self.notices.append(text)

    def said(self, said):
        self.told.append(said)

    def paused(self, by, seconds):
        self.told.append(f"paused by {by}")

    def resumed(self, by):
        self.told.append(f"resumed by {by}")


class Memory:
    """A journal that keeps its entries in a list."""

    def __init__(self, entries):
        self._entries = entries

    def append(self, entry):
        self._entries.append(entry)

    def sync(self):
        pass


class Room:
    """Programs of one table in this process."""

    def __init__(self, count=3):
        self.nodes = {}
        self.links = set()
        self.table = roster(count, settings=TableSettings(grace=GRACE), game=GAME)
        keys = [peer.public for peer in self.table.peers]
        self.reachable = set(keys)
        self.people = [Person(place) for place in range(count)]
        self.scopes = [trio.CancelScope() for _ in range(count)]
        self.outcomes = {}
        self.kept = [[] for _ in range(count)]
        self.ends = [trio.Event() for _ in range(count)]
        nodes = [Node(self, place) for place in range(count)]
        self.hosts = {f"host{place}": key for place, key in enumerate(keys)}
        places = {key: [(host, 1)] for host, key in self.hosts.items()}
        self.plays = [
            GameRunner(
                node,
                Replica(GAME, self.table, node.identity, bytes([place]) * 32),
                self.table,
                places,
                self.people[place],
                journal=Memory(self.kept[place]),
            )
            for place, node in enumerate(nodes)
        ]
        for person, play in zip(self.people, self.plays, strict=True):
            person.waited = lambda play=play: set(play._replica.awaited)

    async def run(self, place):
        with self.scopes[place]:
            self.outcomes[place] = await self.plays[place].run()
            self.ends[place].set()

    def lose(self, place):
        """A laptop is gone: its links end."""
        gone = self.table.peers[place].public
        self.reachable.discard(gone)
        self.scopes[place].cancel()
        for pair in [pair for pair in self.links if gone in pair]:
            self.links.discard(pair)
            (other,) = pair - {gone}
            self.nodes[other].events.put(PeerDisconnected(gone, "lost"))


@pytest.fixture
async def room(autojump_clock, nursery):
    """A table of three in the middle of its game: peer 0 is asked something."""
    room = Room()
    for place in range(3):
        nursery.start_soon(room.run, place)
    await room.people[0].middle.wait()
    await trio.testing.wait_all_tasks_blocked()
    return room


async def ended(room, *places):
    for place in places:
        await room.ends[place].wait()


async def test_a_screen_is_told_whenever_somebody_else_is_waited_for(room, autojump_clock):
    """What it saw last is what is so now, though the message that came made no event."""
    for person in room.people:
        assert person.sees == person.waited() == {0}
    room.people[0].go_on.set()
    for _ in range(200):
        await trio.testing.wait_all_tasks_blocked()
        for person in room.people:
            assert person.sees == person.waited()


async def test_what_is_said_is_heard_by_all(room, autojump_clock):
    """Also while the game waits for somebody; the author is told it too."""
    room.plays[1].chat.say("your turn!")
    await trio.sleep(1)
    for person in room.people:
        assert person.told == [ChatMessage("seat 1", "your turn!", 1, seat=1)]


async def test_while_the_game_is_paused_nobody_is_given_up(room, autojump_clock):
    """Grace stands still for as long as the pause lasts, and then goes on where it was."""
    room.plays[1].pause()
    await trio.sleep(1)
    assert [play.chat.paused_by for play in room.plays] == [("seat 1",)] * 3
    room.lose(2)
    await trio.sleep(4 * GRACE)
    assert set(room.plays[0].missing) == {2}
    assert not any("is out" in text for text in room.people[0].notices)
    room.plays[1].unpause()
    await trio.sleep(GRACE - 2)
    assert not any("is out" in text for text in room.people[0].notices)
    await trio.sleep(10)
    assert any("peer 2 is out" in text for text in room.people[0].notices)
    assert room.people[1].told == ["paused by seat 1", "resumed by seat 1"]
    room.people[0].go_on.set()
    await ended(room, 0, 1)
    assert room.outcomes[0].record.state_hash == room.outcomes[1].record.state_hash


async def test_an_answer_given_in_a_pause_leaves_when_the_game_goes_on(room, autojump_clock):
    """A person may think on, and answer; the table does not move meanwhile."""
    room.plays[2].pause()
    await trio.sleep(1)
    before = [play._replica.transcript.number for play in room.plays]
    room.people[0].go_on.set()
    await trio.sleep(LENGTH - 10)
    assert [play._replica.transcript.number for play in room.plays] == before
    room.plays[1].unpause()
    await trio.sleep(1)
    assert [play._replica.transcript.number for play in room.plays] == before
    await ended(room, 0, 1, 2)
    assert len({outcome.trace for outcome in room.outcomes.values()}) == 1
    assert not any("broke the rules" in text for text in room.people[0].notices)


async def test_a_pause_that_nobody_ends_is_over_by_itself(room, autojump_clock):
    """Its asker may be lost meanwhile: after five minutes the game goes on all the same."""
    room.plays[2].pause()
    await trio.sleep(1)
    room.people[0].go_on.set()
    room.lose(2)
    await trio.sleep(LENGTH - 10)
    assert room.plays[0].chat.paused_by
    await ended(room, 0, 1)
    assert room.people[1].told == ["paused by seat 2", "resumed by "]


async def test_a_pause_is_over_for_who_was_busy_as_it_ended(room, autojump_clock):
    """Long work beside, and nobody else there to say so: its clock goes on, and so do answers."""
    play = room.plays[0]
    play.pause()
    await trio.sleep(1)
    room.lose(1)
    room.lose(2)
    turn = play._turn

    async def works():
        play._turn = turn
        await trio.sleep(LENGTH)

    play._turn = works
    await trio.sleep(2 * LENGTH)
    assert play._turn == turn
    assert play._clock.goes


async def test_who_leaves_lets_the_game_go_on(room, autojump_clock):
    """Its own pause ends with it, and its seat goes to AI."""
    room.plays[2].pause()
    await trio.sleep(1)
    room.plays[2].leave()
    room.lose(2)
    room.people[0].go_on.set()
    await ended(room, 0, 1)
    assert room.outcomes[0].result is not None
    assert room.people[1].told == ["paused by seat 2", "resumed by seat 2"]


async def test_who_comes_back_after_the_end_learns_it_from_who_stays(room, autojump_clock, nursery):
    """A program that has finished shows the end to one that was cut off, until all have seen it."""
    room.lose(2)
    await trio.sleep(GRACE + 10)
    room.people[0].go_on.set()
    await ended(room, 0, 1)
    assert room.plays[0].absent == [2]
    kept, own = room.kept[2], room.table.peers[2].public
    seed = bytes([2]) * 32
    node = Node(room, 2)
    room.reachable = {own, room.table.peers[0].public}
    places = {key: [(host, 1)] for host, key in room.hosts.items()}
    replica = Replica(GAME, room.table, node.identity, seed)
    back = GameRunner(node, replica, room.table, places, Person(2), restored=kept)
    nursery.start_soon(room.plays[0].stay)
    outcome = await back.run()
    assert outcome.result == room.outcomes[0].result
    assert outcome.record.state_hash == room.outcomes[0].record.state_hash
    await trio.sleep(1)
    assert room.plays[0].absent == []


async def test_who_goes_on_with_a_game_is_not_told_that_those_are_gone_whom_it_has_not_met(
    room, autojump_clock, nursery
):
    """It was away itself: they are not here yet, and then they are."""
    room.lose(2)
    await trio.sleep(1)
    node, person = Node(room, 2), Person(2)
    places = {key: [(host, 1)] for host, key in room.hosts.items()}
    replica = Replica(GAME, room.table, node.identity, bytes([2]) * 32)
    room.reachable = set()
    back = GameRunner(node, replica, room.table, places, person, restored=room.kept[2])
    nursery.start_soon(back.run)
    await trio.sleep(3)
    assert [text for text in person.notices if "peer" in text] == [
        f"peer {place} is not here yet; the game waits." for place in (0, 1)
    ]
    room.reachable = set(room.hosts.values())
    await trio.sleep(20)
    assert {f"peer {place} is here." for place in (0, 1)} <= set(person.notices)
    assert not any("gone" in text for text in person.notices)


async def test_who_goes_on_with_a_game_is_not_told_that_a_dead_one_is_here(
    room, autojump_clock, nursery
):
    """Whoever is linked first has not said yet whom it hears."""
    room.lose(2)
    room.lose(0)
    await trio.sleep(1)
    node, person = Node(room, 2), Person(2)
    places = {key: [(host, 1)] for host, key in room.hosts.items()}
    replica = Replica(GAME, room.table, node.identity, bytes([2]) * 32)
    room.reachable = {key for key in room.hosts.values() if key != room.table.peers[0].public}
    back = GameRunner(node, replica, room.table, places, person, restored=room.kept[2])
    nursery.start_soon(back.run)
    await trio.sleep(20)
    assert "peer 1 is here." in person.notices
    assert "peer 0 is here." not in person.notices


class Audience:
    """Whoever watches."""

    def __init__(self):
        self.told = []

    def changed(self):
        pass

    def table(self, roster):
        return GAME

    def saw(self, event):
        pass

    notice = saw
    said = Person.said
    paused = Person.paused
    resumed = Person.resumed


async def test_spectators_hear_and_are_heard_and_told_apart(room, autojump_clock, nursery):
    """They are told the last things said, and the pause, when they come."""
    room.plays[1].chat.say("hello")
    room.plays[1].pause()
    await trio.sleep(1)
    audience = Audience()
    watch = SpectatorClient(Node(room, 9), "Cyril", audience)
    with pytest.raises(ValueError, match="no connection"):
        watch.say("too early")
    nursery.start_soon(watch.run, [("host0", 1)])
    await trio.sleep(1)
    assert audience.told == [ChatMessage("seat 1", "hello", 1, seat=1), "paused by seat 1"]
    watch.say("nice game")
    await trio.sleep(1)
    cyril = ChatMessage("Cyril", "nice game", 0, watching=True)
    assert audience.told[-1] == cyril
    for person in room.people:
        assert person.told[-1] == cyril
    with pytest.raises(ValueError, match="too fast"):
        for _ in range(20):
            watch.say("again")
    nursery.cancel_scope.cancel()


async def test_who_does_not_watch_is_not_heard(room, autojump_clock):
    """A stranger with a link says nothing at the table."""
    spectators = room.plays[0]._spectators
    room.links.add(frozenset((b"stranger", spectators._node.identity.public)))
    with pytest.raises(PeerError, match="do not sit"):
        spectators.receive(b"stranger", b"\x92\xa3say\xa2hi", 0.0)
    assert room.people[0].told == []


def test_the_clock_of_a_game_stands_still_while_it_is_paused():
    """Seconds in a pause do not count; a time of the game comes that much later."""
    real = 100.0
    clock = GameClock(lambda: real)
    due = clock() + 10
    real = 104.0
    clock.run(False)
    real = 500.0
    assert clock() == 104.0
    assert clock.when(due) == float("inf")
    clock.run(True)
    assert clock() == 104.0
    assert clock.when(due) == 506.0
    assert clock.when(None) == float("inf")


def test_several_pauses_add_up():
    """A time of the game comes later by all of them."""
    real = 0.0
    clock = GameClock(lambda: real)
    for begun, ended in ((10.0, 30.0), (35.0, 36.0), (50.0, 150.0)):
        real = begun
        clock.run(False)
        real = ended
        clock.run(True)
    real = 160.0
    assert clock() == 160.0 - 20.0 - 1.0 - 100.0
    assert clock.when(clock() + 5) == 165.0
