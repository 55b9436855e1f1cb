"""The map of a seat: regions, sites, edges, rewards, costs. Data only, most of it from
``map.toml``; the rules act on it.

A *site* is a number: 16 times its region plus its place there. Places are the card values 1 to 13
on the Trail, in the Badlands and in Town, rooms from the left in the Mine, and tombstones row by
row in the Cemetery. A reward is written as a list of goods with their amounts; the name of a region
is a bonus action there (FT-8.1).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any, Final

TRAIL, BADLANDS, MINE, TOWN, CEMETERY = REGIONS = range(5)
"""The first four stand in the order of the suits that lead to them (FT-2.3)."""
REGION_NAMES: Final = ("trail", "badlands", "mine", "town", "cemetery")

Rewards = tuple[tuple[str, int], ...]
GOODS: Final = ("stars", "wanted", "cash", "gold", "pans", "hammers")
"""What is gained at once. ``tool`` is a pan or a hammer, ``cross`` crosses out WANTED up to so much
and ``silver`` is counted at the end: as many silver stars as sites are circled in a region."""

# --- FT-4 The Trail: what each stop gives -------------------------------------------------------
_MAP: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    files(__package__).joinpath("map.toml").read_text("utf-8")
)
STOPS: Final[Mapping[int, str]] = {int(stop): gives for stop, gives in _MAP["stops"].items()}

# --- FT-5 The Badlands: targets, WANTED, stars, cash of each target, bonus of the kind ------------
KINDS: Final = (
    ("chickens", (2, 3, 4), 1, 2, (1, 2, 3), "cemetery"),
    ("cattle", (5, 6, 7), 2, 4, (1, 3, 5), "mine"),
    ("stagecoach", (8, 9, 10), 3, 6, (2, 4, 7), "town"),
    ("train", (11, 12, 13), 4, 8, (3, 6, 10), "trail"),
)

# --- FT-6 The Town: name and gable of each building -----------------------------------------------
BUILDINGS: Final[Mapping[int, tuple[str, str]]] = {
    int(place): (name, gable) for place, (name, gable) in _MAP["buildings"].items()
}
BANK_FEE: Final = 4
HIDEOUT_CROSSES: Final = 4
CHURCH_LIMIT: Final = 8
SALOON_CASH, SALOON_LIMIT = 2, 8
CLUB_GOLD, CLUB_LIMIT = 1, 8
OFFICE_CROSSES: Final = 2
HUNT_CASH, HUNT_GOLD, HUNT_CROSSES = 4, 2, 2
HOTEL_FEE: Final = 2
HOTEL_STARS: Final = (0, 2, 7, 14, 23)
"""Silver stars after so many nights."""
LAND: Final = (3, 1, 1, 1, 2, 1, 1, 1, 3)
LAND_SHAPES: Final = ((4, ("XX",)), (6, ("XXX",)), (8, ("XX", "X.")))
"""Price and form of each shape; turned and flipped as liked."""
LAND_ALL: Final = 7
"""Stars for the whole grid."""
GOODS_FOR_SALE: Final[Mapping[str, tuple[int, int, str]]] = {
    name: (place, price, extra) for name, (place, price, extra) in _MAP["goods_for_sale"].items()
}
"""What can be had once: building, price in cash, what it gives at once besides itself."""
TRAIL_HORSE: Final = 6
PICKAXE: Final = 2
GUNS: Final = {"rulebook": (0, 2, 4), "english": (0, 3, 6)}
"""What no gun, the pistol and the rifle add to the robbery card, by table option."""

# --- FT-7 The Mine: where a room is entered from with which values, and what it gives -------------
ROOMS: Final[Mapping[str, tuple[str, str]]] = {
    name: (edges, gives) for name, (edges, gives) in _MAP["rooms"].items()
}

# --- FT-8 The Cemetery: what lies between two neighbours ------------------------------------------
BETWEEN: Final[Mapping[str, str]] = _MAP["between"]
STONES: Final = ("TL", "TC", "TR", "ML", "MC", "MR", "BL", "BC", "BR")
CENTRE: Final = STONES.index("MC")

# --- FT-3 Poker by rank (nothing to royal flush), fines by round ----------------------------------
POKER: Final = tuple(zip((0, *range(2, 11)), range(10), strict=True))
"""Cash and stars by rank."""
FINES: Final = ((10, 4), (14, 6), (18, 8))
"""Cash or stars, in rounds 1 to 3."""
ALWAYS_STARS: Final = 14
"""With so many WANTED the fine is paid in stars."""
MOST_TOOLS: Final = 4
SUIT_GOLD: Final = 2
"""What another suit costs (FT-2.5); a step of the value costs 1."""


def site(region: int, place: int) -> int:
    """Return the number of a site."""
    return 16 * region + place


def rewards(text: str) -> Rewards:
    """Return a reward as pairs of a kind and an amount; a bonus is ``("bonus", region)``.

    WANTED comes last, so that what is written shows what it is paid for.
    """
    return tuple(_reward(part.split()) for part in text.split(", ")) if text else ()


def _reward(words: list[str]) -> tuple[str, int]:
    if words[0] in REGION_NAMES:
        kind = "silver" if words[1:] == ["silver"] else "bonus"
        return kind, REGION_NAMES.index(words[0])
    return words[1], int(words[0])


def _bits(places: Iterable[int]) -> int:
    return sum([1 << place for place in places])


def _placings(form: tuple[str, ...]) -> set[int]:
    """Return the masks of all squares that a form can cover in the grid."""
    squares = {(r, c) for r, row in enumerate(form) for c, mark in enumerate(row) if mark == "X"}
    found = set()
    for _ in range(4):
        squares = {(c, -r) for r, c in squares}
        for down in range(-2, 3):
            for right in range(-2, 3):
                moved = [(r + down, c + right) for r, c in squares]
                if all(0 <= r < 3 and 0 <= c < 3 for r, c in moved):
                    found.add(_bits(3 * r + c for r, c in moved))
    return found


NAMES: Final = tuple(ROOMS)
STOP_REWARDS: Final = {place: rewards(text) for place, text in STOPS.items()}
ROOM_REWARDS: Final = tuple(rewards(text) for _, text in ROOMS.values())
GABLES: Final = {place: rewards(gable) for place, (_, gable) in BUILDINGS.items()}
STAR_GABLES: Final = _bits(p for p, (_, gable) in BUILDINGS.items() if gable == "1 stars")
ITEMS: Final = (*GOODS_FOR_SALE, "undertaker", "shovel")
ITEM_BITS: Final = {name: 1 << place for place, name in enumerate(ITEMS)}
FOR_SALE: Final = {
    building: tuple(i for i, name in enumerate(ITEMS[:-2]) if GOODS_FOR_SALE[name][0] == building)
    for building in BUILDINGS
}
"""Items by the building that has them."""
PRICES: Final = tuple(price for _, price, _ in GOODS_FOR_SALE.values())
SALE_REWARDS: Final = tuple(rewards(extra) for _, _, extra in GOODS_FOR_SALE.values())
KIND_OF: Final = {v: place for place, kind in enumerate(KINDS) for v in kind[1]}
TARGETS: Final = {
    value: (wanted, stars, cash)
    for _, values, wanted, stars, every, _ in KINDS
    for value, cash in zip(values, every, strict=True)
}
"""WANTED, stars and cash of each target."""
KIND_BITS: Final = tuple(_bits(kind[1]) for kind in KINDS)
KIND_BONUS: Final = tuple(REGION_NAMES.index(kind[5]) for kind in KINDS)


def _edges(text: str) -> tuple[tuple[int, int, int], ...]:
    found = []
    for part in text.split(", "):
        source, span = part.split()
        low, high = span.split("-")
        found.append((NAMES.index(source) if source in NAMES else -1, int(low), int(high)))
    return tuple(found)


EDGES: Final = tuple(_edges(edges) for edges, _ in ROOMS.values())
"""For each room, (room it is entered from or -1 for the entrance, lowest value, highest value)."""
SILVER: Final = tuple(
    (room, amount) for room, r in enumerate(ROOM_REWARDS) for kind, amount in r if kind == "silver"
)
"""Rooms of row 4 with the region they count."""
PAIRS: Final = tuple(
    (1 << STONES.index(pair[:2]) | 1 << STONES.index(pair[3:]), rewards(text))
    for pair, text in BETWEEN.items()
)
PAIRS_OF: Final = tuple(
    tuple(pair for pair in PAIRS if pair[0] >> stone & 1) for stone in range(len(STONES))
)
PLACINGS: Final[Mapping[int, int]] = {
    mask: price for price, form in LAND_SHAPES for mask in sorted(_placings(form))
}
"""Price of every set of squares that is a shape."""
LAND_STARS: Final = {
    mask: sum([LAND[square] for square in range(9) if mask >> square & 1]) for mask in PLACINGS
}
PLACES: Final = (range(1, 14), range(2, 14), range(14), range(1, 14), range(9))
"""The places of each region."""
SITES: Final = tuple(len(places) for places in PLACES)
ALL_CIRCLED: Final = tuple(_bits(places) for places in PLACES)
