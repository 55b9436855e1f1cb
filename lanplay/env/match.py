"""One game under way, played from outside by actions: who has what to choose, and who sees what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import index
from typing import Any, Final

from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.game import Game, check_table
from lanplay.engine.question import Answer
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.env.catalog import WAIT
from lanplay.env.declared import Choice, Declared, Observation, Observer
from lanplay.games import load

REWARDS: Final = ("win", "place", "score")
SHOWN: Final = 8
"""How many legal actions an error names."""


class IllegalActionError(ValueError):
    """An action that is not legal now. Nothing has changed."""


@cache
def declared(game: str) -> tuple[Game, Declared]:
    """Return a game and what it declares; ``ValueError`` for one that declares nothing."""
    found = load(game)
    if found.manifest.env is None:
        raise ValueError(
            f"{game} declares nothing for programs that learn it: its manifest has no env"
        )
    return found, found.manifest.env.load()


class Match:
    """A game. ``choices`` are what seats have to choose now, in seat order; empty at the end.

    Seats in ``agents`` are played by these. What leaves no choice is done at once.
    """

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, str],
        key: bytes,
        agents: Mapping[int, Agent] | None = None,
    ) -> None:
        self.game, self.declared = declared(game)
        self._agents = agents or {}
        chosen = check_table(self.game, seats, options)
        header = Header(game, chosen, tuple([f"seat_{seat}" for seat in range(seats)]), key)
        nobody: list[Any] = [None] * seats
        self.simulation = Simulation(self.game, header, nobody, Chance(key))
        self._observers = [Observer(self.declared, view) for view in self.simulation.views]
        self._answers: dict[int, Answer] = {}
        self.choices: dict[int, Choice] = {}
        self.seats = seats
        self._go_on()

    def _go_on(self) -> None:
        """Play on to the next choice, or to the end."""
        simulation = self.simulation
        while (request := simulation.request) is not None:
            if type(request) is not Choose:
                simulation.step()
                continue
            answers = self._answers = {}
            for seat, question in request.questions.items():
                view = simulation.views[seat]
                only_answer = question.only_answer(view)
                if only_answer is not None:
                    answers[seat] = only_answer[0]
                elif seat in self._agents:
                    answers[seat] = self._agents[seat].answer(view, question)
                else:
                    choice = Choice(self.declared, view, question)
                    answers[seat] = choice.answer  # its place; there is none before the last step
                    if choice.legal:
                        self.choices[seat] = choice
            if self.choices:
                return
            simulation.answer(answers)

    def act(self, seat: int, action: Any) -> None:
        """Take an action for a seat that chooses; ``IllegalActionError`` if it is not legal."""
        choice = self.choices[seat]
        number = _number(action)
        if number not in choice.legal:
            raise self._illegal(seat, action)
        choice.take(number)
        if not choice.legal:
            self._answers[seat] = choice.answer
            del self.choices[seat]
            if not self.choices:
                self.simulation.answer(self._answers)
                self._go_on()

    def legal(self, seat: int) -> Sequence[int]:
        """Return what a seat may do: its legal actions, or ``WAIT`` if it has nothing to choose."""
        choice = self.choices.get(seat)
        return (WAIT,) if choice is None else choice.legal

    def check(self, seat: int, action: Any) -> None:
        """Raise ``IllegalActionError`` unless an action is legal."""
        if _number(action) not in self.legal(seat):
            raise self._illegal(seat, action)

    def _illegal(self, seat: int, action: Any) -> IllegalActionError:
        words, legal = self.declared.catalog.words, self.legal(seat)
        known = _number(action) in range(len(words))
        what = f"{action} ({words[action]})" if known else f"{action!r}, which is no action,"
        those = "; ".join([f"{each} ({words[each]})" for each in legal[:SHOWN]])
        more = f"; and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
        return IllegalActionError(f"seat_{seat} cannot do {what} now. Legal: {those}{more}")

    def look(self, seat: int) -> Observation:
        """Return what a seat sees (see ``Observer.look``)."""
        return self._observers[seat].look(self.choices.get(seat))

    def rewards(self, kind: str) -> list[float]:
        """Return every seat's reward at the end.

        ``win``: its share of the win less what is everybody's on average, from -1 to 1. ``place``:
        from 1 for the first to -1 for the last. ``score``: its points less the mean of the others.
        """
        result = self.game.result(self.simulation.table)
        seats = self.seats
        if kind == "score":
            total, others = sum(result.scores), max(1, seats - 1)
            return [
                (each * seats - total) / others if seats > 1 else each for each in result.scores
            ]
        if kind == "place":
            ranks = result.places
            return [1 - 2 * _ahead(ranks, each) / max(1, seats - 1) for each in ranks]
        return [result.share(seat) - 1 / seats * bool(seats > 1) for seat in range(seats)]


def _number(action: Any) -> int:
    """Return the number of an action; -1 for what is none, as an array or 1.0."""
    try:
        return index(action)
    except TypeError:
        return -1


def _ahead(places: Sequence[int], place: int) -> float:
    """Return how many others are before a place, those who share it by half."""
    return sum([each < place for each in places]) + (places.count(place) - 1) / 2


__all__ = ["REWARDS", "IllegalActionError", "Match", "declared"]
