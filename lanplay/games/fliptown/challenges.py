"""The twenty solo challenges as they are followed over games (FT-10.3)."""

from __future__ import annotations

from typing import Final

from lanplay.engine.manifest import Challenges
from lanplay.games.fliptown.ending import challenges
from lanplay.games.fliptown.setup import COWBOTS
from lanplay.games.fliptown.table import FliptownTable
from lanplay.games.fliptown.text import CHALLENGES as TEXTS

EVERY_COWBOT: Final = 14


def met(table: FliptownTable) -> tuple[tuple[int, int], ...]:
    """Return the challenges that a finished game meets, each as its number and which part of it.

    A game of several seats meets none.
    """
    if table.seats > 1:
        return ()
    return tuple([(n, table.cowbot if n == EVERY_COWBOT else 0) for n in challenges(table)])


CHALLENGES: Final = Challenges(TEXTS, {EVERY_COWBOT: len(COWBOTS)}, met)
