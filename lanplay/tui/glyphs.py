"""What is drawn with: Unicode where the locale can, ASCII elsewhere; every glyph is one cell."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from unicodedata import normalize

from prompt_toolkit.utils import get_cwidth

from lanplay.language import BARE, in_c_locale


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of glyphs, one cell each; ``unicode`` tells which set it is."""

    unicode: bool
    rule: str
    bar: str
    more: str
    cursor: str
    chosen: str
    badge: str
    nugget: str
    store: str
    claim: str
    dot: str
    up: str
    down: str
    lock: str


_SIGNS = "─│…▸■★●▮▯·↑↓●"
UNICODE = Glyphs(True, *_SIGNS)
ASCII = Glyphs(False, *"-|~>x*osc-^vo")


def glyphs(ascii_only: bool = False, encoding: str | None = None) -> Glyphs:
    """Return ASCII if it is wanted or all that ``encoding`` (default: the output's) can."""
    if ascii_only or (encoding is None and in_c_locale(os.environ)):
        return ASCII
    chosen = encoding or getattr(sys.stdout, "encoding", None) or "ascii"
    with suppress(UnicodeEncodeError, LookupError):
        _SIGNS.encode(chosen)
        return UNICODE
    return ASCII


def spelled(text: str, chosen: Glyphs) -> str:
    """Return text that the glyphs' terminal can show: no control characters, ASCII if need be."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    if chosen.unicode or shown.isascii():
        return shown
    words = "".join(_ARROWS.get(letter, letter) for letter in shown).strip()
    if len(shown.strip()) < len(words) <= len(shown) and shown.endswith(" "):
        shown = words.ljust(len(shown))
    return "".join(letter if letter.isascii() else _plain(letter) for letter in shown)


_ARROWS = {"↑": "up", "↓": "dn", "←": "<-", "→": "->"}
"""Arrow keys where there is room for words, in a bar and in help: a bare v is another key."""
_PLAIN = {**BARE, "…": "~", "·": "-"}


def _plain(letter: str) -> str:
    """Return ASCII for a letter, as wide as it: without its accents, or question marks."""
    bare = _PLAIN.get(letter) or normalize("NFKD", letter)[0]
    return bare if bare.isascii() else "?" * get_cwidth(letter)
