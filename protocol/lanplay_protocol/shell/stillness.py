"""Whether this program stood still: it was suspended, its machine was, or its clock was set."""

from __future__ import annotations

import time
from collections.abc import Callable

import trio

STILL_SECONDS = 1.5
"""A gap between two turns of a loop from which on nothing can be said of others."""
PULSE_SECONDS = 1.0
"""A loop takes a turn at least this often, so that a gap means that it stood still."""


async def beat(seconds: float) -> None:
    """Sleep until the next multiple of so many seconds: a program that looks at several things now
    and then wakes once for all of them."""
    await trio.sleep_until(next_beat(seconds))


def next_beat(seconds: float) -> float:
    """Return when that is."""
    return (trio.current_time() // seconds + 1) * seconds


class Stillness:
    """Looks at both clocks at each turn of a loop: one may stand still while a machine sleeps."""

    def __init__(
        self, steady: Callable[[], float] = trio.current_time, wall: Callable[[], float] = time.time
    ) -> None:
        self._clocks = (steady, wall)
        self._last = [clock() for clock in self._clocks]

    def turn(self) -> bool:
        """Note a turn; tell whether a clock has jumped since the last one, in any direction."""
        before, self._last = self._last, [clock() for clock in self._clocks]
        gaps = [now - then for now, then in zip(self._last, before, strict=True)]
        return any(abs(gap) > STILL_SECONDS for gap in gaps)
