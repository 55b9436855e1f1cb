"""What is drawn with: Unicode where the locale can, ASCII elsewhere; every glyph is one cell."""

from __future__ import annotations

import locale
import os
import sys
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


UNICODE = Glyphs(True, *"─│…▸■★●▮▯·↑↓●")
ASCII = Glyphs(False, *"-|~>x*osc-^vo")


def glyphs(ascii_only: bool = False, encoding: str | None = None) -> Glyphs:
    """Return ASCII if it is wanted or all that ``encoding`` (default: the locale's) can."""
    if ascii_only or (encoding is None and in_c_locale(os.environ)):
        return ASCII
    chosen = encoding or getattr(sys.stdout, "encoding", None) or locale.getpreferredencoding(False)
    return UNICODE if _can(chosen) else ASCII


def _can(encoding: str) -> bool:
    try:
        "".join(v for v in _letters(UNICODE)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _letters(chosen: Glyphs) -> list[str]:
    values = [getattr(chosen, name) for name in Glyphs.__slots__]
    return [value for value in values if isinstance(value, str)]


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
