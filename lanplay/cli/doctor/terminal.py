"""The terminal: size, letters, colours."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from lanplay.cli.doctor.finding import Examined, Finding, note, ok
from lanplay.language import _

COLUMNS: Final = 80
LINES: Final = 24
LETTERS: Final = "áčřőű│─⚀♠"
"""What the screens draw with where the encoding can."""


def check(_examined: Examined) -> Iterator[Finding]:
    """Tell what the terminal can; nothing of it is a fault: lines of ASCII work everywhere."""
    if not (sys.stdout.isatty() and sys.stdin.isatty()):
        yield note("terminal", _("input or output is no terminal: games are played in lines"))
    else:
        yield _size()
    yield _letters()
    yield ok("colours", _colours())


def _size() -> Finding:
    size = shutil.get_terminal_size()
    text = f"{size.columns}x{size.lines}, TERM={os.environ.get('TERM', '')}"
    if size.columns < COLUMNS or size.lines < LINES:
        remedy = _("Make the window at least {columns}x{lines}, or play with --plain.")
        return note("terminal", text, remedy.format(columns=COLUMNS, lines=LINES))
    return ok("terminal", text)


def _letters() -> Finding:
    encoding = sys.stdout.encoding or "ascii"
    with suppress(UnicodeEncodeError, LookupError):
        LETTERS.encode(encoding)
        return ok("letters", encoding)
    text = _("{encoding} lacks some of the letters and signs of the screens")
    remedy = _(
        "Use a locale with UTF-8 (Windows: Windows Terminal); otherwise ASCII characters are "
        "shown instead."
    )
    return note("letters", text.format(encoding=encoding), remedy)


def _colours() -> str:
    if os.environ.get("NO_COLOR"):
        return _("none: NO_COLOR is set")
    from lanplay.tui.theme import able

    detected = able(os.environ) or "256"
    return _("none") if detected == "none" else detected
