"""What giving is worth to a seat: what it costs to strengthen the neighbour, what charity brings.

How much everybody will have given is guessed: a turn to come gives ``TURN_GIVES`` points, more or
less by ``TURN_SPREAD``. From that follows the chance to have given most (CH-4.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import erf, inf, sqrt
from typing import NamedTuple, TypeAlias

from ai.charidice.rolls import Offer
from lanplay.engine.value import value
from lanplay.games.charidice.rules import CHARITY, GREAT_CHARITY, GREAT_GIVING
from lanplay.games.charidice.table import ROUNDS, CharidiceTable

TURN_GIVES = 9
TURN_SPREAD = 8.0
_GIVEN_STEP = 8
_AHEAD_STEP = 2
_REACH = 1000
"""More than anybody can be ahead in giving, in points."""
_SPAN = 8
"""So many gifts in a row are bounded by one figure."""


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


@value
class Stakes:
    """What each gift of the present turn is worth, from 0 to ``limit`` points.

    Gifts are taken as they are entered, so doubled where the greatest one is demanded. One of
    ``gift`` points costs ``cost`` times as much, and brings ``bonuses[given + gift]`` with the
    chance ``chances[ahead + gift]``; neither falls as the gift grows.
    """

    bonuses: Sequence[float]
    given: int
    chances: Sequence[float]
    ahead: int
    cost: float
    limit: int

    def worth(self, gift: int) -> float:
        """Return what a gift is worth."""
        return self.mean((gift,))

    def mean(self, gifts: Sequence[int]) -> float:
        """Return what gifts are worth on average."""
        bonuses, given, chances, ahead = self.bonuses, self.given, self.chances, self.ahead
        worth, cost = 0.0, self.cost
        for gift in gifts:
            worth += bonuses[given + gift] * chances[ahead + gift] - cost * gift
        return worth / len(gifts)

    def bound(self) -> float:
        """Return what no gift is worth more than.

        Of a few gifts in a row none brings more than the last one or costs less than the cheapest.
        """
        bonuses, given, chances, ahead = self.bonuses, self.given, self.chances, self.ahead
        cost, bound = self.cost, -inf
        for first in range(0, self.limit + 1, _SPAN):
            last = first + _SPAN - 1
            most = bonuses[given + last] * chances[ahead + last]
            most -= cost * (first if cost > 0 else last)
            if most > bound:
                bound = most
        return bound

    def best(self, sets: Sequence[Offer], factor: int, bound: float) -> Offer:
        """Return the set that brings most with its gift, which counts ``factor`` times.

        Of equal ones it is that with the smallest gift. ``sets`` stand by falling points, so that
        none can be better from the first one on that is not so though its gift be worth ``bound``.
        """
        bonuses, given, chances, ahead = self.bonuses, self.given, self.chances, self.ahead
        cost, best, found = self.cost, -inf, sets[0]
        for each in sets:
            points, gift, _ = each
            if points + bound < best:
                break
            entered = factor * gift
            worth = bonuses[given + entered] * chances[ahead + entered] - cost * entered
            if points + worth > best or (points + worth == best and gift < found[1]):
                best, found = points + worth, each
        return found


def stakes(how: Standing, aims: Aims, limit: int) -> Stakes:
    """Return what gifts are worth to a seat that stands so."""
    given, ahead, turns, theirs = how
    cost, bonus = aims
    bonuses, chances = charity(bonus, turns), chance(turns + theirs)
    return Stakes(bonuses, given, chances, ahead + _REACH, cost, limit)


@cache
def charged(cost: float, limit: int) -> Stakes:
    """Return what gifts are worth that bring nothing: what they cost."""
    nothing = (0.0,) * (limit + _SPAN)
    return Stakes(nothing, 0, nothing, 0, cost, limit)


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
