"""A check of what a game declares for programs that learn it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lanplay.check.random_games import finish, table_of
from lanplay.engine.game import Game
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View

if TYPE_CHECKING:
    from lanplay.env.declared import Declared


class _Learner:
    """Answers by actions by lot, and notes the places whose numbers are out of their ranges."""

    def __init__(self, declared: Declared, seed: int) -> None:
        self.wrong: dict[str, str] = {}
        self._declared, self._lot = declared, random.Random(seed)

    def answer(self, view: View[Any], question: Question) -> Answer:
        from lanplay.env.declared import Choice, Observer

        choice, observer = Choice(self._declared, view, question), Observer(self._declared, view)
        while choice.legal:  # empty once there is an answer
            for place, number in zip(self._declared.places, observer.look(choice), strict=True):
                if not place.least <= number <= place.most:
                    told = f"{place.words}: {number}, not {place.least} to {place.most}"
                    self.wrong.setdefault(place.words, told)
            choice.take(self._lot.choice(choice.legal))
        return choice.answer


def learned(game: Game) -> Iterator[str]:
    """Play as programs that learn the game do: their answers are judged as those of bots are."""
    if game.manifest.env is None:
        return
    declared = game.manifest.env.load()
    for seats in game.seats:
        simulation = table_of(game, seats, b"learned", turn=seats)
        learners = [_Learner(declared, seat) for seat in range(seats)]
        simulation.agents[:] = learners
        finish(simulation)
        for each in learners:
            yield from each.wrong.values()
