"""Drawing that several screens share: pure functions from state to lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lanplay.engine.question import Option, Phrase
from lanplay.language import _
from lanplay.tui.cells import (
    EMPTY,
    Line,
    Span,
    cells,
    clip,
    cut,
    flow,
    line,
    marked,
    pad,
    pressing,
    width,
    wrap,
    wrapped,
)
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.alerts import seconds
from lanplay.ui.decision import Decision, numbers, own_number
from lanplay.ui.scene import Scene

Word = Callable[[Phrase], str]
"""Words a message in the person's language."""
Draw = Callable[[Option], Line]
"""Draws an option."""
Hint = tuple[str, str]
"""A key and what it does."""


def title(text: str, right: str, columns: int) -> Line:
    """Return the bar at the top: a title, and something at the right end."""
    left = cut(f" {text}", columns - cells(right) - 2)
    blanks = " " * (columns - cells(left) - cells(right) - 1)
    return line(("bar", f"{left}{blanks}{right} "))


def rule(text: str, columns: int, glyphs: Glyphs, role: str = "dim") -> Line:
    """Return a line across with a text in it."""
    head = f"{glyphs.rule}{glyphs.rule} {text} " if text else ""
    rest = glyphs.rule * max(0, columns - cells(head))
    if not text:
        return clip(line(("dim", rest)), columns)
    spans = line(("dim", f"{glyphs.rule}{glyphs.rule} "), (role, text), ("dim", f" {rest}"))
    return clip(spans, columns)


def key_bar(hints: Sequence[Hint], columns: int) -> Line:
    """Return the keys that do something now in one line, the first ones if not all have room.

    Every one is shown whole or not at all. Where some are missing, the help page lists them: if
    that is among the keys, it comes last then and says so.
    """
    shown = [_hint(*hint) for hint in hints]
    if sum(map(width, shown)) <= columns:
        return sum(shown, EMPTY)
    more = _hint(HELP, _("more")) if HELP in dict(hints) else EMPTY
    room = columns - width(more)
    spans: Line = ()
    for key, text in hints:
        if key == HELP:
            continue
        room -= width(_hint(key, text))
        if room < 0:
            break
        spans += _hint(key, text)
    return spans + more


def _hint(key: str, text: str) -> Line:
    name = _("Space") if key == "space" else " ".join(SHOWN.get(k, k) for k in key.split())
    return pressing(key.rpartition(" ")[2], line(("key", f" {name} "), ("dim", f"{text} ")))


def key_rows(hints: Sequence[Hint], columns: int) -> list[Line]:
    """Return all keys that do something now, in as many lines as they need."""
    rows: list[list[Hint]] = [[]]
    for hint in hints:
        if sum(width(_hint(*each)) for each in [*rows[-1], hint]) > columns:
            rows.append([])
        rows[-1].append(hint)
    return [key_bar(row, columns) for row in rows]


HELP = "?"
"""The key of the help page."""
SHOWN = {
    "enter": "Enter",
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "tab": "Tab",
    "backspace": "Backspace",
}
"""What keys are called on the screen where the name is not the key itself."""


def options(
    decision: Decision, draw: Draw, word: Word, columns: int, glyphs: Glyphs
) -> tuple[list[Line], int]:
    """Return the options of the step at hand, and how many stand side by side.

    What cannot be picked is there too, with the rule and, as far as there is room, the reason;
    who picks it all the same is told the whole of it.
    """
    items = [_option(decision, place, draw, word, glyphs) for place in range(len(decision.options))]
    broad = max(map(width, items), default=0)
    across = max(1, min(len(items), (columns + 2) // (broad + 2)))
    if across == 1 or any(decision.why_not(place) for place in range(len(items))):
        return [clip(item, columns, glyphs.more) for item in items], 1
    return flow(items, columns), across


def _option(decision: Decision, place: int, draw: Draw, word: Word, glyphs: Glyphs) -> Line:
    option = decision.options[place]
    here = place == decision.cursor
    number = numbers(decision.options)[place]
    mark = f"{glyphs.cursor if here else ' '}{number:>2} "
    if decision.several:
        mark += f"({glyphs.chosen if place in decision.chosen else ' '}) "
    told = draw(option)
    if told and own_number(option) == number:  # it is not said twice
        told = (told[0]._replace(text=told[0].text.removeprefix(f"{number} ")), *told[1:])
    spans = line(("cursor" if here else "dim", mark)) + told
    if (refused := decision.why_not(place)) is not None:
        why = f"{refused.rule}: {word(refused.message)}"
        spans = line(("off", f" {mark}")) + marked("off", spans[1:]) + line(("off", f"  {why}"))
    elif place in decision.chosen:
        spans = spans[:1] + tuple(s._replace(role="chosen") for s in spans[1:])
    return pressing(f"option {place}", spans)


def scrolled(lines: Sequence[Line], rows: int, keep: int, glyphs: Glyphs) -> list[Line]:
    """Return at most ``rows`` lines around line ``keep``; arrows say where there is more."""
    if len(lines) <= rows:
        return list(lines)
    start = max(0, min(keep - rows // 2, len(lines) - rows))
    out = list(lines[start : start + rows])
    if start:
        out[0] = line(("dim", f"{glyphs.up} ")) + out[0]
    if start + rows < len(lines):
        out[-1] = line(("dim", f"{glyphs.down} ")) + out[-1]
    return out


def log(lines: Sequence[Line], columns: int, rows: int, back: int = 0) -> list[Line]:
    """Return the end of a log, broken to ``columns``; ``back`` lines further up than the end."""
    wanted = rows + back
    out: list[Line] = []
    for spans in reversed(lines):
        if len(out) >= wanted:
            break
        out = wrap(spans, columns, 2) + out
    end = len(out) - min(back, max(0, len(out) - rows))
    return out[max(0, end - rows) : end]


def grid(rows: Sequence[Sequence[Line]], gap: int = 2) -> list[Line]:
    """Return a table whose columns are as wide as their widest cell; the first is left-aligned."""
    if not rows:
        return []
    broad = [max(width(row[place]) for row in rows) for place in range(len(rows[0]))]
    out: list[Line] = []
    for row in rows:
        spans: Any = pad(row[0], broad[0])
        for place, cell in enumerate(row[1:], 1):
            blanks = gap + broad[place] - width(cell)
            spans += (Span("text", " " * blanks), *cell)
        out.append(spans)
    return out


def seat_name(scene: Scene, seat: int, columns: int, glyphs: Glyphs) -> Line:
    """Return who sits on a seat in exactly ``columns`` cells, and what there is to know of it.

    That is in how many seconds AI takes the seat, as its laptop is missing, or that AI has it.
    """
    role = "you" if seat == scene.seat else "text"
    state = ""
    if seat in scene.missing:
        role, left = "bad", scene.missing[seat]
        state = f" {seconds(left)}" if left is not None else ""
    elif seat in scene.away:
        state = " " + _("(AI)")
    room = columns - cells(state)
    name = clip(line((role, shortened(scene.names[seat], room))), room, glyphs.more)
    return pad((*name, Span("bad" if role == "bad" else "think", state)), columns)


def turn(scene: Scene, seat: int, glyphs: Glyphs, gap: str = "") -> Line:
    """Return two marks: whose turn it is, and whether a seat is asked or its laptop missing."""
    mark = Span("badge", glyphs.cursor if seat == scene.table.active else " ")
    if seat in scene.missing:
        return mark, Span("bad", f"!{gap}")
    return mark, Span("think", f"{'?' if seat in scene.asked else ' '}{gap}")


def shortened(name: str, columns: int) -> str:
    """Return the name of a seat: where it has no room, without its level."""
    return name if cells(name) <= columns else name.partition(" (")[0]


def gained(scene: Scene, seat: int) -> Line:
    """Return what a seat has just got and lost: ``+3``; nothing where nothing was."""
    told = scene.effects.gains.get(seat, ())
    return tuple(Span("good" if text[0] == "+" else "bad", f" {text}") for text in told)


def paragraph(text: str, columns: int) -> list[Line]:
    """Return text with a margin."""
    return [(*line("  "), *spans) for spans in wrapped("text", text, columns - 4)]
