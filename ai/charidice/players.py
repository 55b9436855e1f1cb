"""The bots of Charidice that play the optimum of a turn, each at its own price."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

from ai.charidice.demands import added, pays, waiting
from ai.charidice.optimum import Optimum, optimum
from ai.charidice.plans import plan
from ai.charidice.rolls import Offer, numbers, offers, turn
from ai.charidice.stakes import TO_WIN, Aims, cost, standing
from lanplay.engine.agent import Hint
from lanplay.engine.question import Answer, Message, Question
from lanplay.games.charidice.questions import CharidiceView, Demand, Reroll, Score
from lanplay.games.charidice.sets import MOST_GIFT
from lanplay.games.charidice.table import ROUNDS
from lanplay.games.charidice.table import CharidiceTable as Table

GOOD_GIFT = 9
"""A gift that a casual player demands, in points."""


class Player(ABC):
    """Plays each turn at a price for a point given away, and demands by optimal stopping."""

    def __init__(self) -> None:
        self._rules: dict[type[Question], Callable[[CharidiceView, Any], Answer]] = {
            Reroll: self._reroll,
            Score: self._score,
            Demand: self._demand,
        }
        self._turn: tuple[Table, int, int, bool] | None = None
        self._best: Optimum | None = None
        self._worths: Sequence[float] = ()

    def answer(self, view: CharidiceView, question: Question) -> Answer:
        """Return the best answer at the price of this turn (see ``Agent.answer``)."""
        return self._rules[type(question)](view, question)

    @abstractmethod
    def plan(self, t: Table, seat: int) -> tuple[float, Sequence[float]]:
        """Return how the seat plays its present turn.

        That is the price of a point given away before it is doubled, for what to roll again, and
        what gifts from 0 on are worth as they are entered, for the set to score.
        """

    def _look(self, view: CharidiceView) -> Optimum:
        """Plan the present turn, once for it and once more when its gift is to count double."""
        t = view.table
        turn = (t, t.round, view.seat, t.demanded)
        if turn != self._turn or self._best is None:
            price, self._worths = self.plan(t, view.seat)
            self._turn, self._best = turn, optimum(price)
        return self._best

    def _reroll(self, view: CharidiceView, question: Reroll) -> Answer:
        return self._look(view).again[question.rolls - 1][numbers()[question.dice]]

    def _score(self, view: CharidiceView, question: Score) -> Answer:
        return self.best_set(view, question)[2]

    def best_set(self, view: CharidiceView, question: Score) -> Offer:
        """Return the set that brings most, its gift at its worth."""
        self._look(view)
        worths, factor = self._worths, question.factor
        sets, step = offers(question.dice)
        best, found = -inf, sets[0]
        for each in sets:
            gain = each[0] + worths[factor * each[1]]
            if gain > best:
                best, found = gain, each
        points, gift, mask = found
        return points, gift, turn(mask, step)

    def _demand(self, view: CharidiceView, question: Demand) -> Answer:
        return int(pays(numbers()[question.dice], question.rolls, turns_left(view.table)))

    def explain(self, view: CharidiceView, question: Question) -> Hint:
        """Return the answer and its reason (see ``Adviser.explain``)."""
        answer = self.answer(view, question)
        if isinstance(question, Demand):
            return self._why_demand(view, question, answer)
        if isinstance(question, Reroll):
            worth = self._look(view).worth[question.rolls - 1][numbers()[question.dice]]
            return Hint(answer, Message("reroll" if answer else "stop"), worth=worth)
        assert isinstance(question, Score), "the game asks nothing else"
        points, gift, _ = self.best_set(view, question)
        values = {"points": points, "gift": gift * question.factor}
        return Hint(answer, Message("score", values))

    def _why_demand(self, view: CharidiceView, question: Demand, answer: Answer) -> Hint:
        number, left = numbers()[question.dice], turns_left(view.table)
        if answer:
            gain = added(number, question.rolls)
            return Hint(answer, Message("demand", {"seat": question.giver}), worth=gain)
        gain = waiting(number, question.rolls, left)
        return Hint(answer, Message("wait", {"seat": question.giver}), worth=gain)


def turns_left(t: Table) -> int:
    """Return how many turns every seat has left, the present round included."""
    return ROUNDS - t.round + 1


class Priced(Player):
    """Plays every turn at the same price, by the number of seats."""

    def __init__(self, prices: Mapping[int, float]) -> None:
        super().__init__()
        self._prices = prices

    def plan(self, t: Table, seat: int) -> tuple[float, Sequence[float]]:
        price = self._prices[t.seats]
        return price * (2 if t.demanded else 1), cost(price)


class Casual(Priced):
    """Wants points of its own alone, looks one roll ahead and demands what looks good already."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(TO_WIN, 0.0))

    def _reroll(self, view: CharidiceView, question: Reroll) -> Answer:
        return self._look(view).again[1][numbers()[question.dice]]

    def _demand(self, view: CharidiceView, question: Demand) -> Answer:
        gift = added(numbers()[question.dice], question.rolls)
        return int(gift >= GOOD_GIFT or turns_left(view.table) == 1)


class Planner(Player):
    """Plays each turn at the price that fits the game, with the charity bonus in view."""

    def __init__(self, aims: Mapping[int, Aims]) -> None:
        super().__init__()
        self._aims = aims

    def plan(self, t: Table, seat: int) -> tuple[float, Sequence[float]]:
        most = 2 * MOST_GIFT if t.demanded else MOST_GIFT
        return plan(standing(t, seat), self._aims[t.seats], factor(t, seat), most)


def factor(t: Table, seat: int) -> float:
    """Return how often the gift of the present turn will count: a demand may still come."""
    if t.demanded:
        return 2.0
    return 1.0 + 1 / turns_left(t) if t.greatest[t.left(seat)] else 1.0
