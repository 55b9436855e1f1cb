"""What a position of Charidice is worth: a turn under way exactly over its dice (``turns``)."""

from __future__ import annotations

from functools import lru_cache
from math import fsum

from lanplay.engine.requests import OpenRoll
from lanplay.games.charidice.questions import Demand, Reroll
from lanplay.games.charidice.table import CharidiceTable
from lanplay_ai.charidice.players import doubting, to_win
from lanplay_ai.charidice.prospects import CharidiceProspects
from lanplay_ai.charidice.turns import BestTurn
from lanplay_ai.values import ValuedPosition


class CharidiceValues:
    """The share of who is active by the best turn from here; the others share what is left."""

    foresees = True

    def __init__(self) -> None:
        self._turn = lru_cache(8)(self._turn_of)
        self._table: CharidiceTable | None = None

    def shares(self, position: ValuedPosition) -> list[float]:
        """Return every seat's share of the win (see ``Values``)."""
        t: CharidiceTable = position.table
        shares = CharidiceProspects(t).shares()
        seat = t.active
        if seat < 0 or len(t.given[seat]) >= t.round:  # its turn is over
            return shares
        own = min(max(self._active(position, t), 0.0), 1.0)
        rest = fsum([share for other, share in enumerate(shares) if other != seat])
        if rest <= 0:
            rest, shares = t.seats - 1.0, [1.0] * t.seats
        return [
            own if other == seat else (1 - own) * share / rest for other, share in enumerate(shares)
        ]

    def _active(self, position: ValuedPosition, t: CharidiceTable) -> float:
        self._table = t
        key = (
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

    def _turn_of(self, key: object, *, settled: bool) -> BestTurn:
        t = self._table
        assert t is not None, "the turn is of a table"
        return BestTurn(doubting(to_win, t, t.active, settled))


VALUES = CharidiceValues()
