"""What has happened at a table so far, in words."""

from __future__ import annotations

from collections import deque
from typing import Final

from lanplay.engine.question import Phrase
from lanplay.language import _
from lanplay.told import worded
from lanplay.web.regions import BoardArtist, LogLine

LINES: Final = 60
"""Lines of the log that a page shows."""


class GameLog:
    """The newest ``lines`` of a game, and all of its ``events`` with their rounds."""

    def __init__(self, artist: BoardArtist) -> None:
        self._artist = artist
        self._count = 0
        self.lines: deque[LogLine] = deque(maxlen=LINES)
        self.events: list[tuple[int, Phrase]] = []

    def add(self, round_: int, message: Phrase) -> None:
        """Add an event of the game."""
        self.events.append((round_, message))
        if message.id == "round":
            self._line("round", _("round {number}").format(number=message.values["number"]))
        elif text := self._artist.word(message):
            self._line("event", text)

    def note(self, text: str) -> None:
        """Add what concerns the table."""
        for each in worded(text).split("\n"):
            self._line("note", each)

    def _line(self, kind: str, text: str) -> None:
        self._count += 1
        self.lines.append(LogLine(self._count, kind, text))
