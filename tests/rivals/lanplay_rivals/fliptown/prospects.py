"""How far a seat is from meeting each bounty, and what that promises (FT-9.1)."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Final

from lanplay.games.fliptown.bounties import (
    BONUS_STOPS,
    FIRST,
    ITEMS,
    LATER,
    MET,
    MINED,
    OUTLAWS,
    OWNED,
    SITES,
    STONES,
    TOOLS,
)
from lanplay.games.fliptown.map import KIND_BITS, REGIONS, STAR_GABLES, TOWN, TRAIL
from lanplay.games.fliptown.sheet import (
    CASH_AT_A_TIME,
    GOLD_AT_A_TIME,
    HUNTS,
    WANTED_AT_A_TIME,
    Sheet,
)
from lanplay.games.fliptown.table import FliptownTable

NEVER: Final = 99
NEARER: Final = 0.6
"""What a bounty promises with one step more to go, of what it does without."""
A_STEP: Final = {"gold": 4, "cash": 7, "wanted": 3, "mined": 3}
"""What a good turn brings of each, roughly."""


def _stops(s: Sheet) -> int:
    passed = (1 << s.trail + 1) - 1
    missing = BONUS_STOPS & ~s.circled[TRAIL]
    return NEVER if missing & passed else missing.bit_count()


def _items(s: Sheet) -> int:
    return ITEMS - (s.pans > 0) - (s.hammers > 0) - (s.items & OWNED).bit_count()


def _outlaws(s: Sheet) -> int:
    hunted = OUTLAWS - sum([s.owns(hunt) for hunt in HUNTS])
    return min(hunted, ceil((13 - s.trail) / 5))


def _riches(s: Sheet) -> int:
    by_gold = ceil((GOLD_AT_A_TIME - s.gold) / A_STEP["gold"])
    return min(by_gold, ceil((CASH_AT_A_TIME - s.cash) / A_STEP["cash"]))


MISSING: Final[tuple[Callable[[Sheet], int], ...]] = (
    lambda s: sum([max(0, SITES - s.count(region)) for region in REGIONS[:4]]),
    _stops,
    lambda s: TOOLS - s.pans - s.hammers,
    lambda s: (STAR_GABLES & ~s.circled[TOWN]).bit_count(),
    lambda s: ceil((MINED - s.mined) / A_STEP["mined"]),
    lambda s: sum([not s.circled[1] & kind for kind in KIND_BITS]),
    lambda s: STONES + 1 - s.count(4),
    _outlaws,
    lambda s: ceil((WANTED_AT_A_TIME - s.wanted) / A_STEP["wanted"]),
    _items,
    _riches,
    lambda s: len(REGIONS) - s.bonuses.bit_count(),
)
"""About how many steps each bounty is away, in the order of FT-9.1; ``NEVER`` if it is lost."""


class Prospects:
    """What the bounties of a game promise to a seat."""

    def __init__(self, t: FliptownTable, left: int) -> None:
        self._left = left
        self._bounties = [
            (1 << place, bounty, LATER if t.taken >> place & 1 else FIRST)
            for place, bounty in enumerate(t.bounties)
        ]

    def met(self, s: Sheet) -> float:
        """Return the stars that a sheet is due for bounties met and not yet paid."""
        return float(
            sum([stars for bit, at, stars in self._bounties if not s.bounties & bit and MET[at](s)])
        )

    def worth(self, s: Sheet) -> float:
        """Return the stars due, and a part of those that are not far."""
        worth = 0.0
        for bit, bounty, stars in self._bounties:
            if s.bounties & bit:
                continue
            if MET[bounty](s):
                worth += stars
            elif 0 < (missing := MISSING[bounty](s)) <= self._left:
                worth += stars * NEARER**missing
        return worth
