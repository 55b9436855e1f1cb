"""A page to read: scrolled, and searched with ``/``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanplay.language import _
from lanplay.prose import paragraphs
from lanplay.tui.cells import Line, Size, Span, fill, plain, wrap
from lanplay.tui.drawing import key_bar, title
from lanplay.tui.entry import Entry
from lanplay.tui.stage import Stage

CLOSING = ("escape", "q", "?", "enter")


class Pager:
    """Shows lines of any length. ``closed`` is called when the person has read enough.

    ``keys`` are further keys: what each is called and what it does. ``ends`` is what Enter is
    called, where the page is not one to come back from.
    """

    def __init__(
        self,
        stage: Stage,
        heading: str,
        lines: Sequence[Line],
        at_end: bool = False,
        keys: dict[str, tuple[str, Callable[[], None]]] | None = None,
        ends: str = "",
    ) -> None:
        self._stage = stage
        self._heading = heading
        self._text = lines
        self._keys = keys or {}
        self._ends = ends
        self._top = 1 << 30 if at_end else 0
        self._entry: Entry | None = None
        self._wanted = ""
        self._found: list[int] = []
        self._shown: list[Line] = []
        self._rows = 1

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the page from where it is scrolled to."""
        self._shown = broken(self._text, size.columns - 2)
        self._rows = size.rows - 2
        self._found = matches(self._shown, self._wanted)
        self._top = max(0, min(self._top, len(self._shown) - self._rows))
        body = self._shown[self._top : self._top + self._rows]
        place = f"{min(len(self._shown), self._top + self._rows)}/{len(self._shown)}"
        page = [(Span("text", " "), *highlighted(spans, self._wanted)) for spans in body]
        foot = self._entry.draw(size.columns) if self._entry else self._bar(size.columns)
        return [title(self._heading, place, size.columns), *fill(page, self._rows), foot]

    def _bar(self, columns: int) -> Line:
        ends = ("enter", self._ends) if self._ends else ("escape", _("back"))
        more = [("down", _("scroll")), ("pagedown", _("page"))]
        hints = [ends, *(more if len(self._shown) > self._rows else ()), ("/", _("search"))]
        hints += [("n", _("next match"))] if self._found else []
        if self._wanted and not self._found:
            hints.append(("", _("not found: {text}").format(text=self._wanted)))
        return key_bar([*hints, *((key, text) for key, (text, _do) in self._keys.items())], columns)

    def press(self, key: str) -> None:
        """Scroll, search or go back."""
        if self._entry is not None:
            self._typed(self._entry, key)
        elif key in (moves := self._moves()):
            self._top = moves[key]
        elif key == "/":
            self._entry = Entry(_("Search:"))
        elif key == "n" and self._wanted:
            self._next()
        elif key in self._keys:
            self._stage.pop(self)
            self._keys[key][1]()
        elif key in CLOSING:
            self._stage.pop(self)

    def _moves(self) -> dict[str, int]:
        """Return where each key scrolls to."""
        top, page = self._top, self._rows - 1
        moves = {"up": top - 1, "down": top + 1, "home": 0, "end": len(self._shown)}
        return moves | {"pageup": top - page, "pagedown": top + page, " ": top + page}

    def _typed(self, entry: Entry, key: str) -> None:
        if not entry.ends(key):
            return
        self._entry = None
        if key == "enter":
            self._wanted = entry.text
            self._found = matches(self._shown, self._wanted)
            self._top -= 1
            self._next()

    def _next(self) -> None:
        below = [place for place in self._found if place > self._top]
        if below or self._found:
            self._top = (below or self._found)[0]


def page(text: str) -> list[Line]:
    """Return a page of Markdown as lines to read: paragraphs whole, headings and numbers marked."""
    return [_marked(each) for each in paragraphs(text)]


def _marked(text: str) -> Line:
    if text.startswith("#"):
        return (Span("title", text.lstrip("# ")),)
    parts = enumerate(text.split("**"))
    return tuple(Span("you" if place % 2 else "text", part) for place, part in parts if part)


def broken(lines: Sequence[Line], columns: int) -> list[Line]:
    """Return lines broken to ``columns``."""
    return [part for spans in lines for part in wrap(spans, columns, 2)]


def matches(lines: Sequence[Line], wanted: str) -> list[int]:
    """Return the places of the lines that have a text in them, whatever its case."""
    if not wanted:
        return []
    sought = wanted.casefold()
    return [place for place, spans in enumerate(lines) if sought in plain(spans).casefold()]


def highlighted(spans: Line, wanted: str) -> Line:
    """Return a line in which a text is marked wherever it stands."""
    if not wanted or wanted.casefold() not in plain(spans).casefold():
        return spans
    return tuple(part for span in spans for part in _split(span, wanted.casefold()))


def _split(span: Span, wanted: str) -> Sequence[Span]:
    text, folded = span.text, span.text.casefold()
    if len(folded) != len(text):
        return [span]
    out = []
    start = 0
    while (place := folded.find(wanted, start)) >= 0:
        out.append(span._replace(text=text[start:place]))
        out.append(Span("found", text[place : place + len(wanted)]))
        start = place + len(wanted)
    return [each for each in (*out, span._replace(text=text[start:])) if each.text]
