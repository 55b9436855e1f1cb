"""What giving is worth to a seat: what it costs to strengthen the neighbour, what charity brings.

How much everybody will have given is guessed: a turn to come gives ``TURN_GIVES`` points, more or
less by ``TURN_SPREAD``. From that follows the chance to have given most (CH-4.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import erf, sqrt

from lanplay.games.charidice.rules import CHARITY, GREAT_CHARITY, GREAT_GIVING
from lanplay.games.charidice.table import ROUNDS, CharidiceTable

TURN_GIVES = 9
TURN_SPREAD = 8.0
_REACH = 1000
"""More than anybody can be ahead in giving, in points."""


@dataclass(frozen=True, slots=True)
class Aims:
    """What a point for the neighbour costs, and what a point of the charity bonus is worth."""

    cost: float
    charity: float


TO_WIN = {2: Aims(1.0, 2.0), 3: Aims(0.6, 1.25), 4: Aims(0.5, 1.0)}
"""By the number of seats: of two, one loses what the other gets, and goes without its bonus."""


class Stakes:
    """What a gift of the present turn is worth to its giver, with all that was given before.

    Gifts are taken as they are entered, so doubled where the greatest one is demanded.
    """

    __slots__ = ("_aims", "_charity", "_given", "_leads", "_turns")

    def __init__(self, t: CharidiceTable, seat: int, aims: Aims) -> None:
        self._aims = aims
        self._given = sum(t.given[seat])
        self._turns = ROUNDS - 1 - len(t.given[seat])
        self._charity = charity(self._turns)
        self._leads = [self._lead(given) for other, given in enumerate(t.given) if other != seat]

    def _lead(self, given: list[int]) -> tuple[int, int]:
        """Return by how much a rival is led if nothing is given now, and how many turns decide."""
        turns = ROUNDS - len(given)
        ahead = self._given - sum(given) + TURN_GIVES * (self._turns - turns)
        return ahead + _REACH, self._turns + turns

    def worth(self, gift: int, doubt: int = 0) -> float:
        """Return what a gift is worth; ``doubt`` counts the turns by which it is unsure itself."""
        bonus = self._aims.charity * self._charity[self._given + gift]
        for ahead, turns in self._leads:
            bonus *= lead(turns + doubt)[ahead + gift]
        return bonus - self._aims.cost * gift


@cache
def lead(turns: int) -> tuple[float, ...]:
    """Return the chance not to be passed in so many turns, by how far one is ahead + ``_REACH``."""
    return tuple([_surely(ahead, turns) for ahead in range(-_REACH, _REACH + 1)])


@cache
def charity(turns: int) -> tuple[float, ...]:
    """Return the expected bonus of who gives most, by what it has given with ``turns`` to come."""
    missing = [GREAT_GIVING + 1 - given - TURN_GIVES * turns for given in range(_REACH)]
    more = GREAT_CHARITY - CHARITY
    return tuple([CHARITY + more * _surely(-points, turns) for points in missing])


def _surely(ahead: int, turns: int) -> float:
    """Return the chance that a lead of ``ahead`` points is none below 0 after some turns."""
    if not turns:
        return float(ahead >= 0)
    return 0.5 + 0.5 * erf((ahead + 0.5) / (TURN_SPREAD * sqrt(2 * turns)))
