"""The twenty solo challenges as they are followed over games (FT-10.3)."""

from __future__ import annotations

from typing import Final

from lanplay.games.fliptown.ending import challenges
from lanplay.games.fliptown.setup import COWBOTS
from lanplay.games.fliptown.table import FliptownTable
from lanplay.games.fliptown.text import CHALLENGES

EVERY_COWBOT: Final = 14
TEXTS: Final = CHALLENGES
"""What each challenge asks for, in the order of their numbers from 1."""
PARTS: Final = {EVERY_COWBOT: len(COWBOTS)}
"""How many parts a challenge has that takes several games."""


def met(table: FliptownTable) -> tuple[tuple[int, int], ...]:
    """Return the challenges that a finished game meets, each as its number and which part of it.

    A game of several seats meets none.
    """
    if table.seats > 1:
        return ()
    return tuple([(n, table.cowbot if n == EVERY_COWBOT else 0) for n in challenges(table)])
