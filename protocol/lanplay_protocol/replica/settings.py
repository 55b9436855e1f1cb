"""The settings of a table: what its peers agree on beside the rules of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.schema import fields, text, uint

PLAY, SEALED, PASS = "play", "sealed", "pass"
ABSENT = (PLAY, SEALED, PASS)
"""What may become of a person's seat while its laptop is out, each in its place on the wire."""
GRACE = 45
FOREVER = 0
DAY = 24 * 60 * 60
BOT = 32
FIELDS = 6
OPEN = 1
"""Comes last where windows are not hidden, and else not at all: as before there was a choice."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What happens to the seats of a laptop that is gone, who may watch, and what helps people.

    ``grace``: seconds to wait before an AI takes its seats; 0 means for ever. ``bot``: the AI that
    takes a person's seat. ``absent``: what becomes of that seat. Where it is ``sealed`` the AI
    learns neither the hand nor dice that it did not roll itself, unless the people open them;
    ``play`` is their yes in advance; ``pass``: no AI, the game's default answers. ``spectators``:
    whether anybody may watch without a seat. ``idle_limit``: seconds that a question waits before
    the person's own program lets an AI answer; 0 means for ever. ``hints``: whether programs give
    hints to their person; no table can see whether one does.
    ``hide_windows``: programs take time over reactions that nobody decides, so that whoever does
    cannot be told from them.
    """

    grace: int = GRACE
    bot: str = "random"
    absent: str = SEALED
    spectators: bool = True
    idle_limit: int = 0
    hints: bool = True
    hide_windows: bool = True

    def plain(self) -> tuple[Any, ...]:
        """Return the settings as plain data."""
        absent, watched = ABSENT.index(self.absent), int(self.spectators)
        opened = () if self.hide_windows else (OPEN,)
        return (self.grace, self.bot, absent, watched, self.idle_limit, int(self.hints), *opened)


def parse_settings(value: Any) -> TableSettings:
    """Return the settings of ``TableSettings.plain``; ``PeerError`` for any other shape."""
    opened = type(value) is tuple and len(value) == FIELDS + 1
    if opened and uint(value[FIELDS], 2, "windows") != OPEN:
        raise PeerError(Code.MALFORMED, "house rules say nothing of windows")
    rules = value[:FIELDS] if opened else value
    grace, bot, absent, watched, idle, hints = fields(rules, FIELDS, "house rules")
    return TableSettings(
        uint(grace, DAY, "grace"),
        text(bot, BOT, "AI"),
        ABSENT[uint(absent, len(ABSENT), "absent")],
        bool(uint(watched, 2, "watched")),
        uint(idle, DAY, "idle"),
        bool(uint(hints, 2, "hints")),
        not opened,
    )
