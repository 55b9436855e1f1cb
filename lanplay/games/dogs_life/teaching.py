"""What A Dog's Life teaches: see ``teaching.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lanplay.engine.question import Question
from lanplay.engine.view import View
from lanplay.games.dogs_life.dogs import BONE, DOGS, NOTHING
from lanplay.games.dogs_life.questions import Act, Steer
from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.teaching import Lessons, Tip

HUNGRY: Final = 1
MOST: Final = 2
"""What a dog carries at most (DL-3.2)."""


def _tips(view: View[DogsLifeTable], question: Question) -> Iterator[Tip]:
    """Yield what a newcomer could be told; see ``teaching.Tips``."""
    t, seat = view.table, view.seat
    if isinstance(question, Steer):
        yield "van", {}
    if not isinstance(question, Act):
        return
    yield "first", {}
    if t.hunger[seat] <= HUNGRY:
        yield "food", {"food": t.hunger[seat]}
    if t.bones[seat]:
        yield "bone", {}
    if t.papers[seat]:
        yield "paper", {}
    if t.bones[seat] + len(t.papers[seat]) == MOST:
        yield "full", {}
    step = next(question.dialogue(view))
    offered = {option.label.id for option in step.options}
    if "do-attack" in offered:
        yield "rival", {}
    if "do-search" in offered:
        trash = DOGS[t.dogs[seat]].trash
        yield "odds", {"bones": trash.count(BONE), "nothing": trash.count(NOTHING)}
    if "do-piddle" in offered:
        yield "lamp", {}
    yield "things", {}


LESSONS: Final = Lessons.beside(__name__, tips=_tips)
