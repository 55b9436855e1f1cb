"""Sums over deals in whole numbers, and the intervals they give."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

NORMAL: Final = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % interval (without one, if there were fewer than two deals)."""

    mean: float
    low: float | None
    high: float | None

    @classmethod
    def around(cls, mean: float, margin: float) -> Estimate:
        """Return the estimate whose interval goes as far to both sides."""
        return cls(mean, mean - margin, mean + margin)


@dataclass(slots=True)
class Moments:
    """Number, sum and sum of squares of whole numbers, one for each deal: exact in any order."""

    deals: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        """Add a deal's value."""
        self.deals += 1
        self.total += value
        self.squares += value * value

    def variance(self) -> float:
        """Return the variance between deals, unbiased; 0 with fewer than two."""
        if self.deals < 2:
            return 0.0
        scatter = self.deals * self.squares - self.total * self.total
        return scatter / (self.deals * (self.deals - 1))

    def estimate(self, unit: float) -> Estimate | None:
        """Return the mean of a deal's value divided by ``unit``; ``None`` without deals.

        The interval is Student's t over deals, so that games of one deal may depend on each other.
        """
        if not self.deals:
            return None
        mean = self.total / self.deals / unit
        if self.deals < 2:
            return Estimate(mean, None, None)
        error = sqrt(self.variance() / self.deals) / unit
        return Estimate.around(mean, student(self.deals - 1) * error)

    def share(self, unit: float) -> Estimate | None:
        """Return the same of a share (0 to 1); its interval stays in there and is never a point.

        Where every deal was alike it goes as far as one deal in ``deals`` would be a surprise
        (the exact binomial bound, 1 - 0.025^(1 / deals)).
        """
        found = self.estimate(unit)
        if found is None or found.low is None or found.high is None:
            return found
        if self.variance():
            return Estimate(found.mean, max(0.0, found.low), min(1.0, found.high))
        beyond = 1 - 0.025 ** (1 / self.deals)
        return Estimate(found.mean, max(0.0, found.mean - beyond), min(1.0, found.mean + beyond))


def student(freedom: int) -> float:
    """Return the 97.5 % point of Student's t, right to 0.1 % (from tables up to 4 degrees).

    Source: Abramowitz and Stegun, 26.7.5.
    """
    if freedom <= 4:
        return (12.706, 4.303, 3.182, 2.776)[freedom - 1]
    x, n = NORMAL, freedom
    first = (x**3 + x) / 4
    second = (5 * x**5 + 16 * x**3 + 3 * x) / 96
    third = (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384
    fourth = (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160
    return x + first / n + second / n**2 + third / n**3 + fourth / n**4
