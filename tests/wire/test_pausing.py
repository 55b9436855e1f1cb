"""The pause of a game: it has an end, and no one person ends another's."""

from __future__ import annotations

from itertools import permutations

import pytest

from lanplay_protocol.chat import NUMBERS, Chat, Paused, Resumed, WantsOn
from lanplay_protocol.errors import PeerError
from lanplay_protocol.pausing import IN_ALL, LENGTH, MOST
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
    talks[0].receive(1, word(talks[1]._speak("pause", (3,), 0.0)), 0.0)
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


def test_each_person_pauses_three_times_and_a_game_stands_still_for_half_an_hour():
    """What a modified program asks for beyond that is not heard."""
    room = Room(3)
    for _ in range(MOST):
        room.pause(1)
        room.go(1)
    with pytest.raises(ValueError, match="3 times"):
        room.talks[1].pause(room.now)
    room.handle(1, room.talks[1]._speak("pause", (1,), room.now))
    room.run()
    assert room.paused == ()
    many = Room(6)
    for turn in range(int(IN_ALL / LENGTH)):
        many.pause(turn)
        many.wait(LENGTH)
    with pytest.raises(ValueError, match="30 min"):
        many.talks[0].pause(many.now)
    many.handle(3, many.talks[3]._speak("pause", (3,), many.now))
    many.run()
    assert many.paused == ()


def test_the_last_pause_is_as_long_as_what_is_left_of_the_half_hour():
    """Pauses at one time count once."""
    room = Room(6)
    room.pause(0)
    room.pause(1)
    room.wait(LENGTH)
    for turn in range(int(IN_ALL / LENGTH) - 2):
        room.pause(turn)
        room.wait(LENGTH)
    room.pause(5)
    room.wait(100.0)
    room.go(5)
    room.pause(4)
    assert room.of(0, Paused)[-1] == Paused("seat 4", LENGTH - 100.0)


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


@pytest.mark.parametrize(
    "claim", [NUMBERS - 1, bytes(64), "before"], ids=["number", "signature", "earlier pause"]
)
def test_nobody_takes_away_a_pause_that_is_still_to_be_made(claim):
    """Whatever modified programs, even most of them, sign beforehand."""
    room = Room()
    room.pause(1)
    (made,) = room.talks[0].pauses.running(0.0)
    kept = (1, made.signature if claim == "before" else claim)
    room.go(1)
    try:
        for liar in (0, 2):
            for to in {0, 1, 2} - {liar}:
                words = word(room.talks[liar]._speak("go", (liar, (kept,)), 0.0))
                room.handle(to, room.talks[to].receive(liar, words, 0.0))
    except (PeerError, TypeError):
        assert claim == NUMBERS - 1
    room.queue.clear() if claim == NUMBERS - 1 else room.run()
    room.pause(1)
    assert room.paused == ("seat 1",)


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
