"""Which price to play a turn at: the plan whose outcome fits the game best.

The figures are those of ``optimum.outcome``, which takes a while to reckon.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import inf, sqrt
from typing import Final

from lanplay.engine.fast_value import FastValue
from lanplay_rivals.charidice.optimum import TurnOutcome
from lanplay_rivals.charidice.stakes import Aims, GiftStakes, Standing, charged, stakes

PLANS = (
    TurnOutcome(price=-0.75, worth=20.267328, gift=29.613761, spread=17.295341),
    TurnOutcome(price=-0.5, worth=28.756869, gift=14.343772, spread=8.479694),
    TurnOutcome(price=-0.25, worth=30.747244, gift=8.943779, spread=6.155917),
    TurnOutcome(price=0.0, worth=30.902038, gift=7.902519, spread=5.688257),
    TurnOutcome(price=0.5, worth=30.568786, gift=6.802681, spread=5.236044),
    TurnOutcome(price=1.0, worth=29.463688, gift=5.361937, spread=4.525719),
)
"""What the optimum of a turn brings at each price that is worth planning for."""
_SPREAD = sqrt(1.5)
"""Three gifts as likely as each other, so far apart, have the mean and the spread of a plan's."""


class TurnPlan(FastValue):
    """How a seat plays its present turn.

    ``price`` is that of a point given away before it is doubled, for what to roll again; ``stakes``
    are what gifts are worth as they are entered, for the set to score, and no more than ``bound``.
    """

    __slots__: Final = ("price", "stakes", "bound")

    def __init__(self, price: float, stakes: GiftStakes, bound: float) -> None:
        self.price: Final = price
        self.stakes: Final = stakes
        self.bound: Final = bound


@lru_cache(1 << 13)
def plan(how: Standing, aims: Aims, factor: float, limit: int) -> TurnPlan:
    """Return the best plan of a turn whose gift counts ``factor`` times, up to ``limit`` points."""
    found = stakes(how, aims, limit)
    return TurnPlan(best_price(found, factor), found, found.bound())


@cache
def fixed(price: float, factor: int, limit: int) -> TurnPlan:
    """Return the plan to play at a price whatever the standing."""
    found = charged(price, limit)
    return TurnPlan(factor * price, found, found.bound())


def best_price(stakes: GiftStakes, factor: float) -> float:
    """Return the price whose outcome is worth most with gifts that count ``factor`` times."""
    mean = stakes.mean
    best, best_price = -inf, 0.0
    for price, points, gifts in reckoned(factor, stakes.limit):
        worth = points + mean(gifts)
        if worth > best:
            best, best_price = worth, price
    return best_price


@cache
def reckoned(factor: float, most: int) -> tuple[tuple[float, float, tuple[int, ...]], ...]:
    """Return of each plan the price, the points, and a low, a mean and a high gift as entered.

    No gift is taken for more than ``most``.
    """
    return tuple([(plan.price, plan.worth, _gifts(plan, factor, most)) for plan in PLANS])


def _gifts(plan: TurnOutcome, factor: float, most: int) -> tuple[int, ...]:
    steps = (-_SPREAD * plan.spread, 0.0, _SPREAD * plan.spread)
    return tuple([min(max(round(factor * (plan.gift + s)), 0), most) for s in steps])
