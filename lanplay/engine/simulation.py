"""The simulation driver: one process knows everything; agents answer, keyed chance decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.question import Answer, Illegal, Question
from lanplay.engine.record import Header
from lanplay.engine.referee import IllegalAnswerError, Referee
from lanplay.engine.requests import (
    At,
    Card,
    Choose,
    ClaimRefuted,
    Deal,
    Face,
    Mix,
    OpenRoll,
    Request,
    RequestVisitor,
    Roll,
    Round,
    Show,
    Shuffle,
    Uncover,
)
from lanplay.engine.view import View


class Simulation(RequestVisitor):
    """A game of which this process knows every face.

    ``views[seat]`` is what each seat may see: their header has no seed. ``decisions`` counts the
    questions with two or more legal answers that were put to an agent; ``picks`` counts the single
    picks of those that ask for a whole turn.
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
        self.agents = list(agents)
        self.header = header
        self.decisions = 0
        self.picks = 0
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
        self, faces: list[int], known: Sequence[Mapping[int, int]], cups: Sequence[tuple[int, ...]]
    ) -> None:
        """Go on from where the referee was brought to: the face of every card, what seats know."""
        self._faces = faces
        for view, own, cup in zip(self.views, known, cups, strict=True):
            view.own = dict(own)
            view.cup = cup

    def run(self) -> None:
        """Play to the end; ``IllegalAnswerError`` names the seat of an agent that breaks rules."""
        referee = self.referee
        request = referee.request
        while request is not None:
            request = referee.go_on(request.accept(self))

    def step(self) -> None:
        """Answer the request at hand."""
        request = self.referee.request
        if request is None:
            raise ValueError("the game is over")
        self.referee.go_on(request.accept(self))

    def answer(self, answers: Mapping[int, Answer]) -> None:
        """Answer the ``Choose`` at hand: of every seat it asks, in that order, a legal answer."""
        self._history.append(tuple(answers.values()))
        self.referee.go_on(answers)

    def choose(self, request: Choose) -> dict[int, Answer]:
        views = self.views
        answers: dict[int, Answer] = {}
        given: list[Answer] = []
        for seat, question in request.questions.items():
            view = views[seat]
            only_answer = question.only_answer(view)
            answer = only_answer[0] if only_answer is not None else self._decision(view, question)
            answers[seat] = answer
            given.append(answer)
        self._history.append(tuple(given))
        return answers

    def _decision(self, view: View[Any], question: Question) -> Answer:
        """Return the answer of the agent of a seat that has a choice."""
        self.decisions += 1
        answer = self.agents[view.seat].answer(view, question)
        self.picks += len(answer) if question.whole_turn and type(answer) is tuple else 1
        if not self._judged:
            try:
                question.check(answer)
                question.check_own(answer, view)
            except Illegal as illegal:
                raise IllegalAnswerError(view.seat, illegal) from None
        return answer

    def roll(self, request: Roll) -> None:
        views = self.views
        for seat, cup in self._chance.cups(request.at, request.dice).items():
            views[seat].cup = cup

    def uncover(self, request: Uncover) -> dict[int, tuple[Face, ...]]:
        views = self.views
        faces: dict[int, tuple[Face, ...]] = {}
        given: list[tuple[Face, ...]] = []
        for seat, places in request.dice.items():
            cup = views[seat].cup
            if len(places) == 1:  # most often
                shown: tuple[Face, ...] = (cup[places[0]],)
            else:
                shown = tuple([cup[place] for place in places])
            faces[seat] = shown
            given.append(shown)
        self._history.append(tuple(given))
        return faces

    def open_roll(self, request: OpenRoll) -> tuple[Face, ...]:
        faces = self._chance.dice(request.count, request.sides, request.at)
        self._history.append(faces)
        return faces

    def shuffle(self, request: Shuffle) -> dict[str, list[Card]]:
        self._shuffle(request.piles, request.at)
        return self.referee.handles(request.piles)

    def mix(self, request: Mix) -> dict[str, list[Card]]:
        faces, own = self._faces, self.views[request.seat].own
        first = len(faces)
        self._shuffle(request.piles, request.at)
        for card in range(first, len(faces)):
            own[card] = faces[card]
        return self.referee.handles(request.piles)

    def _shuffle(self, piles: dict[str, list[Card]], at: At) -> None:
        """Add the faces of the new cards: those of each pile in the order that chance gives it."""
        faces = self._faces
        for name, pile in piles.items():
            order = self._chance.permutation(len(pile), f"shuffle {name}", at)
            faces += [faces[pile[place]] for place in order]

    def deal(self, request: Deal) -> None:
        faces, own = self._faces, self.views[request.seat].own
        for card in request.cards:
            own[card] = faces[card]

    def show(self, request: Show) -> tuple[Face, ...]:
        known, public = self._faces, self.table.faces
        for card in request.cards:
            public[card] = known[card]
        faces = tuple([known[card] for card in request.cards])
        self._history.append(faces)
        return faces

    def go_past(self, request: Round | ClaimRefuted) -> None:
        pass
