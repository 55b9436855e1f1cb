"""The rules pages in the browser: their Markdown as elements, and the page on which one reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Final

from markupsafe import Markup

from lanplay.games.wording import game_title
from lanplay.language import _
from lanplay.prose import paragraphs
from lanplay.ui import rulebook
from lanplay.web.elements import Kid, el, joined, some
from lanplay.web.live import Tap
from lanplay.web.pages import PageStack
from lanplay.web.regions import button, game_button, head, whole

_MARKS: Final = re.compile(r"\*\*(.+?)\*\*|\*(\S.*?)\*|`(.+?)`")
_NAMES: Final = ("b", "em", "code")
_ITEM: Final = re.compile(r"( *)- (.*)")


@lru_cache(maxsize=32)
def drawn(page: str) -> Markup:
    """Return a page of Markdown, or passages of it, as what it means."""
    inside = [
        each for kind, lines in groupby(paragraphs(page), _kind) for each in _DRAW[kind](lines)
    ]
    return el("div", *inside, class_="rules")


def _kind(line: str) -> str:
    if (mark := line.lstrip()[:1]) in ("#", "|"):
        return mark
    return "-" if _ITEM.match(line) else " "


def _headings(lines: Iterator[str]) -> Iterator[Markup]:
    for line in lines:
        text = line.lstrip("#")
        yield el("h2" if len(line) - len(text) == 1 else "h3", _marked(text.strip()))


def _table(lines: Iterator[str]) -> Iterator[Markup]:
    every = [line.strip().strip("|").split("|") for line in lines if "|---" not in line]
    rows = [[_marked(cell.strip()) for cell in cells] for cells in every]
    heads = el("tr", *(el("th", cell, scope="col") if cell else el("td") for cell in rows[0]))
    body = [el("tr", *(el("td", cell) for cell in row)) for row in rows[1:]]
    yield el(
        "div", el("table", el("thead", heads), el("tbody", *body)), tabindex="0", class_="wide"
    )


def _list(lines: Iterator[str]) -> Iterator[Markup]:
    items = [found for line in lines if (found := _ITEM.match(line))]
    yield el(
        "ul", *(el("li", _marked(each[2]), class_=some(each[1], "deep") or None) for each in items)
    )


def _prose(lines: Iterator[str]) -> Iterator[Markup]:
    for line in lines:
        if line:
            yield el("p", _marked(line.strip()))


_DRAW: Final = {"#": _headings, "|": _table, "-": _list, " ": _prose}


def _marked(text: str) -> Markup:
    """Return a line with what is bold, stressed or typed in it."""
    out: list[Kid] = []
    at = 0
    for found in _MARKS.finditer(text):
        kind = found.lastindex or 1
        out += [text[at : found.start()], el(_NAMES[kind - 1], _marked(found[kind]))]
        at = found.end()
    return joined([*out, text[at:]])


class RulesPage:
    """The rules of a game, to be read until they are closed; those of others are a tap away."""

    def __init__(self, pages: PageStack, game: str = "") -> None:
        self._pages = pages
        self._games = rulebook.games()
        self._game = game if game in self._games else self._games[0]

    def regions(self) -> Mapping[str, Markup]:
        """Return the rules, and the names of the games."""
        games = [game_button("read", name, self._game) for name in self._games]
        text = drawn(rulebook.shown(self._game))
        body = el("div", el("div", *games, class_="games"), text, class_="paper lobby")
        close = el("div", button(_("back"), "close", "", "main"), class_="ways")
        return whole(head=head(game_title(self._game)), board=body, ask=close)

    def act(self, tap: Tap) -> bool:
        """Take another game, or close."""
        verb, _sep, name = tap.do.partition(".")
        if verb == "read" and name in self._games:
            self._game = name
        elif verb == "close":
            self._pages.pop(self)
        else:
            return False
        return True
