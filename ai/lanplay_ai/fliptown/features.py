"""What the worth of a sheet hangs on: the features of a seat's state, by name."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

from lanplay.games.fliptown.cards import number, suit
from lanplay.games.fliptown.map import (
    ALL_CIRCLED,
    BADLANDS,
    CEMETERY,
    EDGES,
    KIND_BITS,
    MINE,
    PAIRS,
    PLACES,
    TRAIL,
)
from lanplay.games.fliptown.sheet import BANDANA, PISTOL, RIFLE, SHOVEL, TRAIL_HORSE, UNDERTAKER

HINGES = {
    "cash": (2, 4, 6, 8, 12, 16, 24),
    "gold": (1, 2, 4, 6, 8, 12, 20),
    "wanted": (2, 4, 6, 8, 10, 13, 18),
    "pans": (4,),
    "hammers": (4,),
}
"""Bounds of the counters: a counter stands for what of it lies below each bound."""
TOOLS = BANDANA | PISTOL | RIFLE | UNDERTAKER | SHOVEL | TRAIL_HORSE
"""Items whose worth hangs on what is left for them."""
HAND = 5
ACE_HIGH = 14


@cache
def region_features(region: int, circled: int) -> tuple[str, ...]:
    """Return the features of what is circled in a region."""
    if region == TRAIL:
        return (f"trail {max(circled.bit_length() - 1, 0)}",)
    found = [f"{region} {place}" for place in PLACES[region] if circled >> place & 1]
    if region == BADLANDS:
        left = [(kind & ~circled).bit_count() for kind in KIND_BITS]
        found += [f"kind {kind} {count}" for kind, count in enumerate(left)]
    elif region == MINE:
        found += [f"open {room}" for room in PLACES[MINE] if _is_open(circled, room)]
    elif region == CEMETERY:
        halves = [place for place, (pair, _) in enumerate(PAIRS) if 0 < circled & pair < pair]
        found += [f"pair {place}" for place in halves]
        found += ["stones"] * (circled == ALL_CIRCLED[CEMETERY])
    return tuple(found)


def _is_open(circled: int, room: int) -> bool:
    ways = [source < 0 or circled >> source & 1 for source, _, _ in EDGES[room]]
    return not circled >> room & 1 and any(ways)


@cache
def owned_features(items: int, hotel: int, land: int) -> tuple[str, ...]:
    """Return the features of what a seat owns."""
    found = [f"item {item}" for item in range(items.bit_length()) if items >> item & 1]
    found += [f"land {square}" for square in range(9) if land >> square & 1]
    return (*found, f"hotel {hotel}", f"squares {land.bit_count()}")


@cache
def tool_features(items: int, targets: int, stones: int, stop: int) -> tuple[tuple[str, int], ...]:
    """Return the features of tools with what is left for them: targets, stones, stops."""
    left = {BANDANA: targets, PISTOL: targets, RIFLE: targets}
    left |= {UNDERTAKER: stones, SHOVEL: stones, TRAIL_HORSE: 13 - stop}
    return tuple([(f"tool {item}", count) for item, count in left.items() if items & item])


@cache
def counter_features(name: str, amount: int) -> tuple[tuple[str, int], ...]:
    """Return the features of a counter with their weights."""
    return tuple([(f"{name} {bound}", min(amount, bound)) for bound in HINGES[name]])


@lru_cache(1 << 12)
def hand_feature(cards: tuple[int, ...]) -> str:
    """Return what may become of cards that will be five: alike, of one suit, in a row."""
    alike = sorted(Counter(map(number, cards)).values(), reverse=True)
    flush = len({suit(card) for card in cards}) == 1
    straight = len(alike) == len(cards) and _in_a_row(frozenset(map(number, cards)))
    groups = "".join(map(str, alike))
    return f"hand {groups} {'f' * flush}{'s' * straight}"


def _in_a_row(values: frozenset[int]) -> bool:
    high = {ACE_HIGH if value == 1 else value for value in values}
    return max(values) - min(values) < HAND or max(high) - min(high) < HAND
