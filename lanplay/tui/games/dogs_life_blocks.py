"""Where everything lies on the map of A Dog's Life: blocks line by line, and where arrows lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from lanplay.games.dogs_life.plan import SIDES, Building, Cell
from lanplay.games.dogs_life.town import NOWHERE, TOWN


class Spot(NamedTuple):
    """What arrows have pointed at: a place, the column (in half cells) and the line they are in."""

    place: int
    column: int
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """Cells of a line that belong together: where they begin, how many, what they are.

    ``place`` is ``NOWHERE`` for houses. A building's name begins in the block whose ``nth`` is 0
    and goes on in those that follow, 1, 2, ...
    """

    start: int
    count: int
    place: int
    key: str
    nth: int


@cache
def blocks() -> tuple[tuple[Block, ...], ...]:
    """Return the blocks of every line of the town, from the left."""
    found = [Block(s.cell[0], 1, p, "", 0) for p, s in enumerate(TOWN.spaces)]
    lines: dict[int, list[Block]] = {}
    for block, space in zip(found, TOWN.spaces, strict=True):
        lines.setdefault(space.cell[1], []).append(block)
    buildings = [*TOWN.building.items(), *((NOWHERE, house) for house in TOWN.houses)]
    for place, building in buildings:
        for y, block in _runs(place, building):
            lines.setdefault(y, []).append(block)
    return tuple(
        tuple(sorted(lines.get(y, []), key=lambda each: each.start)) for y in range(max(lines) + 1)
    )


def _runs(place: int, building: Building) -> Iterator[tuple[int, Block]]:
    """Yield the blocks of a building with their lines; the longest one is the main one."""
    runs: list[list[Cell]] = []
    for x, y in sorted(building.cells, key=lambda cell: (cell[1], cell[0])):
        if runs and runs[-1][-1] == (x - 2, y):
            runs[-1].append((x, y))
        else:
            runs.append([(x, y)])
    main = runs.index(max(runs, key=len))
    for number, run in enumerate(runs, -main):
        yield run[0][1], Block(run[0][0], len(run), place, building.key, number)


@cache
def at() -> dict[Cell, int]:
    """Return the place of every cell."""
    return {cell: place for place in range(TOWN.size) for cell in TOWN.cells(place)}


MAP_ROWS: Final = len(blocks())


def moved(spot: Spot, way: str) -> Spot:
    """Return where an arrow key leads to: itself where nothing lies that way.

    Left and right go along the line, a building being one stop and houses none; up and down to the
    line above or below, in the column where the last left or right has ended.
    """
    place, column, y = spot
    if way in ("left", "right"):
        row = _stops(y)
        at = row.index(_stop(y, place)) + (1 if way == "right" else -1)
        if not 0 <= at < len(row):
            return spot
        return Spot(row[at].place, row[at].start + row[at].count - 1, y)
    step = 1 if way == "down" else -1
    for line_ in range(y + step, MAP_ROWS if step > 0 else -1, step):
        found = min(_stops(line_), key=lambda each: _aside(each, column))
        if found.place != place:
            return Spot(found.place, column, line_)
    return spot


def spot_of(place: int) -> Spot:
    """Return a place as one points at it first: where it bears its name."""
    for y in range(MAP_ROWS):
        for block in _stops(y):
            if block.place == place and not block.nth:
                return Spot(place, block.start + block.count - 1, y)
    raise ValueError(f"no place {place}")


def _stops(y: int) -> list[Block]:
    return [block for block in blocks()[y] if block.place != NOWHERE]


def _stop(y: int, place: int) -> Block:
    return next(block for block in _stops(y) if block.place == place)


def _aside(block: Block, column: int) -> int:
    """Return how far a block lies aside of a column, in half cells."""
    return max(block.start - column, column - (block.start + 2 * block.count - 2), 0)


def nearest(place: int, way: str, among: Mapping[int, int]) -> int:
    """Return which of some places an arrow key leads to from another: itself where none is."""
    found = [
        (_off(start, cell, way), other)
        for cell, other in at().items()
        if other != place and other in among
        for start in TOWN.cells(place)
        if _lies(start, cell, way)
    ]
    return min(found)[1] if found else place


def _lies(start: Cell, cell: Cell, way: str) -> bool:
    """Tell whether a cell lies where an arrow points, seen from another."""
    right, down = cell[0] - start[0], cell[1] - start[1]
    if way in ("left", "right"):
        return abs(down) * 2 <= abs(right) and (right > 0) == (way == "right") and right != 0
    return (down > 0) == (way == "down") and down != 0


def _off(start: Cell, cell: Cell, way: str) -> tuple[int, int]:
    """Return how far a cell is off, what lies straight ahead first; of two alike one side each."""
    right, down = cell[0] - start[0], cell[1] - start[1]
    if way in ("left", "right"):
        return abs(right) + 8 * abs(down), down
    side = 1 if start[1] % 2 else -1
    return 4 * abs(down) + 2 * abs(right), -side * right


@cache
def door_side(place: int) -> int:
    """Return the side (of ``SIDES``) of a street space on which its entrance is; -1 for none."""
    door = TOWN.spaces[place].door
    if not door:
        return NOWHERE
    cells = TOWN.cells(TOWN.place(door))
    x, y = TOWN.cells(place)[0]
    return next(n for n, (right, down) in enumerate(SIDES) if (x + right, y + down) in cells)
