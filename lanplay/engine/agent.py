"""The contract of whoever answers for a seat: a person's screen, a bot, a program outside."""

from __future__ import annotations

from typing import Any, Protocol

from lanplay.engine.frozen import frozen
from lanplay.engine.question import Answer, Phrase, Question
from lanplay.engine.view import View


@frozen
class Hint:
    """An answer and why: what a bot tells a person who asks for advice.

    ``reason`` is worded by the text of the game's bots (``lanplay_ai.worded``). ``odds`` is a
    probability from 0 to 1: the chance that what the answer is after comes about. ``worth`` is what
    the answer is expected to bring, in victory points. Either is ``None`` where it was not
    computed.
    """

    answer: Answer
    reason: Phrase
    odds: float | None = None
    worth: float | None = None


class Agent(Protocol):
    """Answers questions for one seat of one game."""

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return a legal answer to ``question``.

        Called only when there are two or more legal answers. ``view`` is the seat's own and stays
        valid for the whole game; it must not be changed. The answer must depend on nothing but the
        view, the question and the agent's own key, so that a game can be played again.
        """
        ...


class Adviser(Agent, Protocol):
    """An agent that can say why."""

    def explain(self, view: View[Any], question: Question) -> Hint:
        """Return the answer that ``answer`` gives to the same view and question, and its reason.

        Asking changes nothing: the agent's later answers are as if it had not been asked.
        """
        ...
