"""Games that were kept, as a front end lists them and shows them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from lanplay.engine.game import Game
from lanplay.engine.stepper import Stepper


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A kept game: its file and name, and in words when it was, who played, and how it went."""

    path: Path
    game: str
    when: str
    players: str
    verdict: str = ""


@runtime_checkable
class Showcase(Protocol):
    """A front end that shows kept games."""

    async def history(self, games: Sequence[KeptGame], said: str = "") -> KeptGame | None:
        """Return the game that the person wants to see; ``None`` if it leaves."""

    async def replay(
        self, stepper: Stepper, game: Game, names: Sequence[str], seat: int | None
    ) -> None:
        """Let the person step through a record until it leaves."""
