"""What a rule of a bot returns: the answer, and why, worked out only if somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from lanplay.engine.agent import Hint
from lanplay.engine.chance import Chance
from lanplay.engine.fast_value import FastValue
from lanplay.engine.question import Answer, Phrase, Question
from lanplay.engine.view import View
from lanplay_ai.random_agent import RandomAgent


class Reason(NamedTuple):
    """The id and values of a message, what the answer is worth, and its odds (see ``Hint``)."""

    id: str
    values: dict[str, Any]
    worth: float | None = None
    odds: float | None = None

    def hint(self, answer: Answer) -> Hint:
        """Return an answer with this reason as it is told."""
        return Hint(answer, Phrase(self.id, self.values), self.odds, self.worth)


class BotDecision(FastValue):
    """An answer; ``why`` works out its reason."""

    __slots__: Final = ("answer", "why")

    def __init__(self, answer: Answer, why: Callable[[], Reason]) -> None:
        self.answer: Final = answer
        self.why: Final = why

    def hint(self) -> Hint:
        """Return the decision as it is told."""
        return self.why().hint(self.answer)


def decided(
    answer: Answer,
    reason: str,
    worth: float | None = None,
    odds: float | None = None,
    **values: Any,
) -> BotDecision:
    """Return a decision whose reason is at hand."""
    return BotDecision(answer, lambda: Reason(reason, values, worth, odds))


def by_lot(
    chance: Chance, blunders: int, view: View[Any], question: Question
) -> BotDecision | None:
    """Return a decision that is a blunder, which ``blunders`` of 1,000 are; else ``None``."""
    if not blunders or chance.below(1_000, "blunder", at := (len(view.history),)) >= blunders:
        return None
    return decided(RandomAgent(chance.digest("lot", at)).answer(view, question), "by-lot")
