"""The random agent: plays any game by walking the dialogues of its questions."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Any, Final

from lanplay.engine.agent import Hint
from lanplay.engine.chance import Chance
from lanplay.engine.question import Answer, Phrase, PickSome, Question, WordedLater
from lanplay.engine.view import View

_WORDS: Final = Struct("<8Q").unpack
"""One digest feeds eight draws: the bias of a draw from so few options is below 2**-50."""


class RandomAgent:
    """Answers with legal picks drawn from its key; the same key and game, the same answers."""

    def __init__(self, key: bytes) -> None:
        self._chance = Chance(key)
        self._digests = 0
        self._words: list[int] = []

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return a legal answer (see ``Agent.answer``)."""
        dialogue = question.dialogue(view)
        send = dialogue.send
        try:
            step = next(dialogue)
            while True:
                options = step.options
                legal = options.values if type(options) is WordedLater else step.legal()
                if isinstance(step, PickSome):
                    step = send(self._some(step, legal))
                else:
                    words = self._words or self._more()
                    step = send(legal[words.pop() % len(legal)])
        except StopIteration as end:
            answer: Answer = end.value
            return answer

    def explain(self, view: View[Any], question: Question) -> Hint:
        """Return the answer and say that it was drawn by lot (see ``Adviser.explain``)."""
        state = self._digests, self._words[:]
        answer = self.answer(view, question)
        self._digests, self._words = state
        return Hint(answer, Phrase("by-lot"))

    def _some(self, step: PickSome, legal: Sequence[Answer]) -> tuple[Answer, ...]:
        least, count, why_not = step.at_least, len(legal), step.why_not
        spread = min(count, step.at_most) - least + 1
        words = self._words
        while True:
            words = words or self._more()
            left, chosen = [*legal], []
            for size in range(count, count - least - words.pop() % spread, -1):
                words = words or self._more()
                chosen.append(left.pop(words.pop() % size))
            picked = tuple(chosen)
            if why_not(picked) is None:
                return picked

    def _more(self) -> list[int]:
        """Return the next uniform numbers of 64 bits, to be drawn from their end."""
        self._digests += 1
        self._words = list(_WORDS(self._chance.digest("pick", (self._digests,))))
        return self._words
