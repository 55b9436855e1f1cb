"""What Dice Town teaches: see ``teaching.toml``."""

from __future__ import annotations

from typing import Final

from lanplay.engine.question import Phrase
from lanplay.games.dice_town.cards import kind
from lanplay.games.teaching import Lessons


def _key(label: Phrase) -> str:
    """Return the kind of a card; all else goes by its name."""
    return kind(label.values["card"]) if label.id == "card" else label.id


LESSONS: Final = Lessons.beside(__name__, _key)
