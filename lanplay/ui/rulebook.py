"""The rules pages of the games: where they lie, and how one finds a rule in them.

A page is Markdown. A passage is a heading, a paragraph, a list item with what is indented under it,
or a row of a table. A rule's number is written ``XY-1.2`` (``XY-1`` names the whole section).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lanplay.errors import Fault, UserError
from lanplay.games import manifest, names
from lanplay.language import current
from lanplay.prose import paragraphs

PACKAGE = Path(__file__).resolve().parent.parent
FOLDERS = (PACKAGE.parent / "docs" / "rules", PACKAGE / "rules")
"""In a checkout, and in an installed package."""

_NUMBER = re.compile(r"(?:(?P<game>[A-Z]{2})-)?(?P<number>\d+(?:\.\d+)?)", re.IGNORECASE)


@cache
def folder() -> Path:
    """Return the folder of the rules pages."""
    for each in FOLDERS:
        if any(each.glob("*.md")):
            return each
    raise UserError(Fault.NO_PAGES)


def games() -> list[str]:
    """Return the names of the games on offer that have a rules page, sorted."""
    folder()
    return sorted(name for name in names() if manifest(name).pages is not None)


def text(game: str) -> str:
    """Return the rules page of ``game`` in the language of the process, else in English.

    Raises ``UserError`` if there is none, or no such game.
    """
    pages = manifest(game).pages
    if pages is None:
        raise UserError(Fault.NO_PAGE, game=game)
    home = folder() if pages.folder is None else pages.folder
    try:
        translated = home / current() / pages.page
        chosen = translated if translated.is_file() else home / pages.page
        return chosen.read_text(encoding="utf-8")
    except (AttributeError, OSError, TypeError, ValueError) as error:  # another package's
        raise UserError(Fault.NO_PAGE, game=game) from error


def shown(game: str, wanted: str = "") -> str:
    """Return what is shown of the rules inside a game, the whole page or what is ``wanted``.

    Where there is nothing, that is what is shown: it ends no game.
    """
    try:
        return matching(text(game), wanted) if wanted else text(game)
    except UserError as error:
        return str(error)


def front(page: str) -> list[str]:
    """Return the part of a page that has the game on one screen: the first under a heading."""
    found = list(passages(page))
    heads = [place for place, each in enumerate(found) if each.startswith("## ")]
    return found[heads[0] : (*heads, None, None)[1]] if heads else []


def matching(page: str, wanted: str) -> str:
    """Return the passages of ``page`` that carry a rule number or contain a text, in their order.

    ``DT-2.3`` and ``2.3`` name one rule, ``2`` all rules of that section. Text is found whatever
    its case. Raises ``UserError`` if nothing matches.
    """
    found = [passage for passage in passages(page) if _carries(passage, wanted)]
    if not found:
        raise UserError(Fault.NO_RULE, wanted=wanted)
    return "\n".join(found) + "\n"


def flowing(page: str) -> str:
    """Return a page or passages of it as plain text: paragraphs whole, without marks of Markdown.

    Rows of tables stay rows.
    """
    lines = [each.lstrip("# ") if each.startswith("#") else each for each in paragraphs(page)]
    return "\n".join(lines).replace("**", "")


def passages(page: str) -> Iterator[str]:
    """Yield the passages of ``page``: line breaks inside them are kept."""
    lines: list[str] = []
    for line in page.splitlines():
        if lines and (not line.strip() or line.startswith(("#", "|", "- "))):
            yield "\n".join(lines)
            lines = []
        if line.strip():
            lines.append(line)
    if lines:
        yield "\n".join(lines)


def _carries(passage: str, wanted: str) -> bool:
    number = _NUMBER.fullmatch(wanted)
    if not number:
        return wanted.casefold() in passage.casefold()
    game = number["game"].upper() if number["game"] else "[A-Z]{2}"
    rest = "" if "." in number["number"] else r"(?:\.\d+)?"
    return bool(re.search(rf"\*\*{game}-{re.escape(number['number'])}{rest}\b(?!\.\d)", passage))
