"""What giving is worth to a seat: what it costs to strengthen the neighbour, what charity brings.

How much everybody will have given is guessed: a turn to come gives ``TURN_GIVES`` points, more or
less by ``TURN_SPREAD``. From that follows the chance to have given most (CH-4.1).
"""

from __future__ import annotations

from functools import cache
from math import erf, sqrt
from typing import NamedTuple

from lanplay.games.charidice.rules import CHARITY, GREAT_CHARITY, GREAT_GIVING
from lanplay.games.charidice.table import ROUNDS, CharidiceTable

TURN_GIVES = 9
TURN_SPREAD = 8.0
_GIVEN_STEP = 8
_AHEAD_STEP = 2
_REACH = 1000
"""More than anybody can be ahead in giving, in points."""


class Aims(NamedTuple):
    """What a point for the neighbour costs, and what a point of the charity bonus is worth."""

    cost: float
    charity: float


TO_WIN = {2: Aims(1.0, 2.0), 3: Aims(0.6, 1.25), 4: Aims(0.5, 1.0)}
"""By the number of seats: of two, one loses what the other gets, and goes without its bonus."""


class Standing(NamedTuple):
    """How a seat stands in giving at its turn.

    ``given`` is what it has given, ``ahead`` by how much it leads the rival that looks nearest to
    have given most, if nothing is given now and all turns to come give alike. ``turns`` are its own
    turns after this one, ``theirs`` those of the rival.
    """

    given: int
    ahead: int
    turns: int
    theirs: int


def standing(t: CharidiceTable, seat: int) -> Standing:
    """Return how a seat stands; while turns are to come, in steps, as only guesses follow."""
    given, entered = sum(t.given[seat]), len(t.given[seat])
    ahead, theirs = _REACH, 0
    for other, column in enumerate(t.given):
        if other != seat:
            lead = given - sum(column) - TURN_GIVES * (entered + 1 - len(column))
            if lead < ahead:
                ahead, theirs = lead, ROUNDS - len(column)
    turns = ROUNDS - 1 - entered
    if turns:
        given -= given % _GIVEN_STEP
        ahead -= ahead % _AHEAD_STEP
    return Standing(given, ahead, turns, theirs)


def stakes(how: Standing, aims: Aims, most: int) -> list[float]:
    """Return what each gift of the present turn is worth, from 0 to ``most`` points.

    Gifts are taken as they are entered, so doubled where the greatest one is demanded.
    """
    first = how.ahead + _REACH
    bonuses = charity(aims.charity, how.turns)[how.given : how.given + most + 1]
    chances = chance(how.turns + how.theirs)[first : first + most + 1]
    return [b * c + k for b, c, k in zip(bonuses, chances, cost(aims.cost), strict=False)]


@cache
def cost(price: float) -> tuple[float, ...]:
    """Return what gifts cost, as worths below 0."""
    return tuple([-price * gift for gift in range(_REACH)])


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
