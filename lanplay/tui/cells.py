"""Lines of marked text, measured in terminal cells: never in characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from prompt_toolkit.utils import get_cwidth


class Span(NamedTuple):
    """A piece of text; ``role`` says what it is (see ``theme``), ``press`` the key it stands for.

    A click on it is that key.
    """

    role: str
    text: str
    press: str = ""


Line: TypeAlias = tuple[Span, ...]


class Size(NamedTuple):
    """A rectangle of terminal cells."""

    columns: int
    rows: int


EMPTY: Line = ()


def line(*parts: str | Span | tuple[str, str]) -> Line:
    """Return a line of spans, pairs of role and text, and ordinary text."""
    return tuple(Span("text", part) if isinstance(part, str) else Span(*part) for part in parts)


def cells(text: str) -> int:
    """Return how many cells a text takes."""
    return get_cwidth(text)


def width(spans: Line) -> int:
    """Return how many cells a line takes."""
    return sum(cells(span.text) for span in spans)


def plain(spans: Line) -> str:
    """Return the text of a line alone."""
    return "".join(span.text for span in spans)


def cut(text: str, limit: int) -> str:
    """Return as much of a text as fits into ``limit`` cells."""
    if cells(text) <= limit:
        return text
    taken = 0
    for place, letter in enumerate(text):
        taken += cells(letter)
        if taken > limit:
            return text[:place]
    return text


def clip(spans: Line, limit: int, more: str = "") -> Line:
    """Return a line that takes at most ``limit`` cells; ``more`` marks where something is gone."""
    if width(spans) <= limit:
        return spans
    limit -= cells(more)
    kept: list[Span] = []
    for span in spans:
        room = limit - width(tuple(kept))
        kept.append(span._replace(text=cut(span.text, max(0, room))))
    mark = (Span("dim", more),) if more else ()
    return tuple(span for span in kept if span.text) + mark


def pad(spans: Line, limit: int, more: str = "") -> Line:
    """Return a line that takes exactly ``limit`` cells."""
    fitting = clip(spans, limit, more)
    blanks = limit - width(fitting)
    return (*fitting, Span("text", " " * blanks)) if blanks else fitting


def right(spans: Line, limit: int) -> Line:
    """Return a line of exactly ``limit`` cells with its text at the right end."""
    fitting = clip(spans, limit)
    blanks = limit - width(fitting)
    return (Span("text", " " * blanks), *fitting) if blanks else fitting


def marked(role: str, spans: Line) -> Line:
    """Return a line whose ordinary text has another role; marked pieces keep theirs."""
    return tuple(s._replace(role=role) if s.role == "text" else s for s in spans)


def pressing(key: str, spans: Line) -> Line:
    """Return a line that is a key when it is clicked."""
    return tuple(span._replace(press=key) for span in spans)


def wrap(spans: Line, limit: int, indent: int = 0) -> list[Line]:
    """Return a line broken at blanks into lines of at most ``limit`` cells, at least one.

    All lines but the first begin with ``indent`` blanks. A word too long for a line is cut.
    """
    if width(spans) <= limit:
        return [spans]
    out: list[list[Span]] = [[]]
    room = limit
    for span in spans:
        for word in _words(span):
            if cells(word.text.rstrip()) > room and out[-1] and room < limit:
                out.append([Span("text", " " * indent)] if indent else [])
                room = limit - indent
                word = word._replace(text=word.text.lstrip())
            for piece in _pieces(word, room, limit - indent):
                if out[-1] and cells(piece.text.rstrip()) > room:
                    out.append([Span("text", " " * indent)] if indent else [])
                    room = limit - indent
                out[-1].append(piece)
                room -= cells(piece.text)
    return [clip(tuple(spans), limit) for spans in out]


def _words(span: Span) -> Iterable[Span]:
    start = 0
    text = span.text
    for place in range(1, len(text) + 1):
        if place == len(text) or (text[place - 1] == " " and text[place] != " "):
            yield span._replace(text=text[start:place])
            start = place


def _pieces(word: Span, room: int, full: int) -> Iterable[Span]:
    text = word.text
    if cells(text.rstrip()) <= max(room, full):
        yield word
        return
    while text:
        piece = cut(text, max(1, full)) or text[0]
        yield word._replace(text=piece)
        text = text[len(piece) :]


def wrapped(role: str, text: str, limit: int, indent: int = 0) -> list[Line]:
    """Return text of one role as lines; its own line ends stay."""
    out: list[Line] = []
    for each in text.split("\n"):
        out += wrap((Span(role, each),), limit, indent)
    return out


def beside(left: Sequence[Line], other: Sequence[Line], columns: int, gap: Line) -> list[Line]:
    """Return two blocks side by side, the left one ``columns`` cells wide."""
    rows = max(len(left), len(other))
    return [
        (*pad(left[row] if row < len(left) else EMPTY, columns), *gap)
        + (other[row] if row < len(other) else EMPTY)
        for row in range(rows)
    ]


def flow(items: Sequence[Line], columns: int, gap: int = 2) -> list[Line]:
    """Return items in as many equally wide columns as fit, row by row."""
    if not items:
        return []
    broad = min(max(map(width, items)), columns)
    across = max(1, (columns + gap) // (broad + gap))
    rows = []
    for start in range(0, len(items), across):
        row: Line = ()
        for place, item in enumerate(items[start : start + across]):
            row += (Span("text", " " * gap), *pad(item, broad)) if place else pad(item, broad)
        rows.append(row)
    return rows


def fill(lines: Sequence[Line], rows: int) -> list[Line]:
    """Return exactly ``rows`` lines: the first ones, with empty ones below."""
    return [*lines[:rows], *[EMPTY] * (rows - len(lines))]
