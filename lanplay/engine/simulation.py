"""The simulation driver: one process knows everything; agents answer, keyed chance decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.question import Answer, Illegal
from lanplay.engine.record import Header
from lanplay.engine.referee import IllegalAnswerError, Referee
from lanplay.engine.requests import (
    Card,
    Choose,
    Deal,
    Face,
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
        self._history = self.referee.history
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
        go_on, request = self.referee.go_on, self.referee.request
        while request is not None:
            request = go_on(_ANSWERS[type(request)](self, request))

    def step(self) -> None:
        """Answer the request at hand."""
        request = self.referee.request
        if request is None:
            raise ValueError("the game is over")
        self.referee.go_on(_ANSWERS[type(request)](self, request))

    def _choose(self, request: Choose) -> dict[int, Answer]:
        views, agents = self.views, self.agents
        answers: dict[int, Answer] = {}
        for seat, question in request.questions.items():
            view = views[seat]
            sole = question.sole(view)
            if sole is not None:
                answers[seat] = sole[0]
                continue
            self.decisions += 1
            answers[seat] = answer = agents[seat].answer(view, question)
            if not self._judged:
                try:
                    question.check(answer)
                    question.check_own(answer, view)
                except Illegal as illegal:
                    raise IllegalAnswerError(seat, illegal) from None
        self._history.append(tuple(answers.values()))
        return answers

    def _roll(self, request: Roll) -> None:
        views = self.views
        cups = self._chance.cups(request.at, len(views))
        for seat, count in request.dice.items():
            views[seat].cup = cups[seat][:count]

    def _uncover(self, request: Uncover) -> dict[int, tuple[Face, ...]]:
        views = self.views
        faces: dict[int, tuple[Face, ...]] = {}
        for seat, places in request.dice.items():
            cup = views[seat].cup
            if len(places) == 1:  # most often
                faces[seat] = (cup[places[0]],)
            else:
                faces[seat] = tuple([cup[place] for place in places])
        self._history.append(tuple(faces.values()))
        return faces

    def _open_roll(self, request: OpenRoll) -> tuple[Face, ...]:
        faces = self._chance.dice(request.count, request.sides, request.at)
        self._history.append(faces)
        return faces

    def _shuffle(self, request: Shuffle | Mix) -> dict[str, list[Card]]:
        """Add the faces of the new cards: those of each pile in the order that chance gives it."""
        faces = self._faces
        for name, pile in request.piles.items():
            order = self._chance.permutation(len(pile), f"shuffle {name}", request.at)
            faces += [faces[pile[place]] for place in order]
        return self.referee.handles(request)

    def _mix(self, request: Mix) -> dict[str, list[Card]]:
        first = len(self._faces)
        fresh = self._shuffle(request)
        self.views[request.seat].own.update(enumerate(self._faces[first:], first))
        return fresh

    def _deal(self, request: Deal) -> None:
        faces, own = self._faces, self.views[request.seat].own
        for card in request.cards:
            own[card] = faces[card]

    def _show(self, request: Show) -> tuple[Face, ...]:
        known, public = self._faces, self.table.faces
        for card in request.cards:
            public[card] = known[card]
        faces = tuple([known[card] for card in request.cards])
        self._history.append(faces)
        return faces

    def _pass(self, request: Round | Refuted) -> None:
        pass


_ANSWERS: Final[Mapping[type[Any], Callable[[Simulation, Any], Any]]] = {
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
"""What finds the answer to each kind of request.

Beside the class: bound methods kept by a game would make it garbage that only a search frees.
"""
