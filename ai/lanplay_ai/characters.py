"""Bots as company: who sits down where a level is asked for, and what it says now and then.

A character has a name, a bot of that level with a plan of its own, and a temper. What it says
follows from the events that all see, never from its cards or from what it makes of them, so that
no remark tells anything; and from nothing else, so that all laptops show the same.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from lanplay.engine.question import Phrase
from lanplay.language import N_, _
from lanplay_ai import bots

EVERY: Final = 3
"""Of so many occasions one is taken."""
LEVELS: Final = (N_("beginner"), N_("casual"), N_("strong"), N_("expert"))


@dataclass(frozen=True, slots=True)
class Character:
    """A bot with a name and a temper; ``level`` is that of its bot."""

    name: str
    bot: str
    temper: str
    level: str

    @property
    def seated(self) -> str:
        """Its name as that of a seat: who it is and how well it plays."""
        return f"{self.name} ({self.level})"


def called(bot: str) -> str:
    """Return the name of a bot: a level in the language of the process."""
    return _(bot) if bot in LEVELS else bot


def played_by(bot: str) -> str:
    """Return what a seat's program is called."""
    return _("AI: {bot}").format(bot=called(bot))


def known_as(seat: str) -> str:
    """Return a seat's name with the level of its character in the language of the process."""
    name, _sep, level = seat.removesuffix(")").rpartition(" (")
    return f"{name} ({_(level)})" if name and level in LEVELS else seat


@cache
def characters(game: str) -> tuple[Character, ...]:
    """Return the characters of a game; none for one of another package."""
    known = bots(game)
    rows = [line.split() for line in _said()["same"].get(game, "").split("\n") if line]
    return tuple(Character(name, bot, temper, known[bot].level) for name, bot, temper in rows)


def cast(game: str, level: str, seats: int, start: int = 0) -> list[tuple[str, str]]:
    """Return names and bots for so many seats of a level, all different as far as there are any.

    ``start`` says with whom it begins. A bot that is no level, or has no character, is itself:
    then nothing is returned.
    """
    company = [each for each in characters(game) if each.level == level]
    if not company:
        return []
    begin = start % len(company)
    order = [*company[begin:], *company[:begin]]
    chosen = [order[place % len(order)] for place in range(seats)]
    return [(each.seated, each.bot) for each in chosen]


class Company:
    """The characters at a table, as their seats' names tell them."""

    def __init__(self, game: str, names: Sequence[str], programs: Collection[int]) -> None:
        """``programs`` are the seats that programs have."""
        by_name = {each.name: each for each in characters(game)}
        whose = {seat: names[seat].partition(" (")[0] for seat in programs}
        self._at = {seat: by_name[name] for seat, name in whose.items() if name in by_name}
        self._gain, self._lose = (_occasions(f"{kind}-{game}") for kind in ("gain", "lose"))
        self._names = names
        self._passed = 0
        self._begun = False

    def hears(self, event: Phrase) -> str:
        """Return what one of them says of an event, with its name; mostly nothing."""
        if event.id == "round" and not self._begun:
            self._begun = True
            if event.values.get("number") == 1 and self._at:
                return self._line(min(self._at), "sits")
        for kind, occasions in (("gains", self._gain), ("loses", self._lose)):
            seat = event.values.get(occasions.get(event.id, ""))
            if seat in self._at:
                self._passed += 1
                return "" if self._passed % EVERY else self._line(seat, kind)
        return ""

    def _line(self, seat: int, kind: str) -> str:
        character = self._at[seat]
        return f"{character.name}: {_(_said()[character.temper][kind])}"


@cache
def _said() -> dict[str, dict[str, str]]:
    text = files("lanplay_ai").joinpath("characters.toml").read_text("utf-8")
    return tomllib.loads(text)


def _occasions(name: str) -> dict[str, str]:
    """Return for each event that is an occasion the value that names the seat."""
    pairs = (each.partition("/") for each in _said()["same"].get(name, "").split())
    return {event: whose or "seat" for event, _slash, whose in pairs}
