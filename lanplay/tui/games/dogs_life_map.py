"""The town of A Dog's Life on the screen: every cell four columns wide, told by letters alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP, SIDES, Building, Cell
from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.dogs_life.text import BUILDINGS
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay.language import _
from lanplay.tui.cells import Line, Span, cells, clip, line, pad, pressing
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.scene import Scene

CELL: Final = 4
"""Columns of a cell."""
MARGIN: Final = 2
"""Columns for the letter of a line."""
HUES: Final = ("violet", "yellow", "white", "red", "blue", "green")
"""The roles of the six dogs, by the number of the dog."""
BONE, PAPER, PIDDLE, DOG = "%", '"', "~", "@"
FEATURES: Final = {BIN: "u", LAMP: "i", FOUNTAIN: "o"}
SEARCHED: Final = "x"
HEADINGS: Final = ("=>", "=\\", "/=", "<=", "\\=", "=/")
"""The van, by the side on which it has its head: that of ``SIDES``."""


@dataclass(frozen=True, slots=True)
class Lit:
    """What the map points out: places with what they cost, the one pointed at, the way there."""

    costs: Mapping[int, int] = field(default_factory=dict)
    pointed: int = NOWHERE
    way: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Cells of a line that belong together: where they begin, how many, what they are.

    ``place`` is ``NOWHERE`` for houses; ``main`` marks the block that bears a building's name.
    """

    start: int
    count: int
    place: int
    key: str
    main: bool


@cache
def _blocks() -> tuple[tuple[Block, ...], ...]:
    """Return the blocks of every line of the town, from the left."""
    found = [Block(s.cell[0], 1, p, "", True) for p, s in enumerate(TOWN.spaces)]
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
    main = max(runs, key=len)
    for run in runs:
        yield run[0][1], Block(run[0][0], len(run), place, building.key, run is main)


@cache
def _at() -> dict[Cell, int]:
    """Return the place of every cell."""
    return {cell: place for place in range(TOWN.size) for cell in TOWN.cells(place)}


MAP_COLUMNS: Final = MARGIN + 2 * max(x for x, _y in _at()) + CELL
MAP_ROWS: Final = len(_blocks())


# -- where things are --------------------------------------------------------------------------


def nearest(place: int, way: str, among: Mapping[int, int] | None = None) -> int:
    """Return the place that an arrow key leads to from another: itself where there is none.

    ``among`` are the places that count, all if not given.
    """
    own = TOWN.cells(place)
    found = [
        (_off(start, cell, way), other)
        for cell, other in _at().items()
        if other != place and (among is None or other in among)
        for start in own
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


def behind(place: int, side: int) -> tuple[int, ...]:
    """Return the places behind a side (of ``SIDES``) of each cell of a place."""
    right, down = SIDES[side]
    found = [_at().get((x + right, y + down), NOWHERE) for x, y in TOWN.cells(place)]
    return tuple([each for each in found if each not in (NOWHERE, place)])


# -- drawing -----------------------------------------------------------------------------------


def hue(t: DogsLifeTable, seat: int) -> str:
    """Return the role of a seat's dog."""
    return HUES[t.dogs[seat]] if t.dogs else "text"


def dog_span(t: DogsLifeTable, seat: int) -> Span:
    """Return the sign of a dog: its seat, counted from 1."""
    return Span(hue(t, seat), f"{DOG}{seat + 1}")


def town(scene: Scene, lit: Lit, rows: int, glyphs: Glyphs) -> list[Line]:
    """Return the town in at most so many rows: those around what is pointed at, or one's dog."""
    focus = _focus(scene, lit)
    start = max(0, min(focus - rows // 2, MAP_ROWS - rows))
    shown = range(start, min(start + rows, MAP_ROWS))
    out = [_line(scene, lit, y, glyphs) for y in shown]
    if shown.start:
        out[0] = (Span("dim", glyphs.up), *out[0][1:])
    if shown.stop < MAP_ROWS:
        out[-1] = (Span("dim", glyphs.down), *out[-1][1:])
    return out


def _focus(scene: Scene, lit: Lit) -> int:
    """Return the line that matters most."""
    t: DogsLifeTable = scene.table
    place = lit.pointed
    if place == NOWHERE:
        seat = scene.seat if scene.seat is not None else t.active
        place = t.place[seat] if seat >= 0 else NOWHERE
    if place == NOWHERE:
        place = TOWN.pound
    return TOWN.cells(place)[0][1]


def _line(scene: Scene, lit: Lit, y: int, glyphs: Glyphs) -> Line:
    spans = line(("dim", chr(ord("A") + y)), " ")
    column = 0
    for block in _blocks()[y]:
        gap = 2 * block.start - column
        spans += (Span("text", " " * gap),)
        drawn = _street if block.place in TOWN.streets else _building
        shown = drawn(scene, lit, block, glyphs)
        if block.place != NOWHERE:
            shown = pressing(f"place {block.place}", shown)
        spans += shown
        column += gap + CELL * block.count
    return _joined((*spans, Span("text", " " * (MAP_COLUMNS - MARGIN - column))))


def _joined(spans: Line) -> Line:
    """Return a line with pieces that are alike made one: it is measured more than once."""
    out: list[Span] = []
    for span in spans:
        if out and out[-1].role == span.role and out[-1].press == span.press:
            out[-1] = out[-1]._replace(text=out[-1].text + span.text)
        elif span.text:
            out.append(span)
    return tuple(out)


REACHED: Final = "'"
"""Before a space to which one can go now."""


def _lead(lit: Lit, place: int, usual: str) -> Span:
    """Return the first column of a place: the cursor, a mark where one can go, or the usual.

    What it costs to go there is told where one points: figures would hide what the places are.
    """
    if place == lit.pointed != NOWHERE:
        return Span("cursor", ">")
    if place in lit.costs:
        return Span("chosen" if place in lit.way else "good", usual if usual != " " else REACHED)
    return Span("chosen" if place in lit.way else "text", usual)


def _fitting(parts: Sequence[Span], columns: int) -> Line:
    """Return the parts that have room, in their order, in exactly so many columns.

    They are letters of one column each.
    """
    spans: list[Span] = []
    room = columns
    for part in parts:
        if len(part.text) <= room:
            spans.append(part)
            room -= len(part.text)
    return (*spans, Span("text", " " * room)) if room else tuple(spans)


def _street(scene: Scene, lit: Lit, block: Block, glyphs: Glyphs) -> Line:
    t: DogsLifeTable = scene.table
    place = block.place
    lead = _lead(lit, place, " ")
    here = [*_who(t, place), *_ground(t, place, glyphs), *_things(t, place)]
    door = TOWN.spaces[place].door
    if door:
        here.append(Span(role_of(door), door))
    body = _fitting(here, CELL - 1)
    if place == lit.pointed:
        body = tuple(span._replace(role="cursor") for span in body)
    return (lead, *body)


def _who(t: DogsLifeTable, place: int) -> Iterator[Span]:
    """Yield the dog at a place, the one in turn first, and the van."""
    there = [seat for seat, each in enumerate(t.place) if each == place]
    for seat in sorted(there, key=lambda each: each != t.active)[:1]:
        yield dog_span(t, seat)
    if t.van == place:
        yield Span("bad", heading(t))


def heading(t: DogsLifeTable) -> str:
    """Return the van with its head where it came from the other side."""
    side = TOWN.sides[t.van].index(t.came) if t.came in TOWN.sides[t.van] else 3
    return HEADINGS[(side + 3) % 6]


def _ground(t: DogsLifeTable, place: int, glyphs: Glyphs) -> Iterator[Span]:
    """Yield what a street space has: a piddle, a bin, a lamp post, a fountain, or nothing."""
    feature = TOWN.feature[place]
    owner = t.marks[place]
    if owner >= 0:
        yield Span(hue(t, owner), f"{PIDDLE}{owner + 1}")
    elif feature == BIN and t.searched >> TOWN.bin_at[place] & 1:
        yield Span("off", SEARCHED)
    elif feature:
        yield Span("die", FEATURES[feature])
    elif place not in t.place and place != t.van:
        yield Span("dim", glyphs.dot if glyphs.unicode else ".")


def _things(t: DogsLifeTable, place: int) -> Iterator[Span]:
    if t.lying[place]:
        yield Span("badge", BONE)
    if place in t.dropped:
        yield Span("badge", PAPER)


def role_of(key: str) -> str:
    """Return the role of a building, by its key."""
    if key.isdecimal():
        return "money"
    return "gold" if key.islower() else "card"


def _building(scene: Scene, lit: Lit, block: Block, glyphs: Glyphs) -> Line:
    """Return a block of a building: its key, who and what is in it, its name where there is room.

    A den bears the number of the seat that is at home there, behind its key.
    """
    t: DogsLifeTable = scene.table
    role = "off" if block.place == NOWHERE else role_of(block.key)
    room = CELL * block.count - 2
    inside = _inside(t, block)
    lead = _lead(lit, block.place, "[") if block.main else Span("text", "[")
    key, name = block.key, _(BUILDINGS[block.key])
    if block.place in TOWN.dens:
        key, name = _den(scene, block)
    body: Line = (Span(role, key),)
    if inside and room > CELL:
        body = _fitting([*body, Span("text", " "), *inside], room)
    elif inside:
        body = _fitting([*inside, *body], room)
    elif block.main and room > CELL:
        body += clip(line((role, f" {name}")), room - cells(key), glyphs.more)
    body = pad(body, room)
    if block.place == lit.pointed != NOWHERE:
        body = tuple(span._replace(role="cursor") for span in body)
    return (lead._replace(role=role) if lead.text == "[" else lead, *body, Span(role, "]"))


def _inside(t: DogsLifeTable, block: Block) -> list[Span]:
    """Return who and what is in a building."""
    if not block.main or block.place == NOWHERE:
        return []
    return [*_who(t, block.place), *_things(t, block.place)]


def _den(scene: Scene, block: Block) -> tuple[str, str]:
    t: DogsLifeTable = scene.table
    den = block.place - TOWN.dens.start
    if den not in t.dens:
        return block.key, ""
    seat = t.dens.index(den)
    return f"{block.key}{seat + 1}", scene.names[seat]
