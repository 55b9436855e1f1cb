"""The random agent: plays any game by walking the dialogues of its questions."""

from __future__ import annotations

from typing import Any

from lanplay.engine.agent import Hint
from lanplay.engine.chance import Chance
from lanplay.engine.question import Answer, Message, Pick, PickSome, Question
from lanplay.engine.view import View


class RandomAgent:
    """Answers with legal picks drawn from its key; the same key and game, the same answers."""

    def __init__(self, key: bytes) -> None:
        self._chance = Chance(key)
        self._draws = 0

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return a legal answer (see ``Agent.answer``)."""
        dialogue = question.dialogue(view)
        try:
            step = next(dialogue)
            while True:
                step = dialogue.send(self._pick(step))
        except StopIteration as end:
            answer: Answer = end.value
            return answer

    def explain(self, view: View[Any], question: Question) -> Hint:
        """Return the answer and say that it was drawn by lot (see ``Adviser.explain``)."""
        draws = self._draws
        answer = self.answer(view, question)
        self._draws = draws
        return Hint(answer, Message("by-lot"))

    def _pick(self, step: Pick | PickSome) -> Answer:
        legal = step.legal()
        if isinstance(step, Pick):
            return legal[self._below(len(legal))]
        while True:
            spread = min(len(legal), step.at_most) - step.at_least + 1
            count = step.at_least + self._below(spread)
            chosen: tuple[Answer, ...] = ()
            if count:
                order = self._chance.permutation(len(legal), "some", (self._draws,))
                chosen = tuple([legal[place] for place in order[:count]])
            if step.why_not(chosen) is None:
                return chosen

    def _below(self, limit: int) -> int:
        self._draws += 1
        return self._chance.below(limit, "pick", (self._draws,))
