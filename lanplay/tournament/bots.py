"""The one place where tournaments get their bots, and what is done about one that fails."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any, Final

import ai
from lanplay.engine.agent import Agent
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.errors import Fault, Mistake, UserError
from lanplay.told import Told
from lanplay.tournament.noting import Noted
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
    """Make each bot of a plan once and start its program; ``UserError`` says what is wrong."""
    for bot in dict.fromkeys(plan.entrants):
        try:
            ai.check(bot, plan.key("check"), plan.game)
        except Mistake as error:
            raise UserError(error.told) from error


def guests(plan: Plan) -> list[str]:
    """Return the bots of other packages in a plan, which play in lanplay's own processes."""
    return [bot for bot in dict.fromkeys(plan.entrants) if ai.guest(bot, plan.game)]


def _guest(plan: Plan, name: str, key: bytes) -> Agent:
    try:
        return Noted(name, make(plan.game, name, key))
    except Mistake as error:
        if isinstance(error.told, Told) and error.told.saying is Fault.NO_BOT:
            raise UserError(error.told) from error
        return Unmade(error)


class Unmade:
    """A bot that could not be made, though it could when the run was checked."""

    def __init__(self, why: Exception) -> None:
        self._why = why

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Raise why there is nobody to answer."""
        raise self._why


def seated(plan: Plan, deal: int, line_up: Sequence[int]) -> list[Contestant]:
    """Return the agents of one game.

    A seat's key belongs to the deal and the seat, so that a bot in the same seat of the same deal
    draws alike whoever else plays.
    """
    return [
        Contestant(plan, plan.entrants[entrant], plan.key("bot", deal, seat))
        for seat, entrant in enumerate(line_up)
    ]


def judged(agent: Agent, view: View[Any], question: Question) -> Answer:
    """Return an agent's answer; ``Illegal`` or whatever it raises."""
    answer = agent.answer(view, question)
    question.check(answer)
    question.check_own(answer, view)
    return answer


class Contestant:
    """A bot at a tournament's table: timed, judged, and answered for when it fails.

    What it answers is legal: nobody has to check it again.
    ``decisions`` counts what it was asked and ``spared`` how often its stand-in was asked at once,
    ``nanoseconds`` and ``slowest`` say how long it took, ``faults`` what was wrong: an answer
    against the rules, or any exception. ``guest`` says that it is a bot of another package.
    """

    __slots__ = (
        "_bot",
        "decisions",
        "faults",
        "guest",
        "nanoseconds",
        "slowest",
        "spared",
        "stand_in",
    )

    def __init__(self, plan: Plan, name: str, key: bytes) -> None:
        self.guest = ai.guest(name, plan.game)
        self._bot = _guest(plan, name, key) if self.guest else make(plan.game, name, key)
        self.stand_in = stand_in(plan.game, key)
        self.decisions = 0
        self.spared = 0
        self.nanoseconds = 0
        self.slowest = 0
        self.faults: list[str] = []

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the bot's answer, or its stand-in's if the bot fails (see ``Agent.answer``)."""
        self.decisions += 1
        if len(self.faults) >= STRIKES:
            self.spared += 1
            return judged(self.stand_in, view, question)
        begun = perf_counter_ns()
        try:
            answer = judged(self._bot, view, question)
        except Exception as error:  # whatever a bot does, the tournament goes on
            self.faults.append(f"{type(question).__name__}: {type(error).__name__}: {error}")
            answer = judged(self.stand_in, view, question)
        took = perf_counter_ns() - begun
        self.nanoseconds += took
        self.slowest = max(self.slowest, took)
        return answer
