"""Dice and cards as large things, for terminals with room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanplay.tui.cells import EMPTY, Line, Span, line, pad, width
from lanplay.tui.glyphs import Glyphs

FRAMES: Final = {True: "╭╮╰╯─│", False: "++++-|"}
"""Corners, rule and bar of a frame."""
PIPS: Final = {
    1: ("       ", "   o   ", "       "),
    2: (" o     ", "       ", "     o "),
    3: (" o     ", "   o   ", "     o "),
    4: (" o   o ", "       ", " o   o "),
    5: (" o   o ", "   o   ", " o   o "),
    6: (" o   o ", " o   o ", " o   o "),
}
"""The three rows of a die's pips."""
LARGE: Final = 5
"""Rows of a die with letters beyond which they stand in its corners, too."""
BACK: Final = {True: "▒", False: "?"}
"""What a die or card is covered with that is not seen yet."""


def framed(
    rows: Sequence[Line], columns: int, role: str, glyphs: Glyphs, foot: str = ""
) -> list[Line]:
    """Return rows in a frame of ``columns`` cells, with a word in its lower edge."""
    upper_left, upper_right, left, right, rule, bar = tuple(FRAMES[glyphs.unicode])
    inner = columns - 2
    edge = f"{rule}{foot}".ljust(inner, rule)[:inner]
    side = Span(role, bar)
    body = [(side, *pad(each, inner, glyphs.more), side) for each in rows]
    head = line((role, upper_left + rule * inner + upper_right))
    return [head, *body, line((role, left + edge + right))]


def letter_die(text: str, role: str, glyphs: Glyphs, rows: int = 3) -> list[Line]:
    """Return a die of an odd number of rows that shows one or two letters, a large one thrice.

    It has two columns more than rows.
    """
    shown = [line((role, f"{text:^{rows}}"))]
    for ring in range(5, rows + 1, 2):
        told = text if ring == rows > LARGE else ""
        shown = [line((role, f" {told}")), *shown, line((role, f"{told:>{rows - 1}}"))]
    return framed(shown, rows + 2, role, glyphs)


def pip_die(
    face: int, pip: str, role: str, glyphs: Glyphs, foot: str = "", scale: int = 1
) -> list[Line]:
    """Return a die of five rows and nine columns, or with larger pips, that shows 1 to 6 pips."""
    rows = ["".join(each * scale for each in row).replace("o", pip) for row in PIPS[face]]
    shown = [line((role, row)) for row in rows for _part in range(scale)]
    return framed(shown, 2 + len(rows[0]), role, glyphs, foot)


def covered(tile: Sequence[Line], glyphs: Glyphs) -> list[Line]:
    """Return a tile as it looks before it is seen."""
    return [line(("dim", BACK[glyphs.unicode] * width(row))) for row in tile]


def abreast(tiles: Sequence[Sequence[Line]], gap: int = 1) -> list[Line]:
    """Return tiles side by side; each is as broad as its first row."""
    out = []
    for row in range(max(map(len, tiles), default=0)):
        spans: Line = ()
        for place, tile in enumerate(tiles):
            blank = (Span("text", " " * gap),) if place and gap else EMPTY
            spans += (*blank, *pad(tile[row] if row < len(tile) else EMPTY, width(tile[0])))
        out.append(spans)
    return out
