"""Bots that other packages bring: entry points of the group ``lanplay.bots``."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, partial
from typing import TYPE_CHECKING

import lanplay_ai as ai
from lanplay import games
from lanplay.engine.agent import Agent
from lanplay.errors import Fault, Mistake
from lanplay.extras import entry_points
from lanplay.language import _
from lanplay.told import Told
from lanplay_ai.bot import Bot

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "lanplay.bots"


def installed(game: str) -> dict[str, Bot]:
    """Return the bots of other packages for ``game``, sorted by name; none is imported yet."""
    return {
        name: Bot(_("from the package {name}").format(name=_package(entry)), partial(_made, entry))
        for name, entry in _found(game)
    }


def make(
    name: str, key: bytes, game: str, seconds: float | None, hidden: tuple[str, ...] | None = None
) -> Agent | None:
    """Return the bot of that name, ``None`` if there is none; ``Mistake`` if it cannot be used.

    It has so many seconds for a decision, or as many as others have.
    """
    entry = dict(_found(game)).get(name)
    return None if entry is None else _made(entry, key, seconds, hidden)


def astray(wanted: Collection[str] = ()) -> list[Told]:
    """Return what to tell of each bot that no game has, or of those with ``wanted`` names alone.

    Its game is not here, or not named, or has another bot of that name.
    """
    told: dict[tuple[str, str], Told] = {}
    entries = sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value))
    known, having = games.names() if entries else (), dict[str, str]()
    for entry in entries:
        (game, _dot, bot), package = entry.name.partition("."), _package(entry)
        has = "lanplay" if ai.own(bot, game) else having.setdefault(entry.name, package)
        named = {"bot": entry.name, "package": package}
        if game not in known or not bot:
            told[entry.name, package] = Fault.BOT_ASTRAY.of(**named, known=", ".join(known))
        elif has != package:
            told[entry.name, package] = Fault.BOT_TAKEN.of(**named, has=has)
    return [each for (name, _its), each in told.items() if name in (wanted or [name])]


@cache
def _found(game: str) -> tuple[tuple[str, EntryPoint], ...]:
    """Return the names and entry points of a game; of two with one name the first by package.

    A name of ours is ours, with a time behind it as well.
    """
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value)):
        of_game, dot, name = entry.name.partition(".")
        if of_game == game and dot and name and not ai.own(name, game):
            found.setdefault(name, entry)
    return tuple(found.items())


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module


def _shown(entry: EntryPoint) -> str:
    return f"{entry.name} ({_package(entry)})"


def version(name: str, game: str) -> str | None:
    """Return the version of the package that brings a bot; ``None`` if there is none."""
    entry = dict(_found(game)).get(name)
    its = entry.dist.version if entry and entry.dist else ""
    return None if entry is None else f"{_package(entry)} {its}".strip()


def _made(
    entry: EntryPoint,
    key: bytes,
    seconds: float | None = None,
    hidden: tuple[str, ...] | None = None,
) -> Agent:
    """Make a bot; ``Mistake`` names the package of one that cannot be.

    It has so many seconds for a decision (see ``PackageBot``).
    """
    from lanplay_ai.outside.package import PackageBot
    from lanplay_ai.outside.program import BotFault

    try:
        return PackageBot(entry, key, seconds, hidden)
    except BotFault as error:
        raise Mistake(Fault.BOT_UNUSABLE, bot=_shown(entry), why=str(error)) from error
