"""How many picks a decision takes: a question may be a whole turn, as in Fliptown."""

from __future__ import annotations

from itertools import islice
from typing import Any, cast

from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.question import Answer, Dialogue, Question, choices
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.tournament import bots
from lanplay.tournament.plan import TournamentPlan


class _Watched(Question):
    """A question whose picks are counted as they are put to an agent."""

    def __init__(self, asked: Question) -> None:
        self._asked = asked
        self.picks = 0

    def check(self, answer: Answer) -> None:
        self._asked.check(answer)

    def dialogue(self, view: View[Any]) -> Dialogue:
        steps, picked = self._asked.dialogue(view), None
        while True:
            try:
                step = steps.send(picked)
            except StopIteration as end:
                return cast("Answer", end.value)
            self.picks += len(list(islice(choices(step), 2))) == 2
            picked = yield step


class _Counting:
    """Plays as an agent does, and counts the picks that it is asked for."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.picks = 0

    def answer(self, view: View[Any], question: Question) -> Answer:
        watched = _Watched(question)
        answer = self._agent.answer(view, watched)
        self.picks += watched.picks
        return answer


def picks(plan: TournamentPlan, games: int) -> float:
    """Return how many picks among two options or more random bots make for a decision."""
    made = decided = 0
    for number in range(games):
        game = load(plan.game)
        luck = plan.key("deal", number)
        header = Header(game.name, dict(plan.options), plan.labels, luck)
        agents = [
            _Counting(bots.make(plan.game, "random", plan.key("bot", number, seat)))
            for seat in range(plan.seats)
        ]
        simulation = Simulation(game, header, agents, Chance(luck))
        simulation.run()
        made += sum(agent.picks for agent in agents)
        decided += simulation.decisions
    return made / decided
