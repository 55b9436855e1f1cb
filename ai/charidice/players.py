"""The bots of Charidice that play the optimum of a turn, each at its own price."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from ai.charidice.demands import added, pays, waiting
from ai.charidice.optimum import optimum
from ai.charidice.plans import best_plan
from ai.charidice.rolls import Offer, numbers, offers
from ai.charidice.stakes import TO_WIN, Aims, Stakes
from lanplay.engine.agent import Hint
from lanplay.engine.question import Answer, Message, Question
from lanplay.games.charidice.questions import CharidiceView, Demand, Reroll, Score
from lanplay.games.charidice.table import ROUNDS
from lanplay.games.charidice.table import CharidiceTable as Table


class Player(ABC):
    """Plays each turn at a price for a point given away, and demands by optimal stopping."""

    def __init__(self) -> None:
        self._rules: dict[type[Question], Callable[[CharidiceView, Any], Answer]] = {
            Reroll: self._reroll,
            Score: self._score,
            Demand: self._demand,
        }

    def answer(self, view: CharidiceView, question: Question) -> Answer:
        """Return the best answer at the price of this turn (see ``Agent.answer``)."""
        return self._rules[type(question)](view, question)

    @abstractmethod
    def price(self, t: Table, seat: int) -> float:
        """Return what a point given away costs the seat in its present turn, before doubling."""

    @abstractmethod
    def worth(self, t: Table, seat: int) -> Callable[[int], float]:
        """Return what a gift is worth to the seat in its present turn, as it is entered."""

    def _reroll(self, view: CharidiceView, question: Reroll) -> Answer:
        price = self.price(view.table, view.seat)
        return optimum(price).again[question.rolls - 1][numbers()[question.dice]]

    def _score(self, view: CharidiceView, question: Score) -> Answer:
        return self.best_set(view, question)[2]

    def best_set(self, view: CharidiceView, question: Score) -> Offer:
        """Return the set that brings most, its gift at its worth."""
        worth, factor = self.worth(view.table, view.seat), question.factor
        return max(offers(question.dice), key=lambda offer: offer[0] + worth(factor * offer[1]))

    def _demand(self, view: CharidiceView, question: Demand) -> Answer:
        return int(pays(numbers()[question.dice], question.rolls, turns_left(view.table)))

    def explain(self, view: CharidiceView, question: Question) -> Hint:
        """Return the answer and its reason (see ``Adviser.explain``)."""
        answer = self.answer(view, question)
        match question:
            case Demand():
                number, left = numbers()[question.dice], turns_left(view.table)
                later = waiting(number, question.rolls, left)
                reason = Message("hint-demand" if answer else "hint-wait", {"seat": question.giver})
                worth = added(number, question.rolls) if answer else later
            case Reroll():
                best = optimum(self.price(view.table, view.seat))
                worth = best.worth[question.rolls - 1][numbers()[question.dice]]
                reason = Message("hint-reroll" if answer else "hint-stop")
            case _:
                assert isinstance(question, Score), "the game asks nothing else"
                points, gift, _ = self.best_set(view, question)
                reason = Message("hint-score", {"points": points, "gift": gift * question.factor})
                worth = float(points)
        return Hint(answer, reason, worth=worth)


def turns_left(t: Table) -> int:
    """Return how many turns every seat has left, the present round included."""
    return ROUNDS - t.round + 1


class Priced(Player):
    """Plays every turn at the same price, by the number of seats."""

    def __init__(self, prices: dict[int, float]) -> None:
        super().__init__()
        self._prices = prices

    def price(self, t: Table, seat: int) -> float:
        return self._prices[t.seats] * (2 if t.demanded else 1)

    def worth(self, t: Table, seat: int) -> Callable[[int], float]:
        price = self._prices[t.seats]
        return lambda gift: -price * gift


class Planner(Player):
    """Plays each turn at the price that fits the game, with the charity bonus in view."""

    def __init__(self, aims: dict[int, Aims]) -> None:
        super().__init__()
        self._aims = aims
        self._turn: tuple[object, ...] = ()
        self._price = 0.0

    def price(self, t: Table, seat: int) -> float:
        turn = (t.round, t.demanded)
        if turn != self._turn:
            stakes = Stakes(t, seat, self._aims[t.seats])
            self._turn, self._price = turn, best_plan(stakes, factor(t, seat))
        return self._price

    def worth(self, t: Table, seat: int) -> Callable[[int], float]:
        return Stakes(t, seat, self._aims[t.seats]).worth


def factor(t: Table, seat: int) -> float:
    """Return how often the gift of the present turn will count: a demand may still come."""
    if t.demanded:
        return 2.0
    return 1.0 + 1 / turns_left(t) if t.greatest[t.left(seat)] else 1.0


def expert() -> Planner:
    """Return the player that plays to win."""
    return Planner(TO_WIN)
