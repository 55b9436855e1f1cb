"""The simulation driver: one process knows everything; agents answer, keyed chance decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.question import Answer, Illegal, Question
from lanplay.engine.record import Header
from lanplay.engine.referee import IllegalAnswerError, Referee
from lanplay.engine.requests import (
    Choose,
    Deal,
    Mix,
    OpenRoll,
    Refuted,
    Request,
    Roll,
    Round,
    Show,
    Shuffle,
    Uncover,
)
from lanplay.engine.view import View


class Simulation:
    """A game of which this process knows every face.

    ``views[seat]`` is what each seat may see: their header has no seed. ``decisions`` counts the
    questions with two or more legal answers that were put to an agent.
    """

    def __init__(
        self,
        game: Game,
        header: Header,
        agents: Sequence[Agent],
        chance: Chance,
        *,
        judged: bool = False,
    ) -> None:
        """Set the game up. ``judged`` says that the agents' answers are checked before they come.

        Raises ``ValueError`` for a number of agents that is not the number of seats, and for a
        header of a table that the game does not know.
        """
        if len(agents) != len(header.seats):
            raise ValueError(f"{len(header.seats)} seats need as many agents, not {len(agents)}")
        self.agents = agents
        self.header = header
        self.decisions = 0
        self._chance = chance
        self._judged = judged
        self.table = game.table(len(agents), header.options, header.start)
        self.referee = Referee(game, self.table)
        shown = replace(header, seed=None)
        self.views = [
            View(seat, self.table, shown, self.referee.history) for seat in range(len(agents))
        ]
        self._faces = list(range(game.cards))

    @property
    def request(self) -> Request | None:
        """What the rules ask now; ``None`` once the game is over."""
        return self.referee.request

    def resume(
        self,
        faces: list[int],
        known: Sequence[Mapping[int, int]],
        cups: Sequence[tuple[int, ...]],
    ) -> None:
        """Go on from where the referee was brought to: the face of every card, what seats know."""
        self._faces = faces
        for view, own, cup in zip(self.views, known, cups, strict=True):
            view.own = dict(own)
            view.cup = cup

    def run(self) -> None:
        """Play to the end; ``IllegalAnswerError`` names the seat of an agent that breaks rules."""
        referee = self.referee
        while (request := referee.request) is not None:
            _STEPS[type(request)](self, request)

    def step(self) -> None:
        """Answer the request at hand."""
        request = self.referee.request
        if request is None:
            raise ValueError("the game is over")
        _STEPS[type(request)](self, request)

    def _choose(self, request: Choose) -> None:
        answers: dict[int, Answer] = {}
        for seat, question in request.questions.items():
            view = self.views[seat]
            sole = question.sole(view)
            if sole is None:
                self.decisions += 1
                answers[seat] = answer = self.agents[seat].answer(view, question)
                if not self._judged:
                    _check(seat, view, question, answer)
            else:
                answers[seat] = sole[0]
        self.referee.vouched(answers)

    def _roll(self, request: Roll) -> None:
        views = self.views
        cups = self._chance.cups(request.at, len(views))
        for seat, count in request.dice.items():
            views[seat].cup = cups[seat][:count]
        self.referee.passed()

    def _uncover(self, request: Uncover) -> None:
        views = self.views
        faces = {
            seat: tuple([views[seat].cup[place] for place in places])
            for seat, places in request.dice.items()
        }
        self.referee.vouched(faces)

    def _open_roll(self, request: OpenRoll) -> None:
        self.referee.landed(self._chance.dice(request.count, request.sides, request.at))

    def _shuffle(self, request: Shuffle) -> None:
        self._renew(request)

    def _mix(self, request: Mix) -> None:
        first = len(self._faces)
        self._renew(request)
        self.views[request.seat].own.update(enumerate(self._faces[first:], first))

    def _renew(self, request: Shuffle | Mix) -> None:
        faces: list[int] = []
        for name, pile in request.piles.items():
            order = self._chance.permutation(len(pile), f"shuffle {name}", request.at)
            faces += [self._faces[pile[place]] for place in order]
        self._faces += faces
        self.referee.renewed()

    def _deal(self, request: Deal) -> None:
        faces = self._faces
        self.views[request.seat].own.update([(card, faces[card]) for card in request.cards])
        self.referee.passed()

    def _show(self, request: Show) -> None:
        self.referee.shown(tuple([self._faces[card] for card in request.cards]))

    def _pass(self, request: Round | Refuted) -> None:
        self.referee.passed()


def _check(seat: int, view: View[Any], question: Question, answer: Answer) -> None:
    try:
        question.check(answer)
        question.check_own(answer, view)
    except Illegal as illegal:
        raise IllegalAnswerError(seat, illegal) from None


_STEPS: Final[Mapping[type[Any], Callable[[Simulation, Any], None]]] = {
    Choose: Simulation._choose,
    Roll: Simulation._roll,
    Uncover: Simulation._uncover,
    OpenRoll: Simulation._open_roll,
    Shuffle: Simulation._shuffle,
    Mix: Simulation._mix,
    Deal: Simulation._deal,
    Show: Simulation._show,
    Round: Simulation._pass,
    Refuted: Simulation._pass,
}
"""Beside the class: bound methods kept by a game would make it garbage that only a search frees."""
