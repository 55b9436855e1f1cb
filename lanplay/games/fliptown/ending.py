"""End and scoring, titles, challenges (FT-10)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from lanplay.games.fliptown.cowbot import extras, rival_score
from lanplay.games.fliptown.map import (
    ALL_CIRCLED,
    BADLANDS,
    CEMETERY,
    HOTEL_STARS,
    KIND_BITS,
    MINE,
    REGIONS,
    ROOM_REWARDS,
    SILVER,
    STAR_GABLES,
    STOP_REWARDS,
    TOWN,
    TRAIL,
)
from lanplay.games.fliptown.poker import FOUR, PAIR
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import ROUNDS
from lanplay.games.fliptown.table import FliptownTable as Table

CASH_PER_POINT, GOLD_PER_POINT = 4, 2
SCORE_BOUNDS: Final = (50, 60, 70, 80)
WANTED_BOUNDS: Final = (4, 7, 10, 14)
TITLE_STEP: Final = 5
LEGENDARY: Final = len(SCORE_BOUNDS)
GOLD_ROOMS: Final = sum([1 << r for r, goods in enumerate(ROOM_REWARDS) if "gold" in dict(goods)])
SILVER_ROOMS: Final = sum([1 << room for room, _ in SILVER])
STAR_STOPS: Final = sum([1 << p for p, goods in STOP_REWARDS.items() if "stars" in dict(goods)])


def silver(s: Sheet) -> int:
    """Return the silver stars of the Mine and the Hotel (FT-6, FT-7)."""
    return HOTEL_STARS[s.hotel] + mined_silver(s)


def mined_silver(s: Sheet) -> int:
    """Return the silver stars of the Mine (FT-7)."""
    mined = s.circled[MINE]
    if not mined & SILVER_ROOMS:
        return 0
    return sum([s.count(region) for room, region in SILVER if mined >> room & 1])


def sources(s: Sheet) -> dict[str, int]:
    """Return a seat's points by source (FT-10.1)."""
    return {
        "cash": s.cash // CASH_PER_POINT,
        "gold": s.gold // GOLD_PER_POINT,
        "stars": s.stars,
        "silver": silver(s),
    }


def ending(t: Table) -> None:
    """Count, and tell who has won (FT-10)."""
    t.scores = [sum(sources(s).values()) for s in t.sheets]
    if t.cowbot >= 0:
        t.rival = rival_score(t)
    if t.log is not None:
        _tell(t)


def _tell(t: Table) -> None:
    for seat, s in enumerate(t.sheets):
        t.log_event("final", seat=seat, score=t.scores[seat], **sources(s))
        first, second = title(t, seat)
        t.log_event("titled", seat=seat, title=first, second=second)
    if t.cowbot >= 0:
        t.log_event("rival", cowbot=t.cowbot, score=t.rival)
    if t.seats == 1:
        t.log_event("met", seat=0, challenges=challenges(t))
    found = winners(t)
    t.log_event("wins" if found else "nobody-wins", seats=found, score=max(t.scores))


def winners(t: Table) -> tuple[int, ...]:
    """Return who has won (FT-10.1): nobody, if a cowbot has as many points (FT-9.4)."""
    if t.cowbot >= 0:
        return (0,) if t.scores[0] > t.rival else ()
    keys = [(t.scores[seat], -s.wanted, s.gold, s.cash) for seat, s in enumerate(t.sheets)]
    return tuple([seat for seat, key in enumerate(keys) if key == max(keys)])


def title(t: Table, seat: int) -> tuple[int, int]:
    """Return the places of a seat's two words in the lists of FT-10.2, from 0."""
    s = t.sheets[seat]
    more = TITLE_STEP * ((s.character >= 0) + (t.options.holdem != "none"))
    return bisect_right(SCORE_BOUNDS, t.scores[seat] - more), bisect_right(WANTED_BOUNDS, s.wanted)


_MET: Final[dict[int, Callable[[Table, Sheet], bool]]] = {
    1: lambda t, s: all(s.count(region) >= 6 for region in REGIONS),
    2: lambda t, s: s.pans + s.hammers >= 7,
    3: lambda t, s: s.wanted == 0,
    4: lambda t, s: s.circled[MINE] & GOLD_ROOMS == GOLD_ROOMS,
    5: lambda t, s: s.circled[TRAIL] & STAR_STOPS == STAR_STOPS,
    6: lambda t, s: s.circled[TOWN] & STAR_GABLES == STAR_GABLES,
    7: lambda t, s: all(s.circled[BADLANDS] & kind for kind in KIND_BITS),
    8: lambda t, s: s.circled[CEMETERY] == ALL_CIRCLED[CEMETERY],
    9: lambda t, s: max(s.ranks, default=0) >= FOUR,
    10: lambda t, s: not s.ever_wanted,
    11: lambda t, s: s.cash >= 30 and s.gold >= 15,
    12: lambda t, s: len(s.ranks) == ROUNDS and min(s.ranks) > PAIR,
    13: lambda t, s: s.wanted <= 5 and not s.arrests,
    14: lambda t, s: t.options.level == "easy" and _beaten(t),
    15: lambda t, s: t.options.level == "hard" and _beaten(t),
    16: lambda t, s: t.cowbot >= 0 and len(t.stolen) <= 1,
    17: lambda t, s: s.wanted >= 20,
    18: lambda t, s: silver(s) >= 24,
    19: lambda t, s: any(s.circled[region] == ALL_CIRCLED[region] for region in REGIONS),
    20: lambda t, s: title(t, 0)[0] == LEGENDARY,
}


def _beaten(t: Table) -> bool:
    return t.cowbot >= 0 and t.scores[0] > t.rival


def challenges(t: Table) -> tuple[int, ...]:
    """Return the numbers of the solo challenges that a finished game meets (FT-10.3).

    14 is named when a cowbot was beaten on easy; it takes all four of them over several games.
    """
    return tuple([number for number, met in _MET.items() if met(t, t.sheets[0])])


__all__ = ["challenges", "ending", "extras", "silver", "sources", "title", "winners"]
