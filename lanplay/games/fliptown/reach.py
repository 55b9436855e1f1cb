"""Which sites a seat can visit, and for how much gold (FT-2.3 to FT-2.5, FT-8.1)."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.games.fliptown.map import (
    BADLANDS,
    CEMETERY,
    EDGES,
    MINE,
    PICKAXE,
    PLACES,
    TOWN,
    TRAIL,
)
from lanplay.games.fliptown.map import TRAIL_HORSE as HORSE_STEPS
from lanplay.games.fliptown.sheet import PICKAXE as OWN_PICKAXE
from lanplay.games.fliptown.sheet import TRAIL_HORSE, Sheet


def open_places(s: Sheet, region: int) -> Sequence[int]:
    """Return the places of a region that may be visited, whatever the value (FT-2.4, FT-8.1)."""
    circled = s.circled[region]
    if region == TOWN:
        return PLACES[TOWN]
    if region == TRAIL:
        return range(s.trail + 1, 14)
    if region == MINE:
        return [room for room in PLACES[MINE] if not circled >> room & 1 and _entered(s, room)]
    return [place for place in PLACES[region] if not circled >> place & 1]


def _entered(s: Sheet, room: int) -> bool:
    circled = s.circled[MINE]
    return any(source < 0 or circled >> source & 1 for source, _, _ in EDGES[room])


def steps(s: Sheet, region: int, place: int, value: int) -> int:
    """Return how many steps the value card is short of an open place (FT-2.5).

    ``value`` may lie beyond ace or king as long as the end value does not. Tools of the region are
    used as is best.
    """
    if region == TRAIL:
        return max(0, place - value - (HORSE_STEPS if s.items & TRAIL_HORSE else 0))
    if region == MINE:
        values = (value, value + PICKAXE, value - PICKAXE) if s.items & OWN_PICKAXE else (value,)
        return min([_to_room(s.circled[MINE], place, each) for each in values])
    if region == CEMETERY:
        return 0
    return abs(place - value)


def _to_room(circled: int, room: int, value: int) -> int:
    return min(
        [
            low - value if value < low else value - high if value > high else 0
            for source, low, high in EDGES[room]
            if source < 0 or circled >> source & 1
        ]
    )


def reach(s: Sheet, region: int, values: Sequence[int], gold: int) -> dict[int, int]:
    """Return the places of a region within ``gold`` steps of one of ``values``, with the price."""
    found = {}
    for place in open_places(s, region):
        price = min([steps(s, region, place, value) for value in values])
        if price <= gold:
            found[place] = price
    return found


__all__ = ["BADLANDS", "open_places", "reach", "steps"]
