"""What is at stake while dice are kept: worked out once a round, for all bots of a profile."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import Final

from lanplay.engine.fast_value import FastValue
from lanplay.games.dice_town.poker import DICE
from lanplay.games.dice_town.questions import price
from lanplay.games.dice_town.table import DiceTownTable
from lanplay_rivals.dice_town.odds import hall_worths
from lanplay_rivals.dice_town.profiles import DiceTownProfile
from lanplay_rivals.dice_town.worth import SCALES, dice_price, row_worth

Rests = list[list[list[float]]]
"""What the dice that go back are worth less the price, by dice under the cup, dollars and kept."""
ENOUGH: Final = -1
"""The place in ``Rests`` of dollars enough for any dice."""


@lru_cache(maxsize=256)
def rests(freedom: float, dollar: float, brutes: int, option: str) -> Rests:
    """Return what rests are worth where a die that goes back and a dollar are worth so much."""
    return [
        [
            [
                freedom * (dice - kept) - dollar * cost if cost <= dollars else -inf
                for kept in range(dice + 1)
                for cost in [price(kept, brutes, option)]
            ]
            for dollars in range(DICE + 1)
        ]
        for dice in range(DICE + 1)
    ]


class KeepStakes(FastValue):
    """What keeping dice is about at a table, for the bots of a profile: alike in a whole round.

    ``scales`` are those of the locations, ``looting`` the same with loot for the seat. ``claims``
    are what the first claims of the row are worth together, ``hall`` what the Town Hall is by the
    number of the dice, ``dollar`` what a dollar for dice is, ``rests`` what rests are without
    Brutes.
    """

    __slots__: Final = (
        "table",
        "round",
        "sold_out",
        "scales",
        "looting",
        "claims",
        "hall",
        "dollar",
        "rests",
    )

    def __init__(self, p: DiceTownProfile, t: DiceTownTable, sold_out: bool) -> None:
        self.table: Final = t
        self.round: Final = t.round
        self.sold_out: Final = sold_out
        mine, bank, store, saloon, badge = [each(t, p) for each in SCALES]
        if sold_out:
            store = 0.0
        self.scales: Final = [mine, bank, store, 0.0, badge, 0.0]
        self.looting: Final = [mine, bank, store, saloon, badge, 0.0]
        self.claims: Final = row_worth(t, p)
        self.hall: Final = hall_worths(t.seats - 1, self.claims)
        self.dollar: Final = dice_price(t, p)
        self.rests: Final = rests(p.freedom, self.dollar, 0, "free")


_LATEST: Final[dict[DiceTownProfile, KeepStakes]] = {}


def stakes_of(p: DiceTownProfile, t: DiceTownTable) -> KeepStakes:
    """Return the stakes of the round under way; those asked for last are kept for each profile.

    Nothing that they depend on changes while dice are kept, but whether the Store is sold out.
    """
    sold_out = not (t.deck or t.discards)
    latest = _LATEST.get(p)
    if (
        latest is None
        or latest.table is not t
        or latest.round != t.round
        or latest.sold_out != sold_out
    ):
        latest = _LATEST[p] = KeepStakes(p, t, sold_out)
    return latest
