"""Where a dog can go: for screens that show it, and bots that plan (DL-3.2 a, l)."""

from __future__ import annotations

from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.dogs_life.town import TOWN, Path


def reach(t: DogsLifeTable, seat: int, points: int) -> dict[int, Path]:
    """Return every place where a dog could stop after 1 to ``points`` moves, with a shortest path.

    A path names the places gone to, so its length is its cost in points; nearer places come first.
    Dogs and the van are passed, never stopped at. Another's piddle can only be the end of a path,
    since it ends the actions: ``sniffs`` tells.
    """
    around = TOWN.walk[t.dens[seat]]
    others = {place for other, place in enumerate(t.place) if other != seat} | {t.van}
    found: dict[int, Path] = {}
    passed = {t.place[seat]}
    edge: list[tuple[int, Path]] = [(t.place[seat], ())]
    for left in range(points, 0, -1):
        further = []
        for here, path in edge:
            for there in around[here]:
                if there in passed or (there in others and (left == 1 or sniffs(t, seat, there))):
                    continue
                passed.add(there)
                way = (*path, there)
                if there not in others:
                    found[there] = way
                if not sniffs(t, seat, there):
                    further.append((there, way))
        edge = further
    return found


def sniffs(t: DogsLifeTable, seat: int, place: int) -> bool:
    """Tell whether a place bears another's piddle, which ends the actions of a dog (DL-3.2 l)."""
    return t.marks[place] not in (-1, seat)
