"""What a position of Charidice is worth: a turn under way exactly over its dice (``turns``).

Twice: the share of the win if its seat plays for that, and the points if it plays for points.
"""

from __future__ import annotations

from functools import lru_cache, partial
from math import exp, fsum
from typing import Any

from lanplay.engine.requests import OpenRoll
from lanplay.games.charidice.questions import Demand, Reroll
from lanplay.games.charidice.table import ROUNDS, CharidiceTable
from lanplay_ai.charidice.optimum import optimum
from lanplay_ai.charidice.players import Worths, doubting, to_give, to_win
from lanplay_ai.charidice.prospects import SOON, CharidiceProspects
from lanplay_ai.charidice.turns import BestTurn
from lanplay_ai.values import FeatureValues, ValuedPosition, Worth

_TO_SCORE = partial(to_give, weight=1.0)


def features(t: CharidiceTable, active: int = -1) -> tuple[list[list[float]], float]:
    """Return what every seat has and may expect, and how much of the game is over.

    The present turn of the seat ``active`` is left out.
    """
    left = [ROUNDS - len(given) - (seat == active) for seat, given in enumerate(t.given)]
    prospects = CharidiceProspects(t, active)
    rows = [
        [
            t.total(seat)
            + optimum(0).value * left[seat]
            + prospects.charity(seat, 0) * (seat != active),
            float(left[seat - 1]),
            t.greatest[seat] * (1 - exp(-left[seat - 1] / SOON)),
        ]
        for seat in range(t.seats)
    ]
    return rows, 1 - fsum(left) / ROUNDS / t.seats


class CharidiceValues(FeatureValues):
    """Who is active by the best turns from here; the others share what is left of the win."""

    foresees = True

    def __init__(self) -> None:
        super().__init__("charidice", features)
        self._turn = lru_cache(16)(self._turn_of)
        self._table: CharidiceTable | None = None

    def worths(self, position: ValuedPosition) -> list[Worth]:
        """Return shares and points (see ``Values``)."""
        t: CharidiceTable = position.table
        shares, points = CharidiceProspects(t).shares(), self.points(*self.features(t))
        seat = t.active
        if seat >= 0 and len(t.given[seat]) < t.round:  # its turn is not over
            own = min(max(self._active(position, t, to_win), 0.0), 1.0)
            rest = fsum([share for other, share in enumerate(shares) if other != seat])
            if rest <= 0:
                rest, shares = t.seats - 1.0, [1.0] * t.seats
            shares = [(1 - own) * share / rest for share in shares]
            shares[seat] = own
            later = self.points(*self.features(t, seat))[seat]
            points[seat] = later + self._active(position, t, _TO_SCORE)
        return [Worth(*each) for each in zip(shares, points, strict=True)]

    def _active(self, position: ValuedPosition, t: CharidiceTable, worths: Worths) -> float:
        self._table = t
        key = (
            worths,
            t.round,
            t.active,
            t.demanded,
            tuple(t.greatest),
            tuple([(t.total(s), sum(t.given[s]), len(t.given[s])) for s in range(t.seats)]),
        )
        request = position.request
        if isinstance(request, OpenRoll):
            if not t.rolls:
                return self._turn(key, settled=False).worth
            mask: int = position.history[-1][0]  # type: ignore[index,assignment]  # what it rolls
            turn = self._turn(key, settled=t.rolls > 1)
            return turn.rerolls(t.dice, t.rolls)[mask]
        question = next(iter(request.questions.values()))  # type: ignore[union-attr]  # it asks
        if isinstance(question, Reroll):
            return self._turn(key, settled=t.rolls > 1).again(t.dice, t.rolls)[1]
        if isinstance(question, Demand):
            return self._turn(key, settled=False).again(t.dice, t.rolls)[1]
        return self._turn(key, settled=True).set(t.dice)[1]

    def _turn_of(self, key: tuple[Any, ...], *, settled: bool) -> BestTurn:
        t = self._table
        assert t is not None, "the turn is of a table"
        return BestTurn(doubting(key[0], t, t.active, settled))


VALUES = CharidiceValues()
