"""Games with bots of other packages, which can reach the table: what counts is played again.

A bot's view leads to the live table. Whatever a bot writes there, a game's result is that of its
answers alone, under the same luck, at a table that no bot ever saw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from lanplay.engine.agent import Agent
from lanplay.engine.question import Answer, Illegal, Question
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.tournament.bots import Contestant
from lanplay_ai.guard import Failure

MOST: Final = 100_000
"""Answers of one seat after which a game is held to be kept from ending."""


class RecordingAgent:
    """An agent whose answers are kept."""

    def __init__(self, agent: Agent) -> None:
        self.answers: list[Answer] = []
        self._agent = agent

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the agent's answer; ``RuntimeError`` if the game never ends."""
        if len(self.answers) >= MOST:
            raise RuntimeError("the game does not end")
        answer = self._agent.answer(view, question)
        self.answers.append(answer)
        return answer


class Script:
    """Gives answers once more; from the first that breaks the rules on, a stand-in answers."""

    def __init__(self, answers: Sequence[Answer], stand_in: Agent) -> None:
        self._left = list(reversed(answers))
        self._stand_in = stand_in

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the next answer (see ``Agent.answer``)."""
        try:
            answer = self._left.pop()
            question.check(answer)
            question.check_own(answer, view)
        except (Illegal, IndexError):  # it was legal only at a table that had been changed
            self._left.clear()
            return self._stand_in.answer(view, question)
        return answer


def witnessed(
    agents: Sequence[Contestant], set_up: Callable[[Sequence[Agent]], Simulation]
) -> Simulation:
    """Play a game, and again without its bots; return the second, and charge what differs.

    ``set_up`` makes the game with the agents given.
    """
    witnesses = [RecordingAgent(agent) for agent in agents]
    played = set_up(witnesses)
    trouble = _run(played)
    again = set_up(
        [
            Script(witness.answers, agent.stand_in())
            for witness, agent in zip(witnesses, agents, strict=True)
        ]
    )
    again.run()
    if not trouble and not _alike(played, again):
        trouble = "its record leads to another end"
    if trouble:
        _charge(agents, trouble, len(again.referee.history))
    return again


def _run(game: Simulation) -> str:
    """Play to the end; return what came in between: rules fail at a table that was changed."""
    try:
        game.run()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _alike(one: Simulation, other: Simulation) -> bool:
    try:
        same = one.referee.history == other.referee.history
        return same and one.table.hash() == other.table.hash()
    except Exception:  # what was written there is no state of a game
        return False


def _charge(agents: Sequence[Contestant], trouble: str, steps: int) -> None:
    """Charge the guests; what others did wrong at such a table does not count."""
    for seat, agent in enumerate(agents):
        if agent.guest:
            why = f"A bot changed the table that it saw ({trouble})"
            agent.faults.append(Failure(agent.name, "", seat, steps, why))
        else:
            agent.faults.clear()
