"""Where a game's seats get what they get, if its manifest says so (see ``Income``)."""

from __future__ import annotations

from typing import Any

from lanplay.engine.game import Game
from lanplay.engine.manifest import Income


def listen(game: Game, table: Any) -> None:
    """Let a table keep what the game's income is read from, before the game begins."""
    found = _income(game)
    if found is not None and found.heard:
        table.log, table.heard = [], found.heard


def sources_of(game: Game) -> tuple[str, ...]:
    """Return the names of a game's sources of income; none if it does not tell."""
    found = _income(game)
    return () if found is None else tuple(found.sources)


def income_of(game: Game, table: Any) -> tuple[tuple[int, ...], ...]:
    """Return the income of a finished game: by source, then by seat."""
    found = _income(game)
    return () if found is None else tuple([tuple(by_seat) for by_seat in found.of(table)])


def _income(game: Game) -> Income | None:
    ref = game.manifest.income
    return None if ref is None else ref.load()
