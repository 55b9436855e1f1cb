"""The deadlines of a replica: the first of those that count, and each of them once."""

from __future__ import annotations

from lanplay_protocol.replica.timers import Timer, Timers


def test_a_deadline_that_is_set_stays_until_it_is_set_anew_or_has_come():
    timers = Timers()
    timers.start(Timer.NUDGE, 2.0)
    timers.start(Timer.NUDGE, 1.0)
    assert not timers.fired(Timer.NUDGE, 1.5)
    timers.set(Timer.NUDGE, 1.0)
    assert timers.fired(Timer.NUDGE, 1.5)
    assert not timers.fired(Timer.NUDGE, 9.0)


def test_the_shell_is_told_the_first_deadline_of_those_that_count():
    """One that is set but does not count now wakes nobody: it may count again later."""
    timers = Timers()
    timers.set(Timer.REJOIN, 1.0)
    timers.set(Timer.HEARTBEAT, 3.0)
    timers.wait_for([Timer.NUDGE, Timer.HEARTBEAT], 5.0)
    assert timers.deadline == 3.0
    assert not timers.passed(2.0)
    assert timers.passed(3.0)
    timers.wait_for([Timer.REJOIN], None)
    assert timers.deadline == 1.0
    timers.wait_for([], None)
    assert timers.deadline is None
    assert not timers.passed(9.0)
