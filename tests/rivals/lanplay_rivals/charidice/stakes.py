"""What giving is worth to a seat: what it costs to strengthen the neighbour, what charity brings.

How much everybody will have given is guessed: a turn to come gives ``TURN_GIVES`` points, more or
less by ``TURN_SPREAD``. From that follows the chance to have given most (CH-4.1).
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import erf, inf, sqrt
from typing import Final, NamedTuple, TypeAlias

from lanplay.engine.fast_value import FastValue
from lanplay.games.charidice.rules import CHARITY, GREAT_CHARITY, GREAT_GIVING
from lanplay.games.charidice.sets import MOST_GIFT
from lanplay.games.charidice.table import ROUNDS, CharidiceTable
from lanplay_rivals.charidice.rolls import Offer

TURN_GIVES = 9
TURN_SPREAD = 8.0
_GIVEN_STEP = 8
_AHEAD_STEP = 2
_REACH = 1000
"""More than anybody can be ahead in giving, in points."""
_SPAN = 8
"""So many gifts in a row are bounded by one figure."""
_GIFTS = 2 * MOST_GIFT + _SPAN
"""More gifts than there can be."""


class Aims(NamedTuple):
    """What a point for the neighbour costs, and what a point of the charity bonus is worth."""

    cost: float
    charity: float


TO_WIN = {2: Aims(1.0, 2.0), 3: Aims(0.6, 1.25), 4: Aims(0.5, 1.0)}
"""By the number of seats: of two, one loses what the other gets, and goes without its bonus."""


Standing: TypeAlias = tuple[int, int, int, int]
"""How a seat stands in giving at its turn: (given, ahead, turns, theirs).

``given`` is what it has given, ``ahead`` by how much it leads the rival that looks nearest to have
given most, if nothing is given now and all turns to come give alike. ``turns`` are its own turns
after this one, ``theirs`` those of the rival.
"""


def standing(t: CharidiceTable, seat: int) -> Standing:
    """Return how a seat stands; while turns are to come, in steps, as only guesses follow."""
    own = t.given[seat]
    most, theirs = -_REACH, 0
    for column in t.given:
        if column is not own:
            over = sum(column) - TURN_GIVES * len(column)
            if over > most:
                most, theirs = over, ROUNDS - len(column)
    given, entered = sum(own), len(own)
    ahead = given - TURN_GIVES * (entered + 1) - most
    turns = ROUNDS - 1 - entered
    if turns:
        given -= given % _GIVEN_STEP
        ahead -= ahead % _AHEAD_STEP
    return given, ahead, turns, theirs


class GiftStakes(FastValue):
    """What each gift of the present turn is worth, from 0 to ``limit`` points.

    Gifts are taken as they are entered, so doubled where the greatest one is demanded. The bonus
    ``bonuses[gift]`` comes with the chance ``chances[gift]``, and the gift costs ``costs[gift]``, a
    number below 0. Neither bonuses nor chances fall as the gift grows. They reach further than
    ``limit``.
    """

    __slots__: Final = ("bonuses", "chances", "costs", "limit")

    def __init__(
        self,
        bonuses: tuple[float, ...],
        chances: tuple[float, ...],
        costs: tuple[float, ...],
        limit: int,
    ) -> None:
        self.bonuses: Final = bonuses
        self.chances: Final = chances
        self.costs: Final = costs
        self.limit: Final = limit

    def worth(self, gift: int) -> float:
        """Return what a gift is worth."""
        return self.bonuses[gift] * self.chances[gift] + self.costs[gift]

    def mean(self, gifts: tuple[int, ...]) -> float:
        """Return what gifts are worth on average."""
        bonuses, chances, costs = self.bonuses, self.chances, self.costs
        worth = 0.0
        for gift in gifts:
            worth += bonuses[gift] * chances[gift] + costs[gift]
        return worth / len(gifts)

    def bound(self) -> float:
        """Return what no gift is worth more than.

        Of a few gifts in a row none brings more than the last one or costs less than the cheapest.
        """
        bonuses, chances, costs = self.bonuses, self.chances, self.costs
        bound = -inf
        for first in range(0, self.limit + 1, _SPAN):
            last = first + _SPAN - 1
            most = bonuses[last] * chances[last] + max(costs[first], costs[last])
            bound = max(bound, most)
        return bound

    def best(self, sets: tuple[Offer, ...], factor: int, bound: float) -> Offer:
        """Return the set that brings most with its gift, which counts ``factor`` times.

        Of equal ones it is that with the smallest gift. ``sets`` stand by falling points, so that
        none can be better from the first one on that is not so though its gift be worth ``bound``.
        """
        bonuses, chances, costs = self.bonuses, self.chances, self.costs
        best, found = -inf, sets[0]
        for each in sets:
            points, gift, _ = each
            if points + bound < best:
                break
            entered = factor * gift
            gain = points + (bonuses[entered] * chances[entered] + costs[entered])
            if gain > best or (gain == best and gift < found[1]):
                best, found = gain, each
        return found


def stakes(how: Standing, aims: Aims, limit: int) -> GiftStakes:
    """Return what gifts are worth to a seat that stands so."""
    given, ahead, turns, theirs = how
    price, bonus = aims
    return GiftStakes(
        _bonuses(bonus, turns, given), _chances(turns + theirs, ahead), cost(price), limit
    )


@lru_cache(1 << 9)
def _bonuses(factor: float, turns: int, given: int) -> tuple[float, ...]:
    """Return the bonuses by gift, for who has given so much before."""
    return charity(factor, turns)[given : given + _GIFTS]


@lru_cache(1 << 11)
def _chances(turns: int, ahead: int) -> tuple[float, ...]:
    """Return the chances by gift, for who is ahead so much before."""
    first = ahead + _REACH
    return chance(turns)[first : first + _GIFTS]


@cache
def charged(price: float, limit: int) -> GiftStakes:
    """Return what gifts are worth that bring nothing: what they cost."""
    nothing = (0.0,) * _GIFTS
    return GiftStakes(nothing, nothing, cost(price), limit)


@cache
def cost(price: float) -> tuple[float, ...]:
    """Return what gifts cost, as worths below 0."""
    return tuple([-price * gift for gift in range(_GIFTS)])


@cache
def chance(turns: int) -> tuple[float, ...]:
    """Return the chance not to be passed in so many turns, by how far one is ahead + ``_REACH``."""
    return tuple([_surely(ahead, turns) for ahead in range(-_REACH, _REACH + 1)])


@cache
def charity(factor: float, turns: int) -> tuple[float, ...]:
    """Return ``factor`` times the bonus that is expected of whoever gives most.

    It hangs on what has been given, which is the place in the tuple, with ``turns`` to come.
    """
    missing = [GREAT_GIVING + 1 - given - TURN_GIVES * turns for given in range(_REACH)]
    more = GREAT_CHARITY - CHARITY
    return tuple([factor * (CHARITY + more * _surely(-points, turns)) for points in missing])


def _surely(ahead: int, turns: int) -> float:
    """Return the chance that a lead of ``ahead`` points is none below 0 after some turns."""
    if not turns:
        return float(ahead >= 0)
    return 0.5 + 0.5 * erf((ahead + 0.5) / (TURN_SPREAD * sqrt(2 * turns)))
