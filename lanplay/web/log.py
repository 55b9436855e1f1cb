"""What has happened at a table so far, in words."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from lanplay.engine.question import Phrase
from lanplay.language import _, current
from lanplay.told import Told, Way, worded
from lanplay.web.regions import BoardArtist, LogLine

LINES: Final = 60
"""Lines of the log that a page shows."""


class GameLog:
    """The newest ``lines`` of a game in the language that is spoken, and all of its ``events``."""

    def __init__(self, artist: BoardArtist) -> None:
        self._artist = artist
        self._count = 0
        self._lang = current()
        self._said: deque[tuple[int, str, Callable[[], str]]] = deque(maxlen=LINES)
        self._lines: deque[LogLine] = deque(maxlen=LINES)
        self.events: list[tuple[int, Phrase]] = []

    def add(self, round_: int, message: Phrase) -> None:
        """Add an event of the game."""
        self.events.append((round_, message))
        number = message.values.get("number")
        if message.id == "round" and number is not None:
            self._line("round", lambda: _("round {number}").format(number=number))
        elif self._artist.word(message):
            self._line("event", partial(self._artist.word, message))

    def note(self, text: str, way: Way = str) -> None:
        """Add what concerns the table; ``way`` says how commands are given there."""
        if isinstance(text, Told):
            self._line("note", partial(worded, text, way))
        else:
            for each in text.split("\n"):
                self._line("note", partial(str, each))

    def _line(self, kind: str, word: Callable[[], str]) -> None:
        self._count += 1
        self._said.append((self._count, kind, word))
        self._lines.append(LogLine(self._count, kind, word()))

    @property
    def lines(self) -> Sequence[LogLine]:
        """The lines; another language words them anew, as far as they were not words already."""
        if self._lang != current():
            self._lang = current()
            self._lines.clear()
            self._lines += [LogLine(number, kind, word()) for number, kind, word in self._said]
        return self._lines
