"""A pause that one peer takes the others take, too: no clock stands alone."""

from __future__ import annotations

from lanplay_protocol.chat import _LABEL, Chat, _signed
from tests.replica.harness import identity
from tests.wire.test_pausing import Room

LIAR, VICTIM, OTHERS = 2, 1, (0, 3)


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
