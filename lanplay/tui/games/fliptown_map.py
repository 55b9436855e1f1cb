"""The map of a seat in Fliptown: its five regions, drawn with letters and signs alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanplay.games.fliptown.cards import SIGNS as SUIT_SIGNS
from lanplay.games.fliptown.cards import SUITS, is_red, number, suit
from lanplay.games.fliptown.map import (
    BADLANDS,
    BETWEEN,
    CEMETERY,
    EDGES,
    GABLES,
    KINDS,
    MINE,
    NAMES,
    PAIRS_OF,
    ROOM_REWARDS,
    STONES,
    STOP_REWARDS,
    TARGETS,
    TOWN,
    TRAIL,
    Rewards,
    rewards,
    site,
)
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.text import BUILDINGS, value_text
from lanplay.language import _, dollars
from lanplay.tui.cells import EMPTY, Line, Size, Span, cells, clip, flow, line, pad, pressing, width
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.fliptown_plan import Preview, price_text

SIGNS: Final = {True: f"{SUIT_SIGNS}∩", False: f"{SUITS}n"}
"""A sign for each region: the suit that leads there, a tombstone; in Unicode and in ASCII."""
SILVER: Final = {True: "☆", False: "@"}
STOP, TARGET, ROOM, STONE, BETWEEN_STONES = 6, 6, 11, 4, 3
"""Cells of a stop, a target, a room, a tombstone, and between tombstones."""
BUILDING, NAME, MORE, ROOMY = 19, 11, 7, 24
"""Cells of a building, and of its name; how many more both have from so many rows on."""
MINE_COLUMNS: Final = 5 * ROOM
CEMETERY_COLUMNS: Final = 3 * STONE + 2 * BETWEEN_STONES
GOODS: Final = {"stars": "★", "wanted": "W", "gold": "g"}


def region_sign(region: int, glyphs: Glyphs) -> str:
    """Return the sign of a region."""
    return SIGNS[glyphs.unicode][region]


def card_span(face: int, glyphs: Glyphs) -> Span:
    """Return a card: its value and the sign of its suit in a frame."""
    text = f"[{value_text(number(face))}{region_sign(suit(face), glyphs)}]"
    return Span("red" if is_red(face) else "die", text)


def gives(rewarded: Rewards, glyphs: Glyphs) -> str:
    """Return a reward in signs."""
    return "".join(_good(kind, amount, glyphs) for kind, amount in rewarded)


def _good(kind: str, amount: int, glyphs: Glyphs) -> str:
    signs = SIGNS[glyphs.unicode]
    match kind:
        case "bonus":
            return f"+{signs[amount]}"
        case "silver":
            return SILVER[glyphs.unicode] + signs[amount]
        case "cash":
            return dollars(amount, tight=True)
        case "cross":
            return f"-{amount}W"
        case "tool":
            return "P/H"
        case "pans" | "hammers":
            return kind[0].upper() * amount
    return f"{amount}{GOODS[kind]}".replace("★", glyphs.badge)


def site_gives(s: Sheet, where: int, glyphs: Glyphs) -> str:
    """Return in signs what a visit to a site brings, apart from what one buys or chooses there."""
    region, place = divmod(where, 16)
    if region == TRAIL:
        return gives(STOP_REWARDS[place], glyphs)
    if region == BADLANDS:
        wanted, stars, cash = TARGETS[place]
        return gives((("wanted", wanted), ("stars", stars), ("cash", cash)), glyphs)
    if region == MINE:
        return gives(ROOM_REWARDS[place], glyphs)
    if region == TOWN:
        return "" if s.circled[TOWN] >> place & 1 else gives(GABLES[place], glyphs)
    circled = s.circled[CEMETERY] | 1 << place
    found = [paid for pair, paid in PAIRS_OF[place] if circled & pair == pair]
    return " ".join(gives(each, glyphs) for each in found)


# -- the mark of a site ----------------------------------------------------------------------------


def _mark(shown: Preview, where: int, text: str, glyphs: Glyphs) -> Line:
    """Return a site's own mark, and its price if it costs gold to get there."""
    region, place = divmod(where, 16)
    if where == shown.pointed:
        return _press(shown, where, line(("cursor", f"<{text}>"), ("bad", _price(shown, where))))
    if where in shown.lit:
        return _press(shown, where, line(("good", f"[{text}]"), ("bad", _price(shown, where))))
    if shown.sheet.circled[region] >> place & 1:
        return line(("kept", f"({text})"))
    if region == TRAIL and place < shown.sheet.trail:
        return line(("off", f"{glyphs.dot}{text}{glyphs.dot}"))
    return line(f" {text} ")


def _price(shown: Preview, where: int) -> str:
    return price_text(shown.lit.get(where, 0))


def _press(shown: Preview, where: int, spans: Line) -> Line:
    return pressing(f"option {shown.places[where]}", spans) if where in shown.places else spans


def _priced(shown: Preview, where: int) -> bool:
    return _price(shown, where) != ""


def _head(shown: Preview, region: int, glyphs: Glyphs) -> Span:
    """Return the sign of a region, marked where the suit card leads there."""
    return Span("cursor" if shown.region == region else "title", region_sign(region, glyphs))


# -- regions ---------------------------------------------------------------------------------------


def trail(shown: Preview, columns: int, glyphs: Glyphs) -> list[Line]:
    """Return the stops in two rows: their values, and what they give."""
    values: Line = (_head(shown, TRAIL, glyphs),)
    given: Line = line(" ")
    for place, rewarded in STOP_REWARDS.items():
        where = site(TRAIL, place)
        values += pad(_mark(shown, where, value_text(place), glyphs), STOP)
        role = "off" if place <= shown.sheet.trail else "dim"
        given += pad(line((role, f" {gives(rewarded, glyphs)}")), STOP)
    return [clip(values, columns), clip(given, columns)]


def badlands(shown: Preview, columns: int, glyphs: Glyphs) -> list[Line]:
    """Return the four kinds of targets in two rows: what all of a kind bring, and each target."""
    heads: Line = (_head(shown, BADLANDS, glyphs),)
    targets: Line = line(" ")
    broad = 3 * TARGET + 1
    for _kind, values, wanted, stars, _cash, bonus in KINDS:
        each = gives((("wanted", wanted), ("stars", stars)), glyphs)
        every = gives(rewards(bonus), glyphs)
        heads += pad(line(("dim", f" {each}  "), ("dim", f"{_('all three')} {every}")), broad)
        block: Line = ()
        for value in values:
            block += _target(shown, value, glyphs)
        targets += pad(block, broad)
    return [clip(heads, columns), clip(targets, columns)]


def _target(shown: Preview, value: int, glyphs: Glyphs) -> Line:
    where = site(BADLANDS, value)
    spans = _mark(shown, where, value_text(value), glyphs)
    cash = "" if _priced(shown, where) else dollars(TARGETS[value][2], tight=True)
    return pad((*spans, Span("dim", cash)), TARGET)


def mine(shown: Preview, glyphs: Glyphs) -> list[Line]:
    """Return the rooms as a tree: above each room the values that lead there, from both sides."""
    out: list[Line] = []
    for row in range(4):
        first = _first(row)
        margin = Span("text", " " * ((MINE_COLUMNS - (row + 2) * ROOM) // 2))
        ways: Line = (margin,)
        rooms: Line = (margin,)
        for room in range(first, first + row + 2):
            ways += _centred(line(("dim", _ways(room, row))), ROOM)
            rooms += _centred(_room(shown, room, glyphs), ROOM)
        out += [ways, rooms]
    head, *rest = out[0]
    out[0] = (_head(shown, MINE, glyphs), head._replace(text=head.text[1:]), *rest)
    return out


def _first(row: int) -> int:
    """Return the leftmost room of a row; each row has one room more than the one above."""
    return row * (row + 3) // 2


def _ways(room: int, row: int) -> str:
    """Return the values that lead into a room: ``\\`` from the left above, ``/`` from the right."""
    first = _first(row)
    parts = []
    for source, low, high in EDGES[room]:
        values = f"{value_text(low)}-{value_text(high)}"
        from_left = source >= 0 and source - _first(row - 1) < room - first
        parts.append(f"\\{values}" if from_left or (row == 0 and room) else f"{values}/")
    return " ".join(parts)


def _room(shown: Preview, room: int, glyphs: Glyphs) -> Line:
    where = site(MINE, room)
    mark = _mark(shown, where, NAMES[room], glyphs)
    given = "" if _priced(shown, where) else gives(ROOM_REWARDS[room], glyphs)
    return (*mark, Span("dim", given))


def _centred(spans: Line, columns: int) -> Line:
    blanks = max(0, columns - width(spans))
    return pad((Span("text", " " * (blanks // 2)), *spans), columns)


def town(shown: Preview, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return the buildings with their gables, in as many rows as they need."""
    more = MORE if size.rows >= ROOMY else 0
    items = [_building(shown, place, more, glyphs) for place in GABLES]
    items[0] = (_head(shown, TOWN, glyphs), *items[0])
    rest = [(Span("text", " "), *item) for item in items[1:]]
    rows = flow([pad(each, BUILDING + more) for each in (items[0], *rest)], size.columns, 0)
    if width(rows[-1]) == BUILDING + more:  # what stands alone has the whole row
        rows[-1] = (Span("text", " "), *_building(shown, max(GABLES), BUILDING, glyphs))
    return rows


def _building(shown: Preview, place: int, more: int, glyphs: Glyphs) -> Line:
    where = site(TOWN, place)
    mark = _mark(shown, where, value_text(place), glyphs)
    if _priced(shown, where):
        mark += line(" ")
    given = site_gives(shown.sheet, where, glyphs)
    room = BUILDING - 2 - width(mark) - (cells(given) + 1 if given else 0)
    name = _(BUILDINGS[place - 1])
    room = min(max(NAME, cells(name)), room) + more
    return (*mark, *pad(line(name), room, glyphs.more), Span("dim", f" {given}"))


def cemetery(shown: Preview, glyphs: Glyphs) -> list[Line]:
    """Return the tombstones and what lies between them, in five rows of ``CEMETERY_COLUMNS``."""
    out: list[Line] = []
    for row in range(3):
        stones: Line = ()
        below: Line = ()
        for column in range(3):
            place = 3 * row + column
            text = region_sign(CEMETERY, glyphs)
            stones += pad(_mark(shown, site(CEMETERY, place), text, glyphs), STONE)
            if column < 2:
                stones += pad(_between(shown, place, place + 1, glyphs), BETWEEN_STONES)
            if row < 2:
                under = _between(shown, place, place + 3, glyphs)
                below += pad((Span("text", " "), *under), STONE + BETWEEN_STONES)
        out.append(stones)
        if row < 2:
            out.append(clip(below, CEMETERY_COLUMNS))
    return out


def _between(shown: Preview, one: int, other: int, glyphs: Glyphs) -> Line:
    """Return what lies between two tombstones; dots once it is paid."""
    circled = shown.sheet.circled[CEMETERY]
    if circled >> one & circled >> other & 1:
        return line(("off", glyphs.dot * 2))
    reward = rewards(BETWEEN[f"{STONES[one]}-{STONES[other]}"])
    return line(("dim", gives(reward, glyphs)))


def under_ground(shown: Preview, aside: Sequence[Line], columns: int, glyphs: Glyphs) -> list[Line]:
    """Return mine, cemetery and something else side by side, in eight rows."""
    graves = [EMPTY, *cemetery(shown, glyphs)]
    out = []
    for row, left in enumerate(mine(shown, glyphs)):
        middle = graves[row] if row < len(graves) else EMPTY
        rest = aside[row] if row < len(aside) else EMPTY
        spans = (*pad(left, MINE_COLUMNS + 1), *pad(middle, CEMETERY_COLUMNS + 2), *rest)
        out.append(clip(spans, columns))
    return out
