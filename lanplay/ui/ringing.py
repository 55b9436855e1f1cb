"""Calling somebody back who looks elsewhere: a bell, a notification of the desktop, the title.

Once for one thing, and only where no key was pressed for a while: whoever is there needs no bell.
The notification is what the terminal understands: OSC 9 (iTerm2, WezTerm, Ghostty), else OSC 777
(urxvt, foot, Konsole, kitty, ...), which others swallow; some have the bell alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final

QUIET: Final = 10.0
"""Seconds without a key after which somebody is taken to look elsewhere."""
BELL: Final = "\a"
OSC_9: Final = frozenset(("iTerm.app", "WezTerm", "ghostty"))
"""What ``TERM_PROGRAM`` is where OSC 9 is known."""
DEAF: Final = frozenset(("Apple_Terminal", "vscode", "Alacritty"))
"""And where there is the bell alone, as in a console of Windows: ``WT_SESSION``, or no ``TERM``."""


def sequence(how: str, text: str, environ: Mapping[str, str]) -> str:
    """Return what calls a person, to be written to its terminal; empty if it wants nothing."""
    if how == "off":
        return ""
    if how == "bell":
        return BELL
    text, program = _plain(text), environ.get("TERM_PROGRAM", "")
    if program in DEAF or "WT_SESSION" in environ or not (program or "TERM" in environ):
        return BELL
    body = f"9;lanplay: {text}" if program in OSC_9 else f"777;notify;lanplay;{text}"
    told = f"\x1b]{body}\x1b\\"
    if "TMUX" in environ:
        told = "\x1bPtmux;" + told.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return told + BELL


def _plain(text: str) -> str:
    """Return text without what a terminal would obey, nor what ends a field."""
    shown = (" " if unicodedata.category(letter).startswith("C") else letter for letter in text)
    return "".join(shown).replace(";", ",")


class Ringer:
    """Calls one person. ``clock`` tells seconds, ``write`` reaches the terminal.

    ``titled`` sets the title of the window, and an empty one gives back what it was. ``how`` may
    change at any time. Nothing is said twice before the person has pressed a key.
    """

    def __init__(
        self, how: str, environ: Mapping[str, str], clock: Callable[[], float] = monotonic
    ) -> None:
        self.how = how
        self._environ = environ
        self._clock = clock
        self._last = clock()
        self._told: set[str] = set()
        self.write: Callable[[str], None] = lambda _text: None
        self.titled: Callable[[str], None] = lambda _text: None

    def touched(self) -> None:
        """Take note that the person is there: it has pressed a key."""
        self._last = self._clock()
        if self._told:
            self._told.clear()
            self.titled("")

    def call(self, text: str) -> bool:
        """Call the person, unless it is there or wants no calls; return whether it was called."""
        away = self._clock() - self._last >= QUIET
        if self.how == "off" or not away or text in self._told:
            return False
        self.write(sequence(self.how, text, self._environ))
        self.titled(f"● {_plain(text)}")
        self._told.add(text)
        return True
