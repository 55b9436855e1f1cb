"""The beginner: keeps what it has most of, scores the most points, gives no thought to gifts."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.agent import Hint
from lanplay.engine.question import Answer, Phrase, Question
from lanplay.games.charidice.dice import ALL, DICE, Dice, colours, faces
from lanplay.games.charidice.questions import CharidiceView, Demand, Reroll, Score
from lanplay.games.charidice.sets import DiceSet, best_sets

CONTENT = 4
"""So many dice alike, and it stops."""


class Beginner:
    """Answers by what it sees and nothing else."""

    def answer(self, view: CharidiceView, question: Question) -> Answer:
        """Return the plainest answer (see ``Agent.answer``)."""
        if isinstance(question, Demand):
            return 1
        if isinstance(question, Reroll):
            kept = most_alike(question.dice)
            return 0 if kept.bit_count() >= CONTENT else ALL & ~kept
        assert isinstance(question, Score), "the game asks nothing else"
        return _most(question.dice).mask

    def explain(self, view: CharidiceView, question: Question) -> Hint:
        """Return the answer and the simple rule behind it (see ``Adviser.explain``)."""
        answer = self.answer(view, question)
        if isinstance(question, Demand):
            return Hint(answer, Phrase("demand-first", {"seat": question.giver}))
        if isinstance(question, Reroll):
            kept = faces(question.dice, most_alike(question.dice))
            return Hint(answer, Phrase("keep-alike", {"dice": kept}))
        assert isinstance(question, Score), "the game asks nothing else"
        return Hint(answer, Phrase("score-most"), worth=_most(question.dice).worth)


def _most(dice: Dice) -> DiceSet:
    """Return the set that brings most points."""
    return best_sets(dice)[0]


def most_alike(dice: Dice) -> int:
    """Return the mask of the most dice with one number or one colour; the highest of as many."""
    groups = [_alike(marks, mark) for marks in (dice, colours(dice)) for mark in set(marks)]
    return max(groups, key=lambda mask: (mask.bit_count(), _sum(dice, mask), mask))


def _alike(marks: Sequence[int], mark: int) -> int:
    return sum(1 << place for place in range(DICE) if marks[place] == mark)


def _sum(dice: Dice, mask: int) -> int:
    return sum(number for place, number in enumerate(dice) if mask >> place & 1)
