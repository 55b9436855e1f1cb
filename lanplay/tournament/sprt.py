"""Stopping when the answer is clear: a sequential test of one entrant against another.

Wald's sequential probability ratio test in its generalised form: the share of a deal in which the
first comes out above the second (draws count half) is taken as normal with unknown variance, so
with n deals of mean m and variance v the log-likelihood ratio of a mean of s1 against s0 is
n/2 log((v + (m - s0)^2) / (v + (m - s1)^2)). Whole deals are what is sampled: their games depend on
each other, and pairing them is what makes the test short. (The same test with five outcomes of a
pair of games is what chess engines are tested with: M. Van den Bergh, "A practical introduction to
the GSPRT"; fishtest, fastchess.) Error rates: ``tests/tournament`` and docs/tournaments.md.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import log
from typing import Any, Final

from lanplay.errors import UserError
from lanplay.tournament.faults import Wrong
from lanplay.tournament.moments import Moments
from lanplay.tournament.plan import TournamentPlan
from lanplay.tournament.schedule import tables

FEWEST: Final = 30
"""Deals before the variance is known well enough to stop."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Is entrant ``a`` (from 1) better than ``b`` by ``elo1`` (accept) or only ``elo0`` (reject)?

    ``alpha`` and ``beta`` are the chances of a wrong "better" and a wrong "not better".
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    a: int = 1
    b: int = 2

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Return the test of ``elo0=0,elo1=10,…``; ``UserError`` says what would be right."""
        values = {}
        for part in text.split(","):
            name, _, number = part.strip().partition("=")
            try:
                if name not in cls.__slots__:
                    raise ValueError
                values[name] = int(number) if name in "ab" else float(number)
            except ValueError:
                raise UserError(Wrong.SPRT_FORM, text=text) from None
        return cls.of(values)

    @classmethod
    def of(cls, values: dict[str, Any]) -> Sprt:
        """Return the test with these values; ``UserError`` for those that make no test."""
        test = cls(**values)
        if not test.elo0 < test.elo1 <= 2000 or test.elo0 < -2000:
            raise UserError(Wrong.SPRT_ELO)
        if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
            raise UserError(Wrong.SPRT_CHANCE)
        return test

    def plain(self) -> dict[str, Any]:
        """Return the test as JSON data."""
        return asdict(self)

    def check(self, plan: TournamentPlan) -> None:
        """Raise ``UserError`` unless the two are entrants that meet in games of the plan."""
        count = len(plan.entrants)
        if not (1 <= self.a <= count and 1 <= self.b <= count):
            raise UserError(Wrong.SPRT_PAIR, count=count)
        if self.a == self.b or not any(set(self.pair) <= set(table) for table in tables(plan)):
            raise UserError(Wrong.SPRT_APART, a=self.a, b=self.b)

    @property
    def pair(self) -> tuple[int, int]:
        """The two entrants, from 0, in ascending order: see ``Tally.duels``."""
        return min(self.a, self.b) - 1, max(self.a, self.b) - 1

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which it is rejected and accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, above: Moments, unit: float) -> float:
        """Return the log-likelihood ratio after deals; 0 as long as there are too few.

        ``above`` is of the pair, in units of 1 / ``unit``: the share of ``pair[0]`` over
        ``pair[1]``.
        """
        if above.deals < FEWEST:
            return 0.0
        mean = above.total / above.deals / unit
        if self.a > self.b:
            mean = 1 - mean
        # A deal that is a draw and one that is not keep the variance of clear results above zero.
        variance = max(above.variance() / unit**2, 0.25 / above.deals)
        far, near = ((mean - expected(elo)) ** 2 for elo in (self.elo0, self.elo1))
        return above.deals / 2 * log((variance + far) / (variance + near))

    def verdict(self, above: Moments, unit: float) -> str | None:
        """Return ``"better"``, ``"not better"``, or ``None`` as long as it is open."""
        ratio = self.ratio(above, unit)
        reject, accept = self.bounds
        if ratio >= accept:
            return "better"
        return "not better" if ratio <= reject else None


def expected(elo: float) -> float:
    """Return the share in which the one with ``elo`` more comes out above the other."""
    return float(1 / (1 + 10 ** (-elo / 400)))
