"""What Charidice teaches: see ``teaching.toml``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from lanplay.engine.question import Question
from lanplay.engine.view import View
from lanplay.games.charidice.dice import DICE, faces
from lanplay.games.charidice.questions import Demand, Reroll, Score
from lanplay.games.charidice.sets import DOUBLED
from lanplay.games.charidice.table import ROUNDS, CharidiceTable
from lanplay.games.teaching import Lessons, Tip

MANY: Final = 3
"""Dice of one colour that are worth a word."""


def _tips(view: View[CharidiceTable], question: Question) -> Iterator[Tip]:
    """Yield what a newcomer could be told; see ``teaching.Tips``."""
    t, seat = view.table, view.seat
    match question:
        case Reroll():
            if t.rolls == 1:
                yield "first-roll", {}
            colours = Counter(colour for _number, colour in faces(t.dice))
            if len(colours) == DICE:
                yield "all-differ", {}
            if (most := max(colours.values())) >= MANY:
                yield "colour", {"count": most}
        case Score():
            yield "score", {}
            if any(number in DOUBLED for number in t.dice):
                yield "doubled", {}
        case Demand():
            if t.round == ROUNDS:
                yield "last", {}
            yield "demand", {}
    given = [sum(column) for column in t.given]
    if given[seat] == max(given) > 0:
        yield "given", {"points": given[seat]}


LESSONS: Final = Lessons.beside(__name__, tips=_tips)
