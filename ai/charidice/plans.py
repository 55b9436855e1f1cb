"""Which price to play a turn at: the plan whose outcome fits the game best.

The figures are those of ``ai.charidice.optimum.outcome``, which takes a while to reckon them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import inf, sqrt

from ai.charidice.optimum import Outcome
from ai.charidice.stakes import Aims, Standing, stakes

PLANS = (
    Outcome(price=-0.75, worth=20.267328, gift=29.613761, spread=17.295341),
    Outcome(price=-0.5, worth=28.756869, gift=14.343772, spread=8.479694),
    Outcome(price=-0.25, worth=30.747244, gift=8.943779, spread=6.155917),
    Outcome(price=0.0, worth=30.902038, gift=7.902519, spread=5.688257),
    Outcome(price=0.5, worth=30.568786, gift=6.802681, spread=5.236044),
    Outcome(price=1.0, worth=29.463688, gift=5.361937, spread=4.525719),
)
"""What the optimum of a turn brings at each price that is worth planning for."""
_SPREAD = sqrt(1.5)
"""Three gifts as likely as each other, so far apart, have the mean and the spread of a plan's."""


@lru_cache(1 << 13)
def plan(how: Standing, aims: Aims, factor: float, most: int) -> tuple[float, Sequence[float]]:
    """Return the price of the best plan, and what gifts from 0 to ``most`` are worth."""
    worths = stakes(how, aims, most)
    return best_plan(worths, factor), worths


def best_plan(worths: Sequence[float], factor: float) -> float:
    """Return the price of the plan that is worth most with gifts that count ``factor`` times.

    ``worths`` is what each gift is worth as it is entered (see ``ai.charidice.stakes``).
    """
    best, best_price = -inf, 0.0
    for price, points, low, middle, high in reckoned(factor, len(worths) - 1):
        worth = points + (worths[low] + worths[middle] + worths[high]) / 3
        if worth > best:
            best, best_price = worth, price
    return best_price


@cache
def reckoned(factor: float, most: int) -> tuple[tuple[float, float, int, int, int], ...]:
    """Return of each plan the price, the points, and a low, a mean and a high gift as entered.

    No gift is taken for more than ``most``.
    """
    return tuple([(plan.price, plan.worth, *_gifts(plan, factor, most)) for plan in PLANS])


def _gifts(plan: Outcome, factor: float, most: int) -> tuple[int, int, int]:
    steps = (-_SPREAD * plan.spread, 0.0, _SPREAD * plan.spread)
    low, middle, high = (min(max(round(factor * (plan.gift + s)), 0), most) for s in steps)
    return low, middle, high
