"""Values that are made once, when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

EVERY: Final = 1 << 14
"""A limit that no table reaches whose keys are the dice of one seat."""

K = TypeVar("K")
V = TypeVar("V")


class Kept(dict[K, V]):
    """Values by their keys; ``make`` makes one that is missing.

    Asked as a dictionary, which is faster than a call of a cached function. At most ``limit``
    values are kept: then all are forgotten, and those that are needed are soon there again.
    """

    def __init__(self, make: Callable[[K], V], limit: int = EVERY) -> None:
        super().__init__()
        self._make = make
        self._limit = limit

    def __missing__(self, key: K) -> V:
        if len(self) >= self._limit:
            self.clear()
        value = self[key] = self._make(key)
        return value
