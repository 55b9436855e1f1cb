"""The one place where tournaments get their bots, and what is done about one that fails."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any, Final

import ai
from lanplay.engine.agent import Agent
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.errors import Mistake, UserError
from lanplay.tournament.plan import Plan

STRIKES: Final = 3
"""After so many faults in one game a bot is not asked again in that game."""


def make(game: str, name: str, key: bytes) -> Agent:
    """Return the bot of that name for a game; ``ValueError`` names the bots there are."""
    return ai.make(name, key, game, programs=True)


def stand_in(game: str, key: bytes) -> Agent:
    """Return whoever answers for a bot that failed."""
    return ai.make(ai.plainest(game), key, game)


def check(plan: Plan) -> None:
    """Make each bot of a plan once; ``UserError`` says which bots there are."""
    for bot in dict.fromkeys(plan.entrants):
        try:
            make(plan.game, bot, plan.key("check"))
        except Mistake as error:
            raise UserError(error.told) from error


def seated(plan: Plan, deal: int, line_up: Sequence[int]) -> list[Contestant]:
    """Return the agents of one game.

    A seat's key belongs to the deal and the seat, so that a bot in the same seat of the same deal
    draws alike whoever else plays.
    """
    return [
        Contestant(plan, plan.entrants[entrant], plan.key("bot", deal, seat))
        for seat, entrant in enumerate(line_up)
    ]


def _judged(agent: Agent, view: View[Any], question: Question) -> Answer:
    """Return an agent's answer; ``Illegal`` or whatever it raises."""
    answer = agent.answer(view, question)
    question.check(answer)
    question.check_own(answer, view)
    return answer


class Contestant:
    """A bot at a tournament's table: timed, judged, and answered for when it fails.

    What it answers is legal: nobody has to check it again.
    ``decisions`` counts what it was asked, ``nanoseconds`` and ``slowest`` say how long it took,
    ``faults`` what was wrong: an answer against the rules, or any exception.
    """

    __slots__ = ("_bot", "_stand_in", "decisions", "faults", "nanoseconds", "slowest")

    def __init__(self, plan: Plan, name: str, key: bytes) -> None:
        self._bot = make(plan.game, name, key)
        self._stand_in = stand_in(plan.game, key)
        self.decisions = 0
        self.nanoseconds = 0
        self.slowest = 0
        self.faults: list[str] = []

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the bot's answer, or its stand-in's if the bot fails (see ``Agent.answer``)."""
        self.decisions += 1
        if len(self.faults) >= STRIKES:
            return _judged(self._stand_in, view, question)
        begun = perf_counter_ns()
        try:
            answer = _judged(self._bot, view, question)
        except Exception as error:  # whatever a bot does, the tournament goes on
            self.faults.append(f"{type(question).__name__}: {type(error).__name__}: {error}")
            answer = _judged(self._stand_in, view, question)
        took = perf_counter_ns() - begun
        self.nanoseconds += took
        self.slowest = max(self.slowest, took)
        return answer
