"""How far a seat is from meeting each bounty, and what that promises (FT-9.1)."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from operator import attrgetter
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
from lanplay.games.fliptown.map import (
    BADLANDS,
    CEMETERY,
    KIND_BITS,
    REGIONS,
    STAR_GABLES,
    TOWN,
    TRAIL,
)
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


HANGS_ON: Final[tuple[Callable[[Sheet], object], ...]] = (
    lambda s: tuple([each.bit_count() for each in s.circled[:4]]),
    lambda s: s.circled[TRAIL],
    attrgetter("pans", "hammers"),
    lambda s: s.circled[TOWN],
    attrgetter("mined"),
    lambda s: s.circled[BADLANDS],
    lambda s: s.circled[CEMETERY],
    lambda s: (s.circled[TRAIL], s.items),
    attrgetter("wanted", "moments"),
    attrgetter("pans", "hammers", "items"),
    attrgetter("gold", "cash", "moments"),
    attrgetter("bonuses"),
)
"""All of a sheet on which it hangs how far each bounty is, and whether it is met."""


class Prospects:
    """What the bounties not yet paid to a seat promise it: each case is worked out once.

    ``hopes`` tells whether those that are not far count too, or only those that are met.
    """

    def __init__(self, t: FliptownTable, seat: int, left: int, *, hopes: bool) -> None:
        self._left = left
        self._hopes = hopes
        self._bounties: list[tuple[int, int, Callable[[Sheet], object], dict[object, float]]] = []
        for place, bounty in enumerate(t.bounties):
            if not t.sheets[seat].bounties >> place & 1:
                stars = LATER if t.taken >> place & 1 else FIRST
                self._bounties.append((bounty, stars, HANGS_ON[bounty], {}))

    def worth(self, s: Sheet) -> float:
        """Return what they promise a sheet."""
        worth = 0.0
        for bounty, stars, hangs_on, known in self._bounties:
            case = hangs_on(s)
            promised = known.get(case)
            if promised is None:
                promised = known[case] = self._promised(s, bounty, stars)
            worth += promised
        return worth

    def _promised(self, s: Sheet, bounty: int, stars: int) -> float:
        if MET[bounty](s):
            return stars
        if self._hopes and 0 < (missing := MISSING[bounty](s)) <= self._left:
            return stars * NEARER**missing
        return 0.0
