"""The check of what rules import: all that decides is in the game's package and the engine."""

from __future__ import annotations

from collections.abc import Iterator

from lanplay.engine.fingerprint import foreign_imports
from lanplay.engine.game import Game


def pure(game: Game) -> Iterator[str]:
    """Follow the imports of the rules."""
    for module, imported in foreign_imports(game.manifest):
        yield f"{module} imports {imported}: rules may use the engine and pure modules only"
