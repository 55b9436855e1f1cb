"""The bots of Charidice that play the optimum of a turn, each at its own price."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from lanplay.engine.agent import Hint
from lanplay.engine.question import Answer, Phrase, Question
from lanplay.games.charidice.questions import CharidiceView, Demand, Reroll, Score
from lanplay.games.charidice.sets import MOST_GIFT
from lanplay.games.charidice.table import ROUNDS
from lanplay.games.charidice.table import CharidiceTable as Table
from lanplay_rivals.charidice.demands import added, pays, waiting
from lanplay_rivals.charidice.optimum import Optimum, optimum
from lanplay_rivals.charidice.plans import TurnPlan, fixed, plan
from lanplay_rivals.charidice.rolls import Offer, numbers, offers, turn
from lanplay_rivals.charidice.stakes import TO_WIN, Aims, standing

GOOD_GIFT = 9
"""A gift that a casual player demands, in points."""


class CharidicePlayer(ABC):
    """Plays each turn at a price for a point given away, and demands by optimal stopping."""

    def __init__(self) -> None:
        self._numbers = numbers()
        self._turn: tuple[Table, int, int, bool] | None = None

    def answer(self, view: CharidiceView, question: Question) -> Answer:
        """Return the best answer at the price of this turn (see ``Agent.answer``)."""
        if type(question) is Reroll:  # an abstract class takes its time to deny an ``isinstance``
            return self._reroll(view, question)
        if type(question) is Demand:
            return self._demand(view, question)
        assert isinstance(question, Score), "the game asks nothing else"
        return self.best_set(view, question)[2]

    @abstractmethod
    def plan(self, t: Table, seat: int) -> TurnPlan:
        """Return how the seat plays its present turn."""

    def _look(self, view: CharidiceView) -> Optimum:
        """Plan the present turn, once for it and once more when its gift is to count double."""
        t = view.table
        turn = (t, t.round, view.seat, t.demanded)
        if turn != self._turn:
            self._plan = self.plan(t, view.seat)
            self._turn, self._best = turn, optimum(self._plan.price)
        return self._best

    def _reroll(self, view: CharidiceView, question: Reroll) -> Answer:
        return self._look(view).again[question.rolls - 1][self._numbers[question.dice]]

    def best_set(self, view: CharidiceView, question: Score) -> Offer:
        """Return the set that brings most, its gift at its worth; of equal ones the least gift."""
        self._look(view)
        plan = self._plan
        sets, step = offers(self._numbers[question.dice])
        points, gift, mask = plan.stakes.best(sets, question.factor, plan.bound)
        return points, gift, turn(mask, step)

    def _demand(self, view: CharidiceView, question: Demand) -> Answer:
        return int(pays(self._numbers[question.dice], question.rolls, turns_left(view.table)))

    def explain(self, view: CharidiceView, question: Question) -> Hint:
        """Return the answer and its reason (see ``Adviser.explain``)."""
        answer = self.answer(view, question)
        if isinstance(question, Demand):
            return self._why_demand(view, question, answer)
        if isinstance(question, Reroll):
            worth = self._look(view).worth[question.rolls - 1][self._numbers[question.dice]]
            return Hint(answer, Phrase("reroll" if answer else "stop"), worth=worth)
        assert isinstance(question, Score), "the game asks nothing else"
        points, gift, _ = self.best_set(view, question)
        given = gift * question.factor
        worth = points + self._plan.stakes.worth(given)
        return Hint(answer, Phrase("score", {"points": points, "gift": given}), worth=worth)

    def _why_demand(self, view: CharidiceView, question: Demand, answer: Answer) -> Hint:
        number = self._numbers[question.dice]
        doubled = added(number, question.rolls)
        waited = waiting(number, question.rolls, turns_left(view.table))
        id, worth, other = ("demand", doubled, waited) if answer else ("wait", waited, doubled)
        return Hint(answer, Phrase(id, {"seat": question.giver, "gain": other}), worth=worth)


def turns_left(t: Table) -> int:
    """Return how many turns every seat has left, the present round included."""
    return ROUNDS - t.round + 1


class Priced(CharidicePlayer):
    """Plays every turn at the same price."""

    def __init__(self, price: float) -> None:
        super().__init__()
        self._price = price

    def plan(self, t: Table, seat: int) -> TurnPlan:
        times = 2 if t.demanded else 1
        return fixed(self._price, times, times * MOST_GIFT)


class Casual(Priced):
    """Wants points of its own alone, looks one roll ahead and demands what looks good already."""

    def __init__(self) -> None:
        super().__init__(0.0)

    def _reroll(self, view: CharidiceView, question: Reroll) -> Answer:
        return self._look(view).again[1][self._numbers[question.dice]]

    def _demand(self, view: CharidiceView, question: Demand) -> Answer:
        gift = added(self._numbers[question.dice], question.rolls)
        return int(gift >= GOOD_GIFT or turns_left(view.table) == 1)


class CharidicePlanner(CharidicePlayer):
    """Plays each turn at the price that fits the game, with the charity bonus in view."""

    def __init__(self, aims: Mapping[int, Aims]) -> None:
        super().__init__()
        self._aims = aims

    def plan(self, t: Table, seat: int) -> TurnPlan:
        limit = 2 * MOST_GIFT if t.demanded else MOST_GIFT
        return plan(standing(t, seat), self._aims[t.seats], factor(t, seat), limit)


def factor(t: Table, seat: int) -> float:
    """Return how often the gift of the present turn will count: a demand may still come."""
    if t.demanded:
        return 2.0
    return 1.0 + 1 / turns_left(t) if t.greatest[t.left(seat)] else 1.0


PLAYERS: Final[Mapping[str, Callable[[], CharidicePlayer]]] = {
    "casual": Casual,
    "strong": partial(Priced, 0.0),
    "expert": partial(CharidicePlanner, TO_WIN),
    "giver": partial(CharidicePlanner, dict.fromkeys((2, 3, 4), Aims(cost=0.0, charity=3.0))),
    "miser": partial(Priced, 2.0),
}
"""How to make each bot that plays by the optimum."""
