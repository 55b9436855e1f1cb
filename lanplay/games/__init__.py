"""The games by name: our own, and those that installed packages bring.

A package brings a game by an entry point of the group ``lanplay.games``, named as the game, whose
object is its manifest (see docs/add-a-game.md). A game is imported when it is asked for by a name
that is known here: a name from the network is looked up, never imported. Of two with one name our
own counts; of two packages neither does, and both are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from lanplay.engine.game import Game
from lanplay.engine.manifest import GameManifest, Ref
from lanplay.engine.orders import OrderBook
from lanplay.errors import Fault, Mistake
from lanplay.extras import entry_points, owner
from lanplay.games.declared import PLAYED, misdeclared, unloadable
from lanplay.language import speak_also

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "lanplay.games"
OWN: Final[Mapping[str, Ref[GameManifest]]] = {
    "dice-town": Ref("lanplay.games.dice_town:MANIFEST"),
    "charidice": Ref("lanplay.games.charidice:MANIFEST"),
    "fliptown": Ref("lanplay.games.fliptown:MANIFEST"),
    "dogs-life": Ref("lanplay.games.dogs_life:MANIFEST"),
}
"""Our own games: a checkout has no entry points."""
NAMES: Final = tuple(OWN)


def names() -> tuple[str, ...]:
    """Return the names of all games: our own, then those of other packages that can be used."""
    return (*NAMES, *sorted(name for name in set(_installed()) - set(NAMES) if not why_not(name)))


def why_not(name: str) -> Mistake | None:
    """Return why a game cannot be used, if so."""
    try:
        load(name)
    except Mistake as mistake:
        return mistake
    return None


def others() -> tuple[str, ...]:
    """Return the names of all games that other packages bring, whether they can be used or not."""
    return tuple(sorted(_installed()))


def packages() -> Mapping[str, tuple[str, str]]:
    """Return by game of another package what that is called, and its outermost module."""
    first = {name: found[0] for name, found in _installed().items() if name not in OWN}
    return {name: (owner(e), e.module.partition(".")[0]) for name, e in first.items()}


def known(name: str) -> bool:
    """Tell whether there is a game of that name; it is not imported."""
    return name in OWN or name in _installed()


@cache
def manifest(name: str) -> GameManifest:
    """Return the manifest of a game.

    Raises ``Mistake``, a ``ValueError``: it names the games there are, the packages that bring two
    games of one name, or the package of one that cannot be used and why.
    """
    if name in OWN:
        return OWN[name].load()
    entries = _installed().get(name, ())
    if not entries:
        raise Mistake(Fault.NO_GAME, game=name, known=", ".join(names()))
    if len(entries) > 1:
        packages = ", ".join(sorted(map(owner, entries)))
        raise Mistake(Fault.GAME_TWICE, game=name, packages=packages)
    return _from(entries[0])


@cache
def load(name: str) -> Game:
    """Return the game of that name; ``Mistake`` as from ``manifest``."""
    found = manifest(name)
    try:
        if name not in OWN and (wrong := "; ".join(unloadable(found, PLAYED))):
            raise ValueError(wrong)
        return Game(found)
    except Exception as error:  # its rules may raise anything when they are imported
        if name in OWN:
            raise
        raise _unusable(_installed()[name][0], error) from error


def order_book(name: str) -> OrderBook | None:
    """Return what people may order in a game of that name; ``None`` where nothing reacts."""
    found = manifest(name).orders
    return None if found is None else found.load()


@cache
def _installed() -> Mapping[str, tuple[EntryPoint, ...]]:
    """Return the entry points by name; one that is found twice on the path counts once."""
    found: dict[str, dict[tuple[str, str], EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, {}).setdefault((owner(entry), entry.value), entry)
    return {name: tuple(entries.values()) for name, entries in found.items()}


def _from(entry: EntryPoint) -> GameManifest:
    try:
        found: Any = entry.load()
        if not isinstance(found, GameManifest):
            raise TypeError(f"{entry.value} is no GameManifest")
        if found.name != entry.name:
            raise ValueError(f"its manifest is of {found.name!r}")
        if wrong := "; ".join(misdeclared(found)):
            raise ValueError(f"its manifest has {wrong}")
    except Exception as error:  # whatever another package does wrong, a person gets a sentence
        raise _unusable(entry, error) from error
    if found.locale is not None:
        speak_also(found.locale, found.name)
    return found


def _unusable(entry: EntryPoint, error: Exception) -> Mistake:
    why = str(error) or type(error).__name__
    return Mistake(Fault.GAME_UNUSABLE, game=entry.name, package=owner(entry), why=why)
