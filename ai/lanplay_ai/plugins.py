"""Bots that other packages bring: entry points of the group ``lanplay.bots``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache, partial
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import lanplay_ai as ai
from lanplay import games
from lanplay.engine.agent import Agent
from lanplay.errors import Fault, Mistake
from lanplay.extras import entry_points, owner
from lanplay.language import _
from lanplay.told import Told
from lanplay_ai.bot import Bot

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "lanplay.bots"


def installed(game: str) -> dict[str, Bot]:
    """Return the bots of other packages for ``game``, sorted by name; none is imported yet."""
    return {
        name: Bot(_("from the package {name}").format(name=owner(entry)), partial(_made, entry))
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
        (game, _dot, bot), package = entry.name.partition("."), owner(entry)
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


def version(name: str, game: str) -> str | None:
    """Return the version of the package that brings a bot, with a hash of its files.

    ``None`` if there is none. Of one that is not there any more the hash is that of no files.
    """
    entry = dict(_found(game)).get(name)
    if entry is None:
        return None
    its: list[str | None] = []
    with suppress(OSError, KeyError):
        its = [owner(entry), entry.dist.version if entry.dist else ""]
    return " ".join(filter(None, (*its, _hash(_files(entry)))))


def _files(entry: EntryPoint) -> dict[str, Path]:
    """Return the files that a bot is made of, by their names there.

    They are all that its package has installed, and the code of its module, which lies elsewhere
    if that is worked on (``pip install -e``).
    """
    listed = (entry.dist.files if entry.dist else None) or ()
    found = {str(each): Path(str(each.locate())) for each in listed if _counts(each)}
    top, spec = entry.value.partition(":")[0].partition(".")[0].strip(), None
    with suppress(ImportError, ValueError):
        spec = find_spec(top)
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in Path(folder).rglob("*.py"):
            found[f"{top}/{path.relative_to(folder).as_posix()}"] = path
    if spec and spec.origin and not spec.submodule_search_locations:
        found[Path(spec.origin).name] = Path(spec.origin)
    return found


def _counts(path: PurePath) -> bool:
    """Tell whether a file is part of a bot, wherever it was installed and by what."""
    top = path.parts[0]
    setup = top == ".." or top.endswith((".dist-info", ".egg-info")) or top.startswith("__edit")
    return not setup and path.suffix not in (".pth", ".pyc")


def _hash(files: Mapping[str, Path]) -> str:
    hasher = blake2b(digest_size=16)
    for name in sorted(files):
        with suppress(OSError):
            content = files[name].read_bytes()
            hasher.update(f"{name} {len(content)} ".encode() + content)
    return hasher.hexdigest()


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
        shown = f"{entry.name} ({owner(entry)})"
        raise Mistake(Fault.BOT_UNUSABLE, bot=shown, why=str(error)) from error
