"""A pause stops the clocks of all alike, and ends for all."""

from __future__ import annotations

from contextlib import suppress

from lanplay_protocol.chat import _LABEL, Chat, _signed
from lanplay_protocol.pausing import LENGTH, MOST
from tests.replica.harness import identity
from tests.wire.test_pausing import Room

LIAR, VICTIM = 2, 1
OTHERS = (0, 3)
HONEST = (0, 1, 3)


def tell(room, place, *words):
    """Let the liar's link to a peer bring words, before anything else comes."""
    for each in words:
        room.handle(place, room.talks[place].receive(LIAR, each, room.now))


def alike(room):
    """Tell whether the clocks of all honest peers stand, or go."""
    return len({bool(room.talks[p].paused_by(room.now)) for p in HONEST}) == 1


def pause(room, number, turn=0):
    return word(room.table, number, "pause", (LIAR, turn))


def go(room, number, *pauses):
    return word(room.table, number, "go", (LIAR, tuple(each[3] for each in pauses)))


def test_more_pauses_than_a_seat_has_stop_all_clocks_or_none():
    """Which three of a seat's pauses count does not hang on the order in which they are heard."""
    room = Room(4)
    room.now = 100.0
    first, last = [pause(room, n + 1, n) for n in range(MOST)], pause(room, MOST + 1, MOST - 1)
    for other in OTHERS:
        tell(room, other, *first, go(room, 10, *first))
    tell(room, VICTIM, last)
    room.run()
    assert alike(room)
    room.wait(45)
    assert alike(room)


def paused():
    """A table that the liar has paused, and its word."""
    room = Room(4)
    room.now = 100.0
    asked = pause(room, 1)
    for p in HONEST:
        tell(room, p, asked)
    room.run()
    return room, asked


def test_a_pause_that_ends_for_some_ends_for_all_though_its_end_shares_a_number():
    """A word is known by what was signed, and not by a number that its author may use twice."""
    room, asked = paused()
    for other in OTHERS:
        tell(room, other, go(room, 2, asked))
    tell(room, VICTIM, word(room.table, 2, "say", (LIAR, "x")))
    room.run()
    assert alike(room)


def test_what_its_author_says_beside_does_not_crowd_out_the_end_of_its_pause():
    """The end of a pause is heard by all, however many words of its author came before it."""
    room, asked = paused()
    tell(room, VICTIM, *(word(room.table, n, "say", (LIAR, "x")) for n in range(2, 98)))
    for other in OTHERS:
        tell(room, other, go(room, 1000, asked))
    room.run()
    assert alike(room)


def test_a_restarted_program_knows_which_pauses_are_spent():
    """Its own person's fourth pause is refused where it is asked for, as by all others."""
    room = Room(4)
    for _ in range(MOST):
        room.pause(VICTIM)
        room.go(VICTIM)
    room.talks[VICTIM] = Chat(room.table, VICTIM, identity(VICTIM), 5000)
    for other in (0, 2, 3):
        room.meet(VICTIM, other)
    with suppress(ValueError):
        room.pause(VICTIM)
    assert alike(room)


def test_a_pause_that_was_over_before_it_is_heard_stops_nobody():
    """Who was away during all of it is given it by a liar, when it is over for all others."""
    room = Room(4)
    room.now = 100.0
    room.down = {frozenset((VICTIM, p)) for p in (0, 2, 3)}
    asked = pause(room, 1)
    for other in OTHERS:
        tell(room, other, asked)
    room.run()
    room.wait(LENGTH + 1)
    for other in OTHERS:
        room.meet(VICTIM, other)
    tell(room, VICTIM, asked)
    room.run()
    assert alike(room)


def word(table, number, kind, value):
    """A word of the liar's."""
    body = _signed(table.digest(), LIAR, number, kind, value)
    return (LIAR, number, kind, value, identity(LIAR).sign(_LABEL, body))


def test_a_pause_that_one_hears_all_hear():
    """A flood of words to the others first: they drop the pause that the victim passes on."""
    room = Room(4)
    room.now = 100.0
    junk = [word(room.table, n, "say", (LIAR, "x")) for n in range(1, 97)]
    pause = word(room.table, 1000, "pause", (LIAR, 0))
    for other in OTHERS:
        for each in junk:
            room.handle(other, room.talks[other].receive(LIAR, each, room.now))
    # one hop from the liar is shorter than two: the victim has the pause before the junk
    room.handle(VICTIM, room.talks[VICTIM].receive(LIAR, pause, room.now))
    room.run()
    room.wait(45)
    assert len({bool(room.talks[p].paused_by(room.now)) for p in (0, 1, 3)}) == 1


def test_a_pause_that_is_over_stops_nobody_who_was_restarted():
    """The liar gives its old word once more to a program that has forgotten it."""
    room = Room(4)
    room.down = {frozenset((LIAR, p)) for p in (0, 1, 3)}  # it says nothing but what is here
    room.now = 100.0
    pause = word(room.table, 1000, "pause", (LIAR, 0))
    for p in (0, 1, 3):
        room.handle(p, room.talks[p].receive(LIAR, pause, room.now))
    room.run()
    room.wait(301)
    assert not any(room.talks[p].paused_by(room.now) for p in (0, 1, 3))
    room.talks[VICTIM] = Chat(room.table, VICTIM, identity(VICTIM), 5000)
    for other in OTHERS:
        room.meet(VICTIM, other)
    room.handle(VICTIM, room.talks[VICTIM].receive(LIAR, pause, room.now))
    room.run()
    assert not any(room.talks[p].paused_by(room.now) for p in (0, 1, 3))
