"""A game played from outside, one step of a question's dialogue after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lanplay.engine.chance import Chance
from lanplay.engine.game import Game, check_table
from lanplay.engine.question import Answer, Dialogue, Illegal, Pick, PickSome, Question
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View

OPTIONS = 128
"""Most options of a step that can be picked; no game offers more. The action after them: done."""


class _Ready:
    """An agent whose answer has been put together elsewhere."""

    def __init__(self) -> None:
        self.said: Answer = None

    def answer(self, view: View[Any], question: Question) -> Answer:
        return self.said


class Asking:
    """A game that waits for the next action.

    ``seat`` is asked ``question``, at its dialogue's ``step``; ``chosen`` are the places of the
    options picked so far where several may be. ``seat`` is -1 once the game is over.
    """

    def __init__(self, game: Game, seats: int, options: Mapping[str, str], key: bytes) -> None:
        names = tuple(f"seat_{seat}" for seat in range(seats))
        chosen = check_table(game, seats, options)
        header = Header(game.name, chosen, names, key)
        self._agents = [_Ready() for _ in range(seats)]
        self.simulation = Simulation(game, header, self._agents, Chance(key))
        self._open: list[tuple[int, Question]] = []
        self.chosen: list[int] = []
        self.step: Pick | PickSome
        self._advance()

    @property
    def view(self) -> View[Any]:
        """What the seat that is asked can see."""
        return self.simulation.views[self.seat]

    def legal(self) -> list[int]:
        """Return the actions that may be taken: places of options, or ``OPTIONS`` for done."""
        options = self.step.options[:OPTIONS]
        free = [place for place, option in enumerate(options) if option.why_not is None]
        if isinstance(self.step, Pick):
            return free
        if len(self.chosen) >= self.step.at_most:
            free = [place for place in free if place in self.chosen]
        return free + [OPTIONS] * self._may_be_done(self.step)

    def _may_be_done(self, step: PickSome) -> bool:
        return (
            step.at_least <= len(self.chosen) <= step.at_most
            and step.why_not(self._values()) is None
        )

    def _values(self) -> tuple[Answer, ...]:
        return tuple([self.step.options[place].value for place in self.chosen])

    def act(self, action: int) -> None:
        """Take an action: pick an option, lay it down again, or be done.

        Raises ``Illegal`` for an action that may not be taken.
        """
        if action not in self.legal():
            raise Illegal(self.question.rule, "malformed")
        if isinstance(self.step, Pick):
            self._send(self.step.options[action].value)
        elif action == OPTIONS:
            self._send(self._values())
        elif action in self.chosen:
            self.chosen.remove(action)
        else:
            self.chosen.append(action)

    def _send(self, value: Answer) -> None:
        try:
            self.step = self._dialogue.send(value)
            self.chosen = []
        except StopIteration as end:
            self._agents[self.seat].said = end.value
            self._ask_next()

    def _ask_next(self) -> None:
        """Begin the dialogue of the next seat with a choice; when all have answered, go on."""
        if not self._open:
            self.simulation.step()
            self._advance()
            return
        self.seat, self.question = self._open.pop(0)
        self._dialogue: Dialogue = self.question.dialogue(self.view)
        self.step = next(self._dialogue)
        self.chosen = []

    def _advance(self) -> None:
        """Play on to the next choice that anybody has, or to the end."""
        views = self.simulation.views
        while (request := self.simulation.request) is not None:
            if isinstance(request, Choose):
                asked = request.questions.items()
                self._open = [(s, each) for s, each in asked if each.only_answer(views[s]) is None]
                if self._open:
                    self._ask_next()
                    return
            self.simulation.step()
        self.seat = -1
