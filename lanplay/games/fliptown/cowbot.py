"""The cowbots: thefts and their score (FT-9.4, FT-9.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lanplay.engine.requests import Rules
from lanplay.games.fliptown.cards import CLUB, DIAMOND, HEART, SPADE, suit
from lanplay.games.fliptown.deck import draw
from lanplay.games.fliptown.map import (
    BADLANDS,
    GABLES,
    MINE,
    PLACES,
    ROOM_REWARDS,
    SITES,
    STOP_REWARDS,
    TARGETS,
    TOWN,
    TRAIL,
)
from lanplay.games.fliptown.sheet import (
    GAINED_BONUS,
    GAINED_CASH,
    GAINED_GOLD,
    GAINED_STAR,
    GAINED_WANTED,
)
from lanplay.games.fliptown.table import FliptownTable as Table

STEALS_ON: Final = {
    DIAMOND: GAINED_GOLD,
    CLUB: GAINED_BONUS,
    HEART: GAINED_STAR,
    SPADE: GAINED_WANTED,
}
ROWS: Final = {
    DIAMOND: (MINE, TOWN, BADLANDS, TRAIL),
    CLUB: (TOWN, MINE, TRAIL, BADLANDS),
    HEART: (TRAIL, BADLANDS, TOWN, MINE),
    SPADE: (BADLANDS, TRAIL, MINE, TOWN),
}
"""The regions with coefficients 4, 3, 2 and 1, by the suit of the cowbot."""
PRINTED: Final = {
    TRAIL: {place: dict(STOP_REWARDS[place]).get("stars", 0) for place in PLACES[TRAIL]},
    BADLANDS: {place: TARGETS[place][1] for place in PLACES[BADLANDS]},
    MINE: {place: dict(ROOM_REWARDS[place]).get("stars", 0) for place in PLACES[MINE]},
    TOWN: {place: dict(GABLES.get(place, ())).get("stars", 0) for place in PLACES[TOWN]},
}
"""The stars printed on each site, by region."""
COEFFICIENTS: Final = (4, 3, 2, 1)
LEVELS: Final[Mapping[str, int]] = {"easy": 1, "normal": 2, "hard": 3}
"""Points per stolen card; one row more than that counts."""
EXTRA: Final = 5
"""With a character, and again with hold 'em."""


def theft(t: Table) -> Rules[None]:
    """Let the cowbot steal a card, if what the turn brought calls it (FT-9.4, FT-9.6)."""
    if not calls(t):
        return
    cards = yield from draw(t, 1)
    t.stolen += cards
    t.log_event("steals", cowbot=t.cowbot, amount=len(t.stolen))


def calls(t: Table) -> bool:
    """Tell whether the turn of the only seat calls the cowbot."""
    s, lineup = t.sheets[0], t.lineup()
    suits = [suit(face) for face in lineup]
    if s.assigned >= 0:
        suits[s.assigned] = s.counted
    return t.cowbot in suits and s.gained & wanted(t) != 0


def wanted(t: Table) -> int:
    """Return what the cowbot steals on; of Calamity Jane the printings differ (FT-9.4)."""
    return GAINED_CASH if t.cowbot == HEART and t.options.jane == "cash" else STEALS_ON[t.cowbot]


def rival_score(t: Table) -> int:
    """Return the score of the cowbot (FT-9.4)."""
    level = LEVELS[t.options.level]
    rows = zip(COEFFICIENTS[: level + 1], ROWS[t.cowbot], strict=False)
    score = level * len(t.stolen)
    score += sum([factor * _left(t, region) for factor, region in rows])
    return score + EXTRA * extras(t)


def _left(t: Table, region: int) -> int:
    """Return what the sites of a region that are not circled count: one each, or their stars."""
    s = t.sheets[0]
    if t.options.rows == "sites":
        return SITES[region] - s.count(region)
    return sum([n for place, n in PRINTED[region].items() if not s.circled[region] >> place & 1])


def extras(t: Table) -> int:
    """Return 1 for a character and 1 for hold 'em."""
    return (t.sheets[0].character >= 0) + (t.options.holdem != "none")
