"""Where a game's seats get what they get, if the game says so.

A game may offer ``sources``, the names of its sources of income (each a column of the table of all
games), and ``income(table)``: for each source, in that order, how much each seat got there in a
finished game whose ``table.log`` was kept from the start. ``heard`` names the events that it reads
there: no others need be kept. A game offers all three, or none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol, runtime_checkable

from lanplay.engine.game import Game


@runtime_checkable
class HasIncome(Protocol):
    """A game that tells where its seats got what they got."""

    @property
    def sources(self) -> Sequence[str]: ...
    @property
    def heard(self) -> Collection[str]: ...

    def income(self, table: Any) -> Sequence[Sequence[int]]: ...


def listen(game: Game, table: Any) -> None:
    """Let a table keep what the game's income is read from, before the game begins."""
    if isinstance(game, HasIncome) and game.heard:
        table.log, table.heard = [], game.heard


def sources_of(game: Game) -> tuple[str, ...]:
    """Return the names of a game's sources of income; none if it does not tell."""
    return tuple(game.sources) if isinstance(game, HasIncome) else ()


def income_of(game: Game, table: Any) -> tuple[tuple[int, ...], ...]:
    """Return the income of a finished game: by source, then by seat."""
    if not isinstance(game, HasIncome):
        return ()
    return tuple([tuple(by_seat) for by_seat in game.income(table)])
