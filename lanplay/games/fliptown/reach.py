"""Which sites a seat can visit, and for how much gold (FT-2.3 to FT-2.5, FT-8.1).

What can be reached hangs on a few small numbers, the same again and again: it is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from operator import itemgetter
from typing import Final

from lanplay.games.fliptown.cards import KING
from lanplay.games.fliptown.codes import NO
from lanplay.games.fliptown.map import (
    BADLANDS,
    CEMETERY,
    EDGES,
    MINE,
    PICKAXE,
    PLACES,
    TOWN,
    TRAIL,
    site,
)
from lanplay.games.fliptown.map import TRAIL_HORSE as HORSE_STEPS
from lanplay.games.fliptown.sheet import PICKAXE as OWN_PICKAXE
from lanplay.games.fliptown.sheet import TRAIL_HORSE, Sheet

Prices = tuple[tuple[int, ...], tuple[int, ...]]
"""Sites, and the price of each in gold; the cheapest come first."""
_TOOL = {TRAIL: TRAIL_HORSE, BADLANDS: 0, MINE: OWN_PICKAXE, TOWN: 0}
"""What changes the value card in a region."""
FARTHEST: Final = 12
"""No two cards are farther apart; of values shifted either way one is no farther."""


def open_sites(s: Sheet, region: int) -> tuple[int, ...]:
    """Return the sites of a region that may be visited, whatever the value (FT-2.4, FT-8.1)."""
    return _open_sites(region, _matters(region, s.circled[region]))


@cache
def _open_sites(region: int, circled: int) -> tuple[int, ...]:
    return tuple(
        [site(region, place) for place in PLACES[region] if _is_open(region, circled, place)]
    )


def _is_open(region: int, circled: int, place: int) -> bool:
    if region == TOWN:
        return True
    if region == TRAIL:
        return circled >> place == 0
    return not circled >> place & 1 and (region != MINE or len(_edges(circled, place)) > 0)


def _edges(circled: int, room: int) -> list[tuple[int, int]]:
    """Return the values, lowest and highest, of each way into a room."""
    return [(low, high) for source, low, high in EDGES[room] if source < 0 or circled >> source & 1]


def _steps(region: int, circled: int, place: int, value: int, tool: bool) -> int:
    """Return how many steps the value is short of an open place (FT-2.5).

    ``value`` may lie beyond ace or king as long as the end value does not; ``tool`` is the trail
    horse or the pickaxe, used as is best.
    """
    if region == TRAIL:
        return max(0, place - value - (HORSE_STEPS if tool else 0), value - KING)
    if region == MINE:
        values = (value, value + PICKAXE, value - PICKAXE) if tool else (value,)
        edges = _edges(circled, place)
        return min([max(low - each, each - high, 0) for low, high in edges for each in values])
    return abs(place - value)


def reach(s: Sheet, region: int, value: int, gold: int) -> Prices:
    """Return the sites of a region within ``gold`` steps of a value."""
    circled = s.circled[region]
    if gold > FARTHEST:
        gold = FARTHEST
    if region == BADLANDS:
        lowest = value - gold if value > gold else 0
        circled &= (1 << max(value + gold + 1, 0)) - (1 << lowest)
    return _reach(region, _matters(region, circled), value, s.items & _TOOL[region] != 0, gold)


def _matters(region: int, circled: int) -> int:
    """Return what of the circled sites matters: the last stop on the Trail, in Town nothing.

    So there are few cases to keep.
    """
    if region == TRAIL:
        return 1 << circled.bit_length() >> 1
    return 0 if region == TOWN else circled


@lru_cache(1 << 13)
def _reach(region: int, circled: int, value: int, tool: bool, gold: int) -> Prices:
    found = []
    for where in _open_sites(region, circled):
        price = _steps(region, circled, where % 16, value, tool)
        if price <= gold:
            found.append((where, price))
    found.sort(key=itemgetter(1))
    return tuple([where for where, _ in found]), tuple([price for _, price in found])


def price(s: Sheet, where: int, value: int) -> int:
    """Return what an open site costs in gold, not in the Cemetery."""
    region, place = divmod(where, 16)
    return _steps(region, s.circled[region], place, value, s.items & _TOOL[region] != 0)


def reach_by(s: Sheet, region: int, values: Iterable[int], gold: int) -> dict[int, int]:
    """Return the sites of a region within ``gold`` steps of one of ``values``, with the price."""
    found: dict[int, int] = {}
    for value in values:
        for where, steps in zip(*reach(s, region, value, gold), strict=True):
            found[where] = min(steps, found.get(where, steps))
    return dict(sorted(found.items()))


@cache
def _stones(circled: int) -> Prices:
    stones = _open_sites(CEMETERY, circled)
    return (*stones, NO), (0,) * (len(stones) + 1)


def stones(s: Sheet) -> Prices:
    """Return the free tombstones, which cost nothing, and ``NO``."""
    return _stones(s.circled[CEMETERY])
