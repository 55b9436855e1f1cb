"""Ways through the town: the nearest places of a kind, and the next step of a detour."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache
from typing import Final

from lanplay.games.dogs_life.table import DogsLifeTable as Table
from lanplay.games.dogs_life.town import NOWHERE, TOWN

Near = tuple[tuple[int, int], ...]
"""Distances and places, the nearest first."""
FAR: Final = 99
DETOUR: Final = 4
"""Moves that a way round a rival's piddle may cost; more, and it is sniffed at (DL-3.2 l)."""
BINS, RESTAURANTS = range(2)
_PLACES: Final = (TOWN.bins, tuple(TOWN.restaurants))
_NEAR_BINS, _NEAR_RESTAURANTS = 8, 5
"""How many of them, the nearest to its den, a dog usually goes to."""


@cache
def nearest(kind: int, den: int, start: int) -> Near:
    """Return the places of a kind with their distances from ``start`` for the dog of ``den``."""
    far = TOWN.distances(den, start)
    return tuple(sorted([(far[place], place) for place in _PLACES[kind]]))


@cache
def round_trip(den: int) -> tuple[float, float]:
    """Return how far an address is from the kiosk and from the den, on the average."""
    kiosk, home = TOWN.distances(den, TOWN.kiosk), TOWN.distances(den, TOWN.dens[den])
    count = len(TOWN.addresses)
    return (
        sum(kiosk[place] for place in TOWN.addresses) / count,
        sum(home[place] for place in TOWN.addresses) / count,
    )


@cache
def hindrance(den: int) -> tuple[float, ...]:
    """Return by place how many moves a rival's marker there costs a dog on a usual way.

    Ways are those between the den, the kiosk and the addresses, and twice as often those to the
    nearest restaurants and bins. A way round that is longer than ``DETOUR`` counts as that.
    """
    home, kiosk = TOWN.dens[den], TOWN.kiosk
    ends = (
        (home, (kiosk,), 1),
        (home, TOWN.addresses, 1),
        (kiosk, TOWN.addresses, 1),
        (home, [place for _, place in nearest(RESTAURANTS, den, home)[:_NEAR_RESTAURANTS]], 2),
        (home, [place for _, place in nearest(BINS, den, home)[:_NEAR_BINS]], 2),
    )
    found = [0.0] * TOWN.size
    for lamp in TOWN.lamps:
        for start, goals, times in ends:
            plain, far = TOWN.distances(den, start), field(den, start, (lamp,))
            round_about = [min(far[goal] - plain[goal], DETOUR) for goal in goals]
            found[lamp] += times * sum(round_about) / len(goals)
    return tuple([moves / sum(times for *_, times in ends) for moves in found])


def shut(t: Table, seat: int) -> tuple[int, ...]:
    """Return the places with another's piddle, which end the actions of a seat's dog."""
    if t.points == 1:
        return ()
    return tuple([place for place in TOWN.lamps if t.marks[place] not in (NOWHERE, seat)])


@lru_cache(1 << 12)
def field(den: int, goal: int, closed: tuple[int, ...]) -> tuple[int, ...]:
    """Return how far every place is from ``goal`` for the dog of ``den`` without closed places.

    ``FAR`` and more where there is no way.
    """
    far = [FAR] * TOWN.size
    for place in closed:
        far[place] = FAR + 1
    far[goal] = 0
    edge: Collection[int] = (goal,)
    walk, length = TOWN.walk[den], 0
    while edge:
        length += 1
        further = []
        for here in edge:
            for there in walk[here]:
                if far[there] == FAR:
                    far[there] = length
                    further.append(there)
        edge = further
    return tuple(far)


def step(t: Table, seat: int, moves: Collection[int], goal: int) -> int:
    """Return which of the neighbouring places is next on the way to ``goal``."""
    den = t.dens[seat]
    closed = shut(t, seat)
    plain = field(den, goal, ())
    far = field(den, goal, closed) if closed else plain
    if closed and min(far[each] for each in moves) > min(plain[each] for each in moves) + DETOUR:
        far = plain
    return min(moves, key=lambda place: (far[place], place))
