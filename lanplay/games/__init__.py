"""The games by name. A game's module is imported only when it is played."""

from __future__ import annotations

from importlib import import_module

from lanplay.engine.game import Game

NAMES = ("dice-town", "charidice")


def load(name: str) -> Game:
    """Return the game of that name; ``ValueError`` names the games there are."""
    if name not in NAMES:
        raise ValueError(f"there is no game {name!r}; there are: {', '.join(NAMES)}")
    game: Game = import_module(f"lanplay.games.{name.replace('-', '_')}").GAME
    return game
