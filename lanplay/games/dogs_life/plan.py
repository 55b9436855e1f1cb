"""The plan of a town: what its text says, cell by cell (DL-1.4). See ``town.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, Final

from lanplay.engine.frozen import frozen

Cell = tuple[int, int]
"""Where a cell lies: half columns from the left, lines from above. Neighbours in a line differ by
two half columns, those of different lines by one."""
SIDES: Final[tuple[Cell, ...]] = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""The six sides of a cell, clockwise from the right: the way to the neighbour behind each."""
STREET, BIN, LAMP, FOUNTAIN = range(4)
"""What a street space has."""
_SIGNS: Final = {".": STREET, "u": BIN, "i": LAMP, "o": FOUNTAIN}
_TOKEN: Final = re.compile(r"([.uio])([A-Za-z0-9]*)|#([A-Za-z]|[0-9]+)")
COLUMN: Final = 2
"""How many characters of the text a half column takes."""


@frozen
class Space:
    """A street space: its name, where it lies, what it has, the building entered there or ''."""

    label: str
    cell: Cell
    feature: int
    door: str


@frozen
class Building:
    """A building: its key, its cells, and the indices of the street spaces with its entrances."""

    key: str
    cells: tuple[Cell, ...]
    doors: tuple[int, ...]


@frozen
class TownPlan:
    """The spaces, line by line, the buildings by key, and the van: its space and the one before."""

    spaces: tuple[Space, ...]
    buildings: Mapping[str, Building]
    van: int
    came: int


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the six cells around a cell, clockwise from the right."""
    x, y = cell
    return tuple([(x + right, y + down) for right, down in SIDES])


def read(text: str) -> TownPlan:
    """Return the plan of a text in TOML; ``ValueError`` says what of it is no plan."""
    data = tomllib.loads(text)
    if data.keys() != {"plan", "van", "came"} or {type(each) for each in data.values()} != {str}:
        raise ValueError("a town has a plan, a van and where it came from")
    spaces, cells = _cells(data["plan"].splitlines())
    labels = [space.label for space in spaces]
    buildings = {key: _building(key, found, spaces) for key, found in cells.items()}
    strange = {space.door for space in spaces} - {"", *buildings}
    if strange:
        raise ValueError(f"there is no building {', '.join(sorted(strange))}")
    return TownPlan(spaces, buildings, _place(labels, data["van"]), _place(labels, data["came"]))


def _cells(lines: Sequence[str]) -> tuple[tuple[Space, ...], dict[str, list[Cell]]]:
    spaces: list[Space] = []
    cells: dict[str, list[Cell]] = {}
    parity: set[int] = set()
    for y, line in enumerate(lines):
        for found in re.finditer(r"\S+", line):
            x, rest = divmod(found.start(), COLUMN)
            sign = _TOKEN.fullmatch(found.group())
            if sign is None or rest:
                raise ValueError(f"line {y + 1}: {found.group()!r} is no cell or lies askew")
            parity.add((x + y) % 2)
            if sign[3]:
                cells.setdefault(sign[3], []).append((x, y))
            else:
                label = f"{ascii_uppercase[y]}{x // 2 + 1}"
                spaces.append(Space(label, (x, y), _SIGNS[sign[1]], sign[2]))
    if len(parity) != 1:
        raise ValueError("the cells of a line lie between those of the next")
    return tuple(spaces), cells


def _building(key: str, cells: Sequence[Cell], spaces: Sequence[Space]) -> Building:
    doors = tuple([index for index, space in enumerate(spaces) if space.door == key])
    for index in doors:
        if not set(neighbours(spaces[index].cell)) & set(cells):
            raise ValueError(f"{spaces[index].label} has no side on {key}")
    seen = {cells[0]}
    for _ in cells:
        seen |= {each for cell in seen for each in neighbours(cell)} & set(cells)
    if seen != set(cells):
        raise ValueError(f"{key} is in two parts")
    return Building(key, tuple(cells), doors)


def _place(labels: Sequence[str], label: Any) -> int:
    if label not in labels:
        raise ValueError(f"there is no space {label}")
    return labels.index(label)
