"""The pause of a game: it has an end, and no one person ends another's."""

from __future__ import annotations

from itertools import permutations

import pytest

from lanplay_protocol.chat import _LABEL, Chat, Paused, Resumed, WantsOn, _signed
from lanplay_protocol.errors import PeerError
from lanplay_protocol.pausing import LENGTH, MOST
from lanplay_protocol.replica.context import OBSERVER
from tests.replica.harness import identity, roster
from tests.wire.test_chat import TABLE, word
from tests.wire.test_chat import Room as Talk


class Room(Talk):
    """Some peers that pause and go on."""

    def pause(self, place, seat=None):
        self.handle(place, self.talks[place].pause(self.now, seat))
        self.run()

    def go(self, place, seat=None):
        self.handle(place, self.talks[place].go(self.now, seat))
        self.run()

    def wait(self, seconds):
        """Let time pass; who runs takes notice of it."""
        self.now += seconds
        for place, talk in enumerate(self.talks):
            self.handle(place, talk.look(self.now))
        self.run()

    @property
    def paused(self):
        """Who has paused the game, where all agree."""
        (found,) = {talk.paused_by(self.now) for talk in self.talks}
        return found


def test_only_the_asker_or_most_of_the_people_end_a_pause():
    """One other of four does not, nor do two; each is told of as a vote."""
    room = Room(4)
    with pytest.raises(ValueError, match="not paused"):
        room.talks[0].go(0.0)
    room.pause(1)
    with pytest.raises(ValueError, match="paused the game already"):
        room.talks[1].pause(0.0)
    room.go(2)
    room.go(2)
    room.go(3)
    assert room.paused == ("seat 1",)
    assert room.of(0, WantsOn)[0] == WantsOn("seat 2", 1, 3)
    room.go(0)
    assert room.paused == ()
    room.pause(1)
    room.go(1)
    assert room.paused == ()
    for place in range(4):
        assert room.of(place, Paused) == [Paused("seat 1", LENGTH)] * 2
        assert room.of(place, Resumed) == [Resumed("seat 0"), Resumed("seat 1")]


def test_people_are_counted_and_not_laptops():
    """Two people at one laptop are two; the seat of an AI asks for nothing and has no vote."""
    table = roster(2, 4, bots=("", "", "", "random"))
    talks = [Chat(table, place, identity(place)) for place in range(2)]
    asked = word(talks[1].pause(0.0))
    talks[0].receive(1, asked, 0.0)
    for seat in (0, 2):
        assert talks[0].paused_by(0.0)
        talks[0].go(0.0, seat)
    assert not talks[0].paused_by(0.0)
    talks[0].receive(1, word(talks[1]._speak("pause", (3, 0), 0.0)), 0.0)
    assert not talks[0].paused_by(0.0)


def test_a_pause_ends_by_itself():
    """Its time is over for all alike, whether its asker is there or not, and nobody is named."""
    room = Room(3)
    room.pause(1)
    room.down |= {frozenset((1, other)) for other in (0, 2)}
    room.wait(LENGTH - 1)
    assert room.paused == ("seat 1",)
    room.wait(1)
    assert room.paused == ()
    assert room.of(0, Resumed) == room.of(2, Resumed) == [Resumed("")]


def test_who_hears_of_a_pause_late_does_not_wait_longer():
    """Those for whom it is over say so, its asker or not."""
    room = Room(3)
    room.down |= {frozenset((0, 2)), frozenset((1, 2))}
    room.pause(1)
    room.now += LENGTH - 1
    room.meet(0, 2)
    assert room.talks[2].paused_by(room.now)
    room.down |= {frozenset((0, 1)), frozenset((1, 2))}
    room.wait(2)
    assert not room.talks[0].paused_by(room.now)
    room.meet(0, 1)
    room.meet(1, 2)
    assert not room.talks[2].paused_by(room.now)


def test_each_person_pauses_three_times():
    """What a modified program asks for beyond that is not heard."""
    room = Room(3)
    for _ in range(MOST):
        room.pause(1)
        room.go(1)
    with pytest.raises(ValueError, match="3 times"):
        room.talks[1].pause(room.now)
    with pytest.raises(PeerError):
        room.handle(0, room.talks[0].receive(1, spoken(room, 1, "pause", (1, MOST)), room.now))
    room.handle(0, room.talks[0].receive(1, spoken(room, 1, "pause", (1, 0)), room.now))
    room.run()
    assert room.paused == ()


def spoken(room, author, kind, value):
    """A word as its author's modified program signs it."""
    body = _signed(room.table.digest(), author, 99, kind, value)
    return (author, 99, kind, value, identity(author).sign(_LABEL, body))


def test_one_laptop_that_says_that_a_pause_is_over_ends_none():
    """More laptops than may lie do: of four, two."""
    room = Room(4)
    room.pause(1)
    for by, ends in ((2, False), (3, True)):
        for to in {0, 1, 2, 3} - {by}:
            word_ = spoken(room, by, "over", ((1, 0),))
            room.handle(to, room.talks[to].receive(by, word_, room.now))
        assert all(bool(room.talks[p].paused_by(room.now)) is not ends for p in (0, 1))


def test_pauses_and_their_ends_come_to_the_same_in_any_order():
    """Two pause at once, one of the pauses is ended by its asker, and there is a third."""
    zero, one, two = (Chat(TABLE, place, identity(place)) for place in range(3))
    words = [word(zero.pause(0.0)), word(zero.go(0.0))]
    words.append(word(two.pause(0.0)))
    words.append(word(one.pause(0.0)))
    ends = set()
    for order in permutations(words):
        talk = Chat(TABLE, OBSERVER)
        for each in order:
            talk.receive(OBSERVER, each, 0.0)
        ends.add(tuple(sorted(talk.paused_by(0.0))))
    assert ends == {("seat 1", "seat 2")}


def test_a_pause_reaches_who_was_away_and_so_does_its_end():
    """A laptop that slept through either is told when it is linked again."""
    room = Room()
    room.down |= {frozenset((0, 2)), frozenset((1, 2))}
    room.pause(0)
    room.meet(1, 2)
    assert room.of(2, Paused) == [Paused("seat 0", LENGTH)]
    room.down |= {frozenset((0, 2)), frozenset((1, 2))}
    room.go(0)
    room.meet(1, 2)
    assert room.of(2, Resumed) == [Resumed("seat 0")]


def test_a_pause_that_is_over_is_not_told_to_who_comes_later():
    """Whoever comes when the game goes on hears of no pause."""
    room = Room()
    room.pause(1)
    room.go(1)
    room.talks[2] = Chat(room.table, 2, identity(2))
    room.events[2].clear()
    room.meet(0, 2)
    assert room.of(2, Paused) == []
    assert room.paused == ()


def test_who_leaves_ends_its_own_pause_alone():
    """Nobody waits for somebody who has gone; another's pause stays."""
    room = Room()
    for place in (0, 1):
        room.pause(place)
    room.handle(0, room.talks[0].leave(0.0))
    room.run()
    assert room.paused == ("seat 1",)
    assert room.talks[2].leave(0.0) == []
