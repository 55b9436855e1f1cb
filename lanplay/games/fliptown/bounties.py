"""The twelve bounties: what each asks for, and paying them (FT-9.1)."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Final

from lanplay.games.fliptown.map import (
    BADLANDS,
    CEMETERY,
    CENTRE,
    KIND_BITS,
    MINE,
    REGIONS,
    STAR_GABLES,
    TOWN,
    TRAIL,
)
from lanplay.games.fliptown.sheet import (
    BANDANA,
    HUNTS,
    OUTLAWED,
    PICKAXE,
    PISTOL,
    RICH,
    TRAIL_HORSE,
    UNDERTAKER,
    Sheet,
)
from lanplay.games.fliptown.table import FliptownTable as Table

FIRST, LATER = 7, 4
"""Stars for those who meet a bounty first, and later."""
DRAWN: Final = 3
SITES, TOOLS, MINED, STONES, OUTLAWS, ITEMS = 4, 5, 9, 5, 2, 4
BONUS_STOPS: Final = 1 << 3 | 1 << 6 | 1 << 9 | 1 << 12
ALL_REGIONS: Final = (1 << len(REGIONS)) - 1
OWNED: Final = TRAIL_HORSE | UNDERTAKER | BANDANA | PICKAXE | PISTOL
HUNTED: Final = sum(HUNTS)
CHICKENS, CATTLE, COACH, TRAIN = KIND_BITS
END: Final = 1 << 13
"""The last stop of the Trail."""


MET: Final[tuple[Callable[[Sheet], bool], ...]] = (
    lambda s: (
        s.count(TRAIL) >= SITES
        and s.count(BADLANDS) >= SITES
        and s.count(MINE) >= SITES
        and s.count(TOWN) >= SITES
    ),
    lambda s: s.circled[TRAIL] & BONUS_STOPS == BONUS_STOPS,
    lambda s: s.pans + s.hammers >= TOOLS,
    lambda s: s.circled[TOWN] & STAR_GABLES == STAR_GABLES,
    lambda s: s.mined >= MINED,
    lambda s: (
        s.circled[BADLANDS] & CHICKENS != 0
        and s.circled[BADLANDS] & CATTLE != 0
        and s.circled[BADLANDS] & COACH != 0
        and s.circled[BADLANDS] & TRAIN != 0
    ),
    lambda s: (s.circled[CEMETERY] & ~(1 << CENTRE)).bit_count() >= STONES,
    lambda s: s.circled[TRAIL] & END != 0 or (s.items & HUNTED).bit_count() >= OUTLAWS,
    lambda s: s.moments & OUTLAWED != 0,
    lambda s: (s.pans > 0) + (s.hammers > 0) + (s.items & OWNED).bit_count() >= ITEMS,
    lambda s: s.moments & RICH != 0,
    lambda s: s.bonuses == ALL_REGIONS,
)
"""Whether a seat meets each bounty, in the order of FT-9.1; once it does, it does for good."""
EVERY: Final = range(len(MET))
RICHES: Final = 10
BY_PAY: Final = (RICHES,)
"""The bounty that can be met between turns, when only dollars, gold and stars come in."""


def settle(t: Table, bounties: Container[int] = EVERY) -> None:
    """Pay those of the bounties that have been met since the last time (FT-9.1).

    That is at the end of a turn or phase. Only the ones named are looked at.
    """
    for place, bounty in enumerate(t.bounties):
        if bounty in bounties:
            bit, met = 1 << place, MET[bounty]
            meeting = [seat for seat, s in enumerate(t.sheets) if met(s) and not s.bounties & bit]
            if meeting:
                _pay(t, bounty, bit, meeting)


def _pay(t: Table, bounty: int, bit: int, meeting: Sequence[int]) -> None:
    stars = LATER if t.taken & bit else FIRST
    t.taken |= bit
    for seat in meeting:
        t.sheets[seat].bounties |= bit
        t.sheets[seat].gain_stars(stars)
        t.log_event("bounty", seat=seat, bounty=bounty, amount=stars)
