"""The table of Charidice: the six coloured dice, the best sets of the roll, everybody's sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lanplay.engine.question import Option, Question
from lanplay.games.charidice.dice import DICE, SIDES, faces
from lanplay.games.charidice.questions import Reroll, Score
from lanplay.games.charidice.rules import ROLLS
from lanplay.games.charidice.sets import best_sets
from lanplay.games.charidice.table import COLUMNS, ROUNDS, CharidiceTable
from lanplay.games.charidice.text import die_text, letter, word
from lanplay.language import _, pgettext
from lanplay.tui.cells import EMPTY, Line, Size, Span, clip, flow, line, pad, right, width
from lanplay.tui.drawing import gained, seat_name, turn
from lanplay.tui.glyphs import Glyphs
from lanplay.tui.tiles import abreast, covered, pip_die
from lanplay.ui.games.charidice import breakdown, standing
from lanplay.ui.scene import Scene

HUES: Final = ("red", "yellow", "green", "blue", "violet", "white")
"""The roles of the six colours, in the order of the game's own colours."""
PATTERNS: Final = {True: "▲●■◆★○", False: "^o#x*-"}
"""A pattern for each colour, so that it is told without any; in Unicode and in ASCII."""
TILE: Final = 6
"""Cells that a die takes."""
ROOMY: Final = 20
"""Rows from which on sheets are shown row by row, not as sums alone."""
LARGE: Final = 30
"""Rows from which on dice are drawn with their pips."""
LARGE_DICE: Final = 60
"""Columns that six of those take."""
HUGE: Final = 43
HUGE_DICE: Final = 102
"""Rows and columns from which on dice are twice as large, and rows of the sheets apart."""
RACE: Final = 8
"""Rows for own things from which on everybody's points are drawn as bars, too."""
NAME, POINTS = 24, 12
"""Cells of a name and of an amount beside those."""
ENTRIES: Final = range(4, 11)
"""Cells of a column of a sheet: the fewest, the most that its heading needs."""


class CharidiceScreen:
    """See ``lanplay.tui.games.GameScreen``."""

    def board(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the dice of the active seat with their best sets, above the sheets."""
        roomy = size.rows >= ROOMY
        sheets = _sheets(scene, size.columns, glyphs) if roomy else _sums(scene, size, glyphs)
        gap = [EMPTY] if roomy else []
        large = int(size.rows >= LARGE and size.columns >= LARGE_DICE)
        if size.rows >= HUGE and size.columns >= HUGE_DICE:
            large, sheets = 2, [row for each in sheets for row in (each, EMPTY)]
        dice = [*gap, *_dice(scene, glyphs, large), *gap]
        room = size.rows - len(sheets) - len(dice) - len(gap)
        best = _best(scene, size.columns, glyphs, roomy)[:room]
        return [*dice, *best, *gap, *sheets][: size.rows]

    def own(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return how the person's seat stands: points, place in giving, its greatest gift.

        Where there is room, bars compare all seats.
        """
        t, seat = scene.table, scene.seat
        if seat is None:
            return ()
        given = [sum(column) for column in t.given]
        charity = _("given {points}").format(points=given[seat])
        if given[seat] and given[seat] == max(given):
            charity = _("given {points}, the most").format(points=given[seat])
        gift = _("greatest gift still to come") if t.greatest[seat] else _("greatest gift used")
        score = line(("dim", _("Your score") + " "), ("you", str(_total(scene, seat))))
        left = line(("gold", charity), ("dim", f"  {glyphs.dot}  "), ("card", gift))
        own = [(*pad(left, size.columns - width(score)), *score)]
        large = size.rows >= RACE and size.columns >= HUGE_DICE
        return [*own, *(_race(scene, size.columns, glyphs) if large else ())]

    def option(self, scene: Scene, option: Option, glyphs: Glyphs) -> Line:
        """Return a die or a set in its colours, all else in words."""
        values = option.label.values
        if option.label.id == "die":
            return (_small(values["die"], glyphs),)
        if option.label.id == "set":
            return _set(values["dice"], values["points"], values["bonus"], values["gift"], glyphs)
        return (Span("text", word(option.label, scene.names)),)

    def rolls(self, question: Question) -> bool:
        """Tell that a roll comes before one rolls again or scores (CH-2.1)."""
        return isinstance(question, Reroll | Score)

    def signs(self, glyphs: Glyphs) -> Sequence[tuple[str, str]]:
        """Return the signs of dice, sets and sheets."""
        patterns = PATTERNS[glyphs.unicode]
        dice = " ".join(f"{letter(colour)}{patterns[colour]}" for colour in range(DICE))
        return (
            (glyphs.cursor, _("before a name: whose turn it is")),
            ("?", _("before a name: the game waits for this seat")),
            (dice, _("the six colours: each has a letter and a pattern")),
            (glyphs.up, _("under a die: it was rolled in the last roll")),
            (
                f"9+5 {_arrow(glyphs)}12",
                _("a set: points and bonus, and the gift that goes with it"),
            ),
            (f"{glyphs.badge}52", _("nobody has given more")),
            ("x2", _("this player's greatest gift is still to come")),
        )

    breakdown = staticmethod(breakdown)
    standing = staticmethod(standing)


SCREEN = CharidiceScreen()


# -- dice -----------------------------------------------------------------------------------------


def _pattern(colour: int, glyphs: Glyphs) -> str:
    return PATTERNS[glyphs.unicode][colour]


def _small(face: Sequence[int], glyphs: Glyphs) -> Span:
    """Return a die of five cells: its number, the letter of its colour, its pattern."""
    return Span(HUES[face[1]], f"[{die_text(face)}{_pattern(face[1], glyphs)}]")


def _dice(scene: Scene, glyphs: Glyphs, large: int) -> list[Line]:
    """Return whose dice they are, they themselves, and marks under those rolled last.

    ``large`` is by how much their pips are; 0: they have none.
    """
    t: CharidiceTable = scene.table
    if t.active < 0:
        return [line(("dim", " " + _("No dice lie on the table.")))]
    who = "you" if t.active == scene.seat else "title"
    head = line(" ", (who, scene.names[t.active]))
    if not t.dice:
        rolling = line(("dim", f"  {glyphs.dot}  " + _("the dice are rolling")))
        return [head + rolling, *[EMPTY] * 4]
    roll = _("roll {made} of {rolls}").format(made=t.rolls, rolls=ROLLS)
    head += line(("dim", f"  {glyphs.dot}  {roll}"))
    if t.demanded:
        head += line(("dim", f"  {glyphs.dot}  "), ("bad", _("greatest gift: it counts double")))
    shown = [_tumbling(scene, place, face) for place, face in enumerate(faces(t.dice))]
    tiles = [_large(face, glyphs, large) if large else _tile(face, glyphs) for face in shown]
    veiled = scene.effects.veiled
    tiles = [covered(tile, glyphs) if (0, n) in veiled else tile for n, tile in enumerate(tiles)]
    broad, gap = width(tiles[0][0]), 1 if large else 2
    marks = "".join(
        f"{(glyphs.up if t.rolled >> place & 1 else ' '):^{broad}}{' ' * gap}"
        for place in range(DICE)
    )
    rows = [line("  ") + row for row in abreast(tiles, gap)]
    return [head, *rows, line(("dim", f"  {marks}"))]


def _tile(face: tuple[int, int], glyphs: Glyphs) -> list[Line]:
    """Return a die of three rows in the pattern of its colour."""
    mark = _pattern(face[1], glyphs)
    edge = line((HUES[face[1]], mark * TILE))
    return [edge, line((HUES[face[1]], f"{mark} {die_text(face)} {mark}")), edge]


def _large(face: tuple[int, int], glyphs: Glyphs, scale: int) -> list[Line]:
    """Return a die with pips: those of its colour's pattern."""
    pip = _pattern(face[1], glyphs)
    return pip_die(face[0], pip, HUES[face[1]], glyphs, die_text(face), scale)


def _tumbling(scene: Scene, place: int, face: tuple[int, int]) -> tuple[int, int]:
    """Return the face that a die shows; one that was rolled last tumbles first."""
    if not scene.table.rolled >> place & 1:
        return face
    step = scene.rolling * (place + 1)
    return (face[0] - 1 + step) % SIDES + 1, (face[1] + step) % DICE


# -- sets -----------------------------------------------------------------------------------------


def _best(scene: Scene, columns: int, glyphs: Glyphs, roomy: bool) -> list[Line]:
    """Return the best sets of the dice, in as many lines as they need.

    There are none where the person is asked for one and has them below. While dice roll or are
    covered their lines are empty, so that they give nothing away.
    """
    t: CharidiceTable = scene.table
    asked = scene.asked.get(scene.seat) if scene.seat is not None else None
    if not t.dice or isinstance(asked, Score):
        return []
    factor = 2 if t.demanded else 1
    found = [
        _set(faces(t.dice, each.mask), each.points, each.bonus, each.gift * factor, glyphs)
        for each in best_sets(t.dice)
    ]
    head = [line(("dim", " " + _("Best sets: points + bonus, then the gift")))] if roomy else []
    out = [*head, *((Span("text", "  "), *spans) for spans in flow(found, columns - 2))]
    return [EMPTY] * len(out) if scene.rolling or scene.effects.veiled else out


def _set(
    dice: Sequence[tuple[int, int]], points: int, bonus: int, gift: int, glyphs: Glyphs
) -> Line:
    """Return a set: its dice, points and bonus, and what it gives away."""
    spans: Line = ()
    for face in dice:
        text = f"{die_text(face)}{_pattern(face[1], glyphs)} "
        spans += (Span(HUES[face[1]], text),)
    brings = f"{points}+{bonus}" if bonus else str(points)
    return (*spans, Span("good", brings), Span("dim", f" {_arrow(glyphs)}{gift}"))


def _arrow(glyphs: Glyphs) -> str:
    return "→" if glyphs.unicode else ">"


# -- sheets ---------------------------------------------------------------------------------------


def _heads(room: int) -> list[str]:
    """Return what the columns are called: as everywhere, and shorter where that has no room."""
    full = _("Dice"), _("Bonuses"), _("Received"), _("Given")
    short = pgettext("sheet", "Bonus"), pgettext("sheet", "Got"), pgettext("sheet", "Given")
    both = zip(full, (pgettext("sheet", "Dice"), *short), strict=True)
    return [long if len(long) < room else brief for long, brief in both]


def _sums(scene: Scene, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return a line for each seat: the sums of its four columns, its total, its greatest gift."""
    t: CharidiceTable = scene.table
    name = size.columns - 57
    head: Line = line(" " * (name + 5))
    for text in (*_heads(10), _("Total")):
        head += right(line(("dim", text)), 10)
    lines = [clip(head, size.columns)]
    for seat in range(t.seats):
        spans = (*turn(scene, seat, glyphs, " "), *seat_name(scene, seat, name, glyphs))
        for column in COLUMNS:
            spans += right(_entry(t, column, seat, glyphs), 10)
        spans += right(line(("you", str(_total(scene, seat)))), 10) + _greatest(t, seat)
        lines.append(clip(spans + gained(scene, seat), size.columns))
    return lines


def _entry(t: CharidiceTable, column: str, seat: int, glyphs: Glyphs) -> Line:
    """Return the sum of a column; the most that anybody has given is marked."""
    total = sum(t.column(column, seat))
    if column == "given" and total and total == max(map(sum, t.given)):
        return line(("gold", f"{glyphs.badge}{total}"))
    return line(str(total))


def _greatest(t: CharidiceTable, seat: int) -> Line:
    return line(("card", " x2")) if t.greatest[seat] else line("   ")


def _sheets(scene: Scene, columns: int, glyphs: Glyphs) -> list[Line]:
    """Return the whole sheets side by side: seven rows of four columns, sums and totals."""
    t: CharidiceTable = scene.table
    broad = min(len(COLUMNS) * ENTRIES[-1] + 4, columns // t.seats)
    blocks = [list(_sheet(scene, seat, broad - 2, glyphs)) for seat in range(t.seats)]
    out = []
    for row in zip(*blocks, strict=True):
        spans: Line = ()
        for cell in row:
            spans += (*pad(cell, broad - 2, glyphs.more), Span("text", "  "))
        out.append(clip(spans, columns))
    return out


def _sheet(scene: Scene, seat: int, columns: int, glyphs: Glyphs) -> Iterator[Line]:
    """Yield the lines of a sheet, as many for every seat."""
    t: CharidiceTable = scene.table
    entry = max(ENTRIES[0], columns // len(COLUMNS))
    yield (*turn(scene, seat, glyphs, " "), *seat_name(scene, seat, columns - 3, glyphs))
    heads = [
        text if len(text) < entry else text[: max(3, entry - 2)] + "." for text in _heads(entry)
    ]
    yield _cells([line(("dim", text[: entry - 1])) for text in heads], entry)
    for number in range(ROUNDS):
        entries = [t.column(column, seat)[number : number + 1] for column in COLUMNS]
        yield _cells([line(str(one[0]) if one else ("dim", glyphs.dot)) for one in entries], entry)
    yield line(("dim", glyphs.rule * min(columns, entry * len(COLUMNS))))
    yield _cells([_entry(t, column, seat, glyphs) for column in COLUMNS], entry)
    total = line(("you", _("total {points}").format(points=_total(scene, seat))))
    yield total + _greatest(t, seat) + gained(scene, seat)


def _race(scene: Scene, columns: int, glyphs: Glyphs) -> Iterator[Line]:
    """Yield a line for each seat: its points, and what it has given, as bars of one scale."""
    seats, given = range(scene.table.seats), [sum(column) for column in scene.table.given]
    totals = [_total(scene, seat) for seat in seats]
    broad, most = (columns - NAME) // 2 - POINTS, max(1, *totals, *given)
    for seat in seats:
        spans: Line = (Span("text", " "), *seat_name(scene, seat, NAME - 1, glyphs))
        for role, told, points in (
            ("you", _("total {points}"), totals[seat]),
            ("gold", _("given {points}"), given[seat]),
        ):
            spans += pad(line((role, told.format(points=points))), POINTS)
            spans += pad(line((role, glyphs.chosen * (points * (broad - 2) // most))), broad)
        yield spans


def _total(scene: Scene, seat: int) -> int:
    """Return the points of a seat as they are shown."""
    return scene.effects.shown("", seat, scene.table.total(seat))


def _cells(entries: Sequence[Line], columns: int) -> Line:
    spans: Line = ()
    for entry in entries:
        spans += right(entry, columns)
    return spans
