"""A program that stands still suspects nobody when it wakes up, and nobody is accused."""

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import Accused, Halted, ViewChanged
from lanplay_protocol.replica.failure_detector import PATIENCE, FailureDetector
from lanplay_protocol.replica.key_setup import SETUP, UNNAMED
from lanplay_protocol.replica.messages import MOVE
from lanplay_protocol.shell.stillness import Stillness
from tests.byzantine.stand_ins import installed
from tests.replica.harness import Table, roster
from tests.replica.stalls import Stall

ALL = frozenset({0, 1, 2})
DEBT = (1, MOVE, 7)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("first", range(0, 12, 6))
def test_whoever_stands_still_whenever_and_for_how_long_nobody_is_accused(first):
    """At the start, in a phase, in a view change, at the end; with another one killed, too."""
    with installed():
        for seed in range(first, first + 6):
            stall = Stall(seed)
            assert stall.play() == "", stall.log


def test_nobody_is_late_while_something_is_unread():
    """It may be what is owed; the wait is over as soon as all is read."""
    detector = FailureDetector(me=0, grace=int(PATIENCE))
    detector.judge(ALL, {DEBT}, 0.0)
    detector.judge(ALL, {DEBT}, PATIENCE + 5, unread=True)
    assert not detector.late
    assert detector.deadline(ALL, PATIENCE + 5, unread=True) == PATIENCE + 5
    detector.judge(ALL, {DEBT}, PATIENCE + 5)
    assert detector.late == {1}
    detector.judge(ALL, {DEBT}, PATIENCE + 6, unread=True)
    assert detector.late == {1}
    detector.judge(ALL, set(), PATIENCE + 6, unread=True)
    assert not detector.late


def waits():
    """Return a table at which peer 0 waits for the message of a peer that is there, and when."""
    table = Table(roster(3), seed=b"owes")
    table.start()
    table.run(lambda t: all(r.transcript.number > SETUP + 2 for r in t.replicas))
    table.silent.add(1)
    table.run(lambda t: t.replicas[0].attendance.detector._owed, seconds=30)
    return table, min(table.replicas[0].attendance.detector._owed.values())


def test_a_program_that_wakes_begins_all_waits_again_and_asks_where_the_others_are():
    with installed():
        table, since = waits()
        replica, now = table.replicas[0], since + PATIENCE - 0.5
        asked = [e.kind for e in replica.step(inputs.Woken(), now).send]
        assert asked == ["want"]
        assert not replica.attendance.detector.late
        output = replica.step(inputs.Ticked(), now + PATIENCE - 0.1)
        assert not replica.attendance.detector.late
        assert not [e for e in output.events if isinstance(e, Accused | ViewChanged)]


def test_both_clocks_tell_of_a_standstill_and_neither_a_jump_nor_a_sleep_is_missed():
    """Of a suspended machine the steady clock may know nothing; the other one may be set back."""
    clocks = [0.0, 1000.0]
    stillness = Stillness(lambda: clocks[0], lambda: clocks[1])
    for steady, wall, still in (
        (0.5, 0.5, False),
        (1.4, 1.4, False),
        (1.6, 1.6, True),
        (0.5, 0.5, False),
        (0.5, 3600.0, True),
        (0.5, -3600.0, True),
        (0.5, 0.5, False),
    ):
        clocks[0], clocks[1] = clocks[0] + steady, clocks[1] + wall
        assert stillness.turn() is still


def test_who_stands_still_while_a_game_begins_is_called_slow():
    """Nothing says that it holds anything back: its laptop may sleep."""
    table = Table(roster(3), seed=b"begins")
    table.start()
    table.run(lambda t: all(r.transcript.number >= UNNAMED for r in t.replicas))
    table.silent.add(2)
    table.queue = type(table.queue)(each for each in table.queue if each[0] != 2)
    table.run(lambda t: t.of(0, Halted), seconds=30)
    (held,) = table.of(0, Halted)
    assert (
        str(held.reason)
        == "Too slow for the game to begin: peer 2. Begin again, with or without them."
    )
