"""Text that strangers wrote, made harmless to show: nicknames, table names, chat."""

import unicodedata
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

NICKNAME_LIMIT: Final = 20
"""Characters and terminal cells of a nickname."""

TABLE_NAME_LIMIT: Final = 32
"""Characters and terminal cells of a table's name."""

PLACEHOLDER: Final = "?"

_DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_MARKS = frozenset({"Mn", "Me", "Mc"})
_MARKS_PER_LETTER: Final = 2
"""Enough for every script in use (a Thai letter carries two), too few to paint over other rows."""

_SLACK: Final = 8
"""Raw characters looked at for each one that may be shown; bounds the work on a hostile text."""


def clean_text(text: str, limit: int, placeholder: str = PLACEHOLDER) -> str:
    """`text` as one harmless line of at most `limit` characters and `limit` terminal cells.

    Normalized to NFC. Control, format (bidi, zero width), surrogate, private and unassigned
    characters and letters that show as nothing are dropped; white space of any kind and length
    becomes one blank; a letter keeps at most two combining marks. Never empty: what leaves
    nothing becomes `placeholder`. Cleaning a second time changes nothing.

    The result depends on the Unicode version of this Python (unicodedata.unidata_version), so it
    is for showing and comparing on one machine, never for a hash that peers compare.
    """
    raw = text[: limit * _SLACK]
    composed = unicodedata.normalize("NFC", "".join(filter(_shows, raw)))
    words = "".join(_few_marks(composed)).split()
    return _cut(" ".join(words), limit).strip() or placeholder


def alike(name: str) -> str:
    """What names are compared by: two with the same of it may be taken for one another.

    Full-width and other compatibility letters count as the plain ones, capitals as small ones
    (Unicode 3.13, D146). For comparing on one machine only, never to show or to keep.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def cells(text: str) -> int:
    """Columns that `text` takes in a terminal: wide letters two, combining marks none (UAX 11)."""
    return sum(map(_width, text))


def _shows(letter: str) -> bool:
    if letter.isspace():
        return True
    return unicodedata.category(letter) not in _DROPPED_CATEGORIES and not _invisible(ord(letter))


def _invisible(code: int) -> bool:
    """Default_Ignorable_Code_Point outside category Cf (DerivedCoreProperties), and blank braille.

    Hangul fillers, the grapheme joiner, Khmer and Mongolian ignorables, variation selectors.
    """
    return (
        code in (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)
        or 0x180B <= code <= 0x180F
        or 0xFE00 <= code <= 0xFE0F
        or 0xE0100 <= code <= 0xE01EF
    )


def _few_marks(text: str) -> Iterator[str]:
    """The letters of `text`, each with its first marks; a mark with no letter before it goes."""
    room = 0
    for letter in text:
        if unicodedata.category(letter) in _MARKS:
            room -= 1
            if room < 0:
                continue
        else:
            room = 0 if letter.isspace() else _MARKS_PER_LETTER
        yield letter


def _cut(text: str, limit: int) -> str:
    used = 0

    def fits(letter: str) -> bool:
        nonlocal used
        used += _width(letter)
        return used <= limit

    return "".join(takewhile(fits, text[:limit]))


def _width(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
