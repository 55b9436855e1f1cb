"""When a replica has to do something although nothing comes: its deadlines, by name."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, auto

STALL = 1.0
"""Seconds after a deadline from which on this program was not running."""


class Timer(IntEnum):
    """What a deadline is for; looked up at every step, as a number."""

    NUDGE = auto()  # ask for what is missing
    HEARTBEAT = auto()  # sign that this peer is there, for those who do not hear it
    ANSWER = auto()  # wait no longer for what others hold of this peer
    REJOIN = auto()  # ask again to take part, or to be left out first
    PACE = auto()  # sign another attempt in a view that has seen many


class Timers:
    """The deadlines that are set, and the first of those that count: ``deadline``.

    Times are seconds, any origin.
    """

    def __init__(self) -> None:
        self.deadline: float | None = None
        self._at: dict[Timer, float] = {}

    def set(self, timer: Timer, at: float) -> None:
        """Set a deadline, in the place of the one that may be set."""
        self._at[timer] = at

    def start(self, timer: Timer, at: float) -> None:
        """Set a deadline unless one is set."""
        self._at.setdefault(timer, at)

    def stop(self, timer: Timer) -> None:
        """Let there be no deadline."""
        self._at.pop(timer, None)

    def waits(self, timer: Timer, now: float) -> bool:
        """Tell whether a deadline is set that has not come."""
        return now < self._at.get(timer, now)

    def fired(self, timer: Timer, now: float) -> bool:
        """Tell whether a deadline has come, and let it be none then: it is for once."""
        due = timer in self._at and now >= self._at[timer]
        if due:
            self.stop(timer)
        return due

    def wait_for(self, timers: Sequence[Timer], other: float | None) -> None:
        """Let some deadlines count, as far as they are set, and another time."""
        ends = [self._at[timer] for timer in timers if timer in self._at]
        self.deadline = min(ends if other is None else [*ends, other], default=None)

    def passed(self, now: float) -> bool:
        """Tell whether the deadline has come."""
        return self.deadline is not None and now >= self.deadline

    def stalled(self, now: float) -> bool:
        """Tell whether the deadline has been missed: this program stood still."""
        return self.deadline is not None and now > self.deadline + STALL
