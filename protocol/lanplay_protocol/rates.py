"""How often something may be done."""

from __future__ import annotations

PASSED_ON = (96, 1.0)
"""How many words of one author are passed on at once, and how many a second in the long run."""


class Bucket:
    """How often something may be done: ``burst`` times at once, ``per_second`` in the long run."""

    def __init__(self, burst: float, per_second: float) -> None:
        self._burst = self._left = burst
        self._per_second = per_second
        self._at = 0.0

    def take(self, now: float) -> bool:
        """Do it once, if it may be done now."""
        grown = self._left + max(0.0, now - self._at) * self._per_second
        self._left, self._at = min(self._burst, grown), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def speaking() -> Bucket:
    """Return how often one person may speak."""
    return Bucket(8, 0.5)
