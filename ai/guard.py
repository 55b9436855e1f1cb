"""A bot that may fail, with another that answers in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lanplay.engine.agent import Agent
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.language import N_, _

STRIKES = 3
"""After so many faults in one game a bot is not asked again in that game."""
FAILED = N_("The bot {bot} has failed; a simpler one answers in its place ({fault}).")


class Guarded:
    """Asks a bot; where it raises anything or answers against the rules, its stand-in answers.

    ``faults`` says what was wrong, one line each; ``told`` is called with a sentence for a person.
    What the stand-in answers is the answer given: it stands in the record.
    """

    def __init__(self, name: str, bot: Agent, stand_in: Agent) -> None:
        self.told: Callable[[str], None] = lambda sentence: None
        self._name = name
        self._bot = bot
        self._stand_in = stand_in
        self.faults: list[str] = []

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the bot's answer, or its stand-in's (see ``Agent.answer``)."""
        if len(self.faults) < STRIKES:
            try:
                answer = self._bot.answer(view, question)
                question.check(answer)
                question.check_own(answer, view)
            except Exception as error:  # whatever a bot does, the game goes on
                self.faults.append(f"{question.name}: {type(error).__name__}: {error}")
                self.told(_(FAILED).format(bot=self._name, fault=self.faults[-1]))
            else:
                return answer
        return self._stand_in.answer(view, question)
