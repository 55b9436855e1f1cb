"""The town of A Dog's Life on the screen, told by letters alone: in cells of two sizes.

A cell is four columns: a side, a sign of two, a side. A stroke on a side is an entrance, of the
building that lies there. Where there is room it is six columns or ten and two rows, with words for
signs, and buildings bear their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP
from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.dogs_life.text import BUILDINGS
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay.language import N_, _
from lanplay.tui.cells import Line, Span, cells, cut, line, pad, plain, pressing, wrapped
from lanplay.tui.games.dogs_life_blocks import MAP_ROWS, Block, at, blocks, door_side
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.scene import Scene

CELL: Final = 4
"""Columns of a cell."""
LARGE, BROAD = 6, 10
"""Columns of a large cell, of two rows: where there is room, and where there is much."""
MARGIN: Final = 2
"""Columns for the letter of a line."""
HUES: Final = ("violet", "yellow", "white", "red", "blue", "green")
"""The roles of the six dogs, by the number of the dog."""
BONE, PAPER, PIDDLE, DOG = "%", '"', "~", "@"
FEATURES: Final = {BIN: "u", LAMP: "!", FOUNTAIN: "o"}
WORDS: Final = {BIN: N_("bin"), LAMP: N_("lamp"), FOUNTAIN: N_("fountain")}
"""The same on a large map, where the word has room."""
SEARCHED: Final = "x"
STROKES: Final = (">", "\\", "/", "<", "\\", "/")
"""An entrance, by the side (of ``SIDES``) on which its building lies."""
RIGHTS: Final = (0, 1, 5)
"""The sides at the right of a cell."""
HOUSE: Final = {True: "▒", False: "#"}
HEADINGS: Final = ("=>", "=\\", "/=", "<=", "\\=", "=/")
"""The van, by the side on which it has its head: that of ``SIDES``."""


@dataclass(frozen=True, slots=True)
class Lit:
    """What the map points out: places with what they cost, the one pointed at, the way there."""

    costs: Mapping[int, int] = field(default_factory=dict)
    pointed: int = NOWHERE
    way: Sequence[int] = ()


MAP_COLUMNS, LARGE_COLUMNS, BROAD_COLUMNS = (
    MARGIN + each // 2 * max(x for x, _y in at()) + each for each in (CELL, LARGE, BROAD)
)
LARGE_ROWS: Final = 2 * MAP_ROWS


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


def large_town(scene: Scene, lit: Lit, columns: int, glyphs: Glyphs) -> list[Line]:
    """Return the whole town in large cells of so many columns."""
    return [
        _drawn(y, columns // 2, [head, " "], partial(part, scene, lit, columns, glyphs=glyphs))
        for y in range(MAP_ROWS)
        for head, part in ((chr(ord("A") + y), _upper), (" ", _lower))
    ]


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
    part = partial(_cell, scene, lit, glyphs=glyphs)
    return _drawn(y, CELL // 2, [chr(ord("A") + y), " "], part)


def _drawn(y: int, half: int, head: Sequence[str], part: Callable[[Block], Line]) -> Line:
    """Return a row of the map; ``half`` are the columns of half a cell."""
    spans = tuple(Span("dim", each) for each in head)
    column = 0
    for block in blocks()[y]:
        gap = half * block.start - column
        shown = part(block)
        if block.place != NOWHERE:
            shown = pressing(f"place {block.place}", shown)
        spans += (Span("text", " " * gap), *shown)
        column += gap + 2 * half * block.count
    return _joined(spans)


def _joined(spans: Line) -> Line:
    """Return a line with pieces that are alike made one: it is measured more than once."""
    out: list[Span] = []
    for span in spans:
        if out and out[-1].role == span.role and out[-1].press == span.press:
            out[-1] = out[-1]._replace(text=out[-1].text + span.text)
        elif span.text:
            out.append(span)
    return tuple(out)


def _look(lit: Lit, place: int, role: str) -> str:
    """Return the role of a sign: what is out of reach steps back behind what is in it."""
    if place == lit.pointed != NOWHERE:
        return "cursor"
    if place in lit.way:
        return "chosen"
    if place in lit.costs:
        return "good" if role == "dim" else role
    return "dim" if lit.costs else role


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


def _cell(scene: Scene, lit: Lit, block: Block, glyphs: Glyphs) -> Line:
    """Return a block of the small map."""
    t: DogsLifeTable = scene.table
    place = block.place
    if place not in TOWN.streets:
        return _building(scene, lit, block, glyphs, CELL * block.count)
    here = [*_who(scene, place), *_things(t, place)]
    ground = [
        span._replace(role=_look(lit, place, span.role)) for span in _ground(scene, place, glyphs)
    ]
    side = door_side(place)
    stroke = Span(_look(lit, place, "money"), STROKES[side]) if side >= 0 else Span("text", " ")
    if side in RIGHTS:
        parts = (Span("text", " "), *_fitting([*here, *ground], 2), stroke)
    else:
        parts = (stroke, *_fitting([*here, *ground], CELL - 1))
    return _pointed(lit, place, parts, glyphs)


def _pointed(lit: Lit, place: int, spans: Line, glyphs: Glyphs) -> Line:
    """Return a cell as it looks if it is pointed at: reversed, a sign before it."""
    if place != lit.pointed or place == NOWHERE:
        return spans
    first = spans[0]._replace(text=glyphs.cursor + spans[0].text[1:])
    return tuple(span._replace(role="cursor") for span in (first, *spans[1:]))


def _upper(scene: Scene, lit: Lit, columns: int, block: Block, glyphs: Glyphs) -> Line:
    """Return the upper row of a block of the large map: a word, an entrance above or beside."""
    place = block.place
    if place not in TOWN.streets:
        return _building(scene, lit, block, glyphs, columns * block.count, 0)
    t: DogsLifeTable = scene.table
    side = door_side(place)
    left = STROKES[side] if side in (3, 4) else " "
    right = STROKES[side] if side in (0, 5) else ""
    room = columns - 1 - len(right)
    here = list(_who(scene, place))
    feature = TOWN.feature[place]
    known = feature and t.marks[place] < 0 and not _searched(t, place)
    word = _(WORDS[feature]) if known else ""
    named = word and len(word) <= room
    ground = [Span("die", word)] if named else _ground(scene, place, glyphs)
    shown = here or [each._replace(role=_look(lit, place, each.role)) for each in ground]
    stroke = _look(lit, place, "money")
    parts = (Span(stroke, left), *_fitting(shown, room), Span(stroke, right))
    return _pointed(lit, place, parts, glyphs)


def _lower(scene: Scene, lit: Lit, columns: int, block: Block, glyphs: Glyphs) -> Line:
    """Return the lower row: what lies about, an entrance below."""
    place = block.place
    if place not in TOWN.streets:
        return _building(scene, lit, block, glyphs, columns * block.count, 1)
    t: DogsLifeTable = scene.table
    side = door_side(place)
    left, right = "/" if side == 2 else " ", "\\" if side == 1 else " "
    here = [*_things(t, place)]
    if next(_who(scene, place), None) is not None:
        here += _ground(scene, place, glyphs)
    stroke = _look(lit, place, "money")
    parts = (Span(stroke, left), *_fitting(here, columns - 2), Span(stroke, right))
    return _pointed(lit, place, parts, glyphs)


def _who(scene: Scene, place: int) -> Iterator[Span]:
    """Yield the dog at a place, the one in turn first, and the van."""
    t: DogsLifeTable = scene.table
    there = [seat for seat, each in enumerate(t.place) if each == place]
    for seat in sorted(there, key=lambda each: each != t.active)[:1]:
        yield dog_span(t, seat)
    van, came = _van(scene)
    if van == place:
        yield Span("bad", heading(van, came))


def _van(scene: Scene) -> tuple[int, int]:
    """Return where the van is seen, and whence it has come there."""
    t: DogsLifeTable = scene.table
    on: tuple[int, int] = scene.effects.on.get(0, (t.van, t.came))
    return on


def heading(van: int, came: int) -> str:
    """Return the van with its head where it came from the other side."""
    side = TOWN.sides[van].index(came) if came in TOWN.sides[van] else 3
    return HEADINGS[(side + 3) % 6]


def _ground(scene: Scene, place: int, glyphs: Glyphs) -> Iterator[Span]:
    """Yield what a street space has: a piddle, a bin, a lamp post, a fountain, or nothing."""
    t: DogsLifeTable = scene.table
    feature = TOWN.feature[place]
    owner = t.marks[place]
    if owner >= 0:
        yield Span(hue(t, owner), f"{PIDDLE}{owner + 1}")
    elif _searched(t, place):
        yield Span("off", SEARCHED)
    elif feature:
        yield Span("die", FEATURES[feature])
    elif place not in t.place and place != _van(scene)[0]:
        yield Span("dim", glyphs.dot if glyphs.unicode else ".")


def _searched(t: DogsLifeTable, place: int) -> bool:
    return bool(TOWN.feature[place] == BIN and t.searched >> TOWN.bin_at[place] & 1)


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


def _building(
    scene: Scene, lit: Lit, block: Block, glyphs: Glyphs, columns: int, row: int | None = None
) -> Line:
    """Return a row of a building: its key, who and what is in it.

    On a large map, where ``row`` is told, there is its name, too, row by row and block by block; a
    den bears the number of the seat that is at home there, behind its key. Houses have neither.
    """
    if block.place == NOWHERE:
        return line(("off", HOUSE[glyphs.unicode] * columns))
    room, key, own = columns - 2, block.key, _(BUILDINGS[block.key])
    if block.place in TOWN.dens:
        key, own = _den(scene, block)
    role = _role(scene, lit, block.place)
    inside = [*_who(scene, block.place), *_things(scene.table, block.place)]
    body: Line = (Span(role, key),)
    if row is not None and room >= LARGE:
        first = key + "".join(each.text for each in inside)
        words = [
            each if cells(each) <= room else cut(each, room - 1) + glyphs.more
            for each in f"{first} {own}".split()
        ]
        rows = wrapped(role, " ".join(words), room)
        place = 2 * block.nth + row
        body = rows[place] if 0 <= place < len(rows) else body
        if not place:
            body = (Span(role, key), *inside, Span(role, plain(body)[len(first) :]))
    elif inside and not row and not block.nth:
        body = _fitting(
            [*body, *inside] if columns > CELL else [*inside, Span(role, block.key)], room
        )
    body = pad(body, room)
    if block.place == lit.pointed:
        body = tuple(span._replace(role="cursor") for span in body)
    return (Span(role, "["), *body, Span(role, "]"))


def _role(scene: Scene, lit: Lit, place: int) -> str:
    """Return the role of a building; the own den and what one carries a newspaper to stand out."""
    t: DogsLifeTable = scene.table
    seat = scene.seat
    if seat is not None and t.dens and place in (TOWN.dens[t.dens[seat]], *_goals(scene, seat)):
        return "found"
    return _look(lit, place, role_of(TOWN.building[place].key))


def _goals(scene: Scene, seat: int) -> list[int]:
    """Return the addresses of the newspapers that the person's dog carries."""
    faces = [scene.face(card) for card in scene.table.papers[seat]]
    return [TOWN.addresses[face] for face in faces if face is not None]


def _den(scene: Scene, block: Block) -> tuple[str, str]:
    t: DogsLifeTable = scene.table
    den = block.place - TOWN.dens.start
    if den not in t.dens:
        return block.key, ""
    seat = t.dens.index(den)
    return f"{block.key}{seat + 1}", scene.names[seat].partition(" (")[0]
