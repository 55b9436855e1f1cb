"""The games by name. A game's module is imported only when it is played."""

from __future__ import annotations

from importlib import import_module

from lanplay.engine.game import Game
from lanplay.errors import Fault, Mistake

NAMES = ("dice-town", "charidice", "fliptown", "dogs-life")


def load(name: str) -> Game:
    """Return the game of that name; ``Mistake``, a ``ValueError``, names the games there are."""
    if name not in NAMES:
        raise Mistake(Fault.NO_GAME, game=name, known=", ".join(NAMES))
    game: Game = import_module(f"lanplay.games.{name.replace('-', '_')}").GAME
    return game
