"""Decisions of one schedule: drawn from a seed, recorded, and replayed with some left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from lanplay.engine.chance import Chance

T = TypeVar("T")


class Steps(int):
    """A time in steps of the table, not in seconds: many phases may pass in no time at all."""


class Draws:
    """Numbers that decide what happens; 0 is always what an honest and quiet table does.

    ``given`` are the decisions to repeat: what is beyond them is 0. Without it they are drawn.
    """

    def __init__(self, seed: bytes, given: Sequence[int] | None = None) -> None:
        self._chance = Chance(seed)
        self._given = given
        self.made: list[int] = []

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1."""
        number = len(self.made)
        if self._given is not None:
            drawn = self._given[number] % limit if number < len(self._given) else 0
        else:
            drawn = self._chance.below(limit, "draw", (number,))
        self.made.append(drawn)
        return drawn

    def one_in(self, times: int) -> bool:
        """Tell whether something rare happens now."""
        return self.below(times) == times - 1

    def pick(self, values: Sequence[T]) -> T:
        """Return one of some values; the first is the quiet one."""
        return values[self.below(len(values))]

    def some(self, values: Sequence[T]) -> list[T]:
        """Return a few of some values, at least one; the first alone is the quiet choice."""
        return [each for each in values if self.below(3) == 2] or [self.pick(values)]
