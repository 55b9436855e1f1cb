"""What is drawn with: Unicode where the locale can, ASCII elsewhere; every glyph is one cell."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from unicodedata import normalize

from prompt_toolkit.utils import get_cwidth

from lanplay.language import BARE

C_LOCALES = ("C", "POSIX")
COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python takes for the C locale (PEP 538)."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of glyphs. ``unicode`` tells which it is."""

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
    fence: str
    dot: str
    up: str
    down: str
    lock: str


UNICODE = Glyphs(
    unicode=True,
    rule="─",
    bar="│",
    more="…",
    cursor="▸",
    chosen="■",
    badge="★",
    nugget="●",
    store="▮",
    claim="▯",
    fence="▥",
    dot="·",
    up="↑",
    down="↓",
    lock="●",
)
ASCII = Glyphs(
    unicode=False,
    rule="-",
    bar="|",
    more="~",
    cursor=">",
    chosen="x",
    badge="*",
    nugget="o",
    store="s",
    claim="c",
    fence="f",
    dot="-",
    up="^",
    down="v",
    lock="o",
)


def glyphs(ascii_only: bool = False, encoding: str | None = None) -> Glyphs:
    """Return ASCII if it is wanted or all that ``encoding`` (default: the locale's) can."""
    if ascii_only or (encoding is None and in_c_locale(os.environ)):
        return ASCII
    chosen = encoding or getattr(sys.stdout, "encoding", None) or locale.getpreferredencoding(False)
    return UNICODE if _can(chosen) else ASCII


def in_c_locale(environ: Mapping[str, str]) -> bool:
    """Tell whether the environment names the C locale, which promises no more than ASCII.

    Python writes UTF-8 there all the same (PEP 540), and sets ``LC_CTYPE`` (PEP 538) as if its
    person had; where nothing is named at all, most terminals can do it.
    """
    named = [environ.get("LC_ALL"), environ.get("LC_CTYPE"), environ.get("LANG")]
    if named[1] in COERCED and named[2] in C_LOCALES:
        named[1] = None
    return next(filter(None, named), "") in C_LOCALES


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
    return "".join(letter if letter.isascii() else _plain(letter) for letter in shown)


_PLAIN = {**BARE, "…": "~", "·": "-"}


def _plain(letter: str) -> str:
    """Return ASCII for a letter, as wide as it: without its accents, or question marks."""
    bare = _PLAIN.get(letter) or normalize("NFKD", letter)[0]
    return bare if bare.isascii() else "?" * get_cwidth(letter)
