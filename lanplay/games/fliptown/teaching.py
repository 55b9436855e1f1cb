"""What Fliptown teaches: see ``teaching.toml``."""

from __future__ import annotations

from typing import Final

from lanplay.engine.question import Phrase
from lanplay.games.fliptown.codes import EFFECT
from lanplay.games.fliptown.map import TOWN
from lanplay.games.teaching import Lessons


def _key(label: Phrase) -> str:
    """Return which building a site or a task is, which thing a ware; all else goes by its name."""
    match dict(label.values):
        case {"item": item}:
            return f"item-{item}"
        case {"place": site} if site // 16 == TOWN:
            return f"building-{site % 16}"
        case {"task": task} if task > EFFECT:
            return f"building-{task - EFFECT}"
    return label.id


LESSONS: Final = Lessons.beside(__name__, _key)
