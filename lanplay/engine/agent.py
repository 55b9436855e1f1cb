"""The contract of whoever answers for a seat: a person's screen, a bot, a program outside."""

from __future__ import annotations

from typing import Any, Protocol

from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View


class Agent(Protocol):
    """Answers questions for one seat of one game."""

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return a legal answer to ``question``.

        Called only when there are two or more legal answers. ``view`` is the seat's own and stays
        valid for the whole game; it must not be changed. The answer must depend on nothing but the
        view, the question and the agent's own key, so that a game can be played again.
        """
        ...
