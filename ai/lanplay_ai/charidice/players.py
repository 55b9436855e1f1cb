"""The bots of Charidice that play the optimum of a turn: of points at a price, or of the win."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from lanplay.engine.agent import Hint
from lanplay.engine.question import Answer, Phrase, Question
from lanplay.games.charidice.questions import CharidiceView, Demand, Reroll, Score
from lanplay.games.charidice.sets import dice_set
from lanplay.games.charidice.table import ROUNDS
from lanplay.games.charidice.table import CharidiceTable as Table
from lanplay_ai.charidice.demands import added, pays, waiting
from lanplay_ai.charidice.last_round import last_shares
from lanplay_ai.charidice.optimum import Optimum, optimum
from lanplay_ai.charidice.prospects import CharidiceProspects, Outcome
from lanplay_ai.charidice.rolls import numbers, offers, turn
from lanplay_ai.charidice.turns import BestTurn, kept_states

GOOD_GIFT = 9
"""A gift that a casual player demands, in points."""
GOOD_SET = 36
"""Points that a casual player is content with: it rolls no more."""
GIVERS_CHARITY = 3.0
"""What a point of the charity bonus is worth to the giver."""
_HAIR = 1e-7
"""What a point is worth where nothing else tells two outcomes apart, in shares of the win."""
_HAIR_GIVEN = 0.3
"""What a point for the neighbour then costs."""


class CharidicePlayer(ABC):
    """Plays each turn best in its own way, and demands by optimal stopping."""

    stop = "stop"
    """The reason to roll no more."""

    def __init__(self) -> None:
        self._numbers = numbers()

    def answer(self, view: CharidiceView, question: Question) -> Answer:
        """Return the best answer (see ``Agent.answer``)."""
        if type(question) is Reroll:  # an abstract class takes its time to deny an ``isinstance``
            return self.reroll(view, question)[0]
        if type(question) is Demand:
            return self._demand(view, question)
        assert isinstance(question, Score), "the game asks nothing else"
        return self.best_set(view, question)[0]

    @abstractmethod
    def reroll(self, view: CharidiceView, question: Reroll) -> tuple[int, float]:
        """Return the mask of the dice to roll again, and what that is worth."""

    @abstractmethod
    def best_set(self, view: CharidiceView, question: Score) -> tuple[int, float]:
        """Return the mask of the set to score, and what it is worth."""

    def _demand(self, view: CharidiceView, question: Demand) -> Answer:
        return int(pays(self._numbers[question.dice], question.rolls, turns_left(view.table)))

    def explain(self, view: CharidiceView, question: Question) -> Hint:
        """Return the answer and its reason (see ``Adviser.explain``)."""
        if isinstance(question, Demand):
            return self._why_demand(view, question, self.answer(view, question))
        if isinstance(question, Reroll):
            again, worth = self.reroll(view, question)
            return self._why(again, "reroll" if again else self.stop, worth)
        assert isinstance(question, Score), "the game asks nothing else"
        mask, worth = self.best_set(view, question)
        found = dice_set(question.dice, mask)
        assert found is not None, "it may be scored"
        given = found.gift * question.factor
        return self._why(mask, "score", worth, points=found.worth, gift=given)

    def _why(self, answer: Answer, reason: str, worth: float, **values: int) -> Hint:
        return Hint(answer, Phrase(reason, values), worth=worth)

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
    """Plays every turn at the same price for a point given away."""

    def __init__(self, price: float) -> None:
        super().__init__()
        self._price = price

    def reroll(self, view: CharidiceView, question: Reroll) -> tuple[int, float]:
        number, best = self._numbers[question.dice], self._best(view)
        return best.again[question.rolls - 1][number], best.worth[question.rolls - 1][number]

    def _best(self, view: CharidiceView) -> Optimum:
        return optimum(2 * self._price if view.table.demanded else self._price)

    def best_set(self, view: CharidiceView, question: Score) -> tuple[int, float]:
        sets, step = offers(self._numbers[question.dice])
        price = self._price * question.factor
        points, gift, mask = max(sets, key=lambda each: (each[0] - price * each[1], -each[1]))
        return turn(mask, step), points - price * gift


class Casual(Priced):
    """Wants points of its own alone, looks one roll ahead and is content with what looks good."""

    stop = "content"

    def __init__(self) -> None:
        super().__init__(0.0)

    def reroll(self, view: CharidiceView, question: Reroll) -> tuple[int, float]:
        number, best = self._numbers[question.dice], self._best(view)
        _, points = self.best_set(view, Score(question.dice, 1))
        if points >= GOOD_SET:
            return 0, points
        return best.again[1][number], best.worth[1][number]

    def _demand(self, view: CharidiceView, question: Demand) -> Answer:
        gift = added(self._numbers[question.dice], question.rolls)
        return int(gift >= GOOD_GIFT or turns_left(view.table) == 1)


Worths = Callable[[Table, int, int], Mapping[Outcome, float]]
"""What the outcomes of a seat's present turn are worth, whose gift counts so many times."""


class ByOutcome(CharidicePlayer):
    """Plays each turn exactly, by what its outcomes are worth at this table."""

    def __init__(self, worths: Worths) -> None:
        super().__init__()
        self._worths = worths
        self._seen: tuple[Table, int, int, bool, bool] | None = None

    def _turn(self, t: Table, seat: int, settled: bool) -> BestTurn:
        """Look at the present turn: once, and again when it is known whether its gift is doubled.

        That is ``settled`` after the second roll, or as nothing is rolled any more.
        """
        seen = (t, t.round, seat, t.demanded, settled or t.demanded)
        if seen != self._seen:
            self._seen, self._best = seen, BestTurn(doubting(self._worths, t, seat, settled))
        return self._best

    def reroll(self, view: CharidiceView, question: Reroll) -> tuple[int, float]:
        turn = self._turn(view.table, view.seat, question.rolls > 1)
        return turn.again(question.dice, question.rolls)

    def best_set(self, view: CharidiceView, question: Score) -> tuple[int, float]:
        return self._turn(view.table, view.seat, True).set(question.dice)


class ToWin(ByOutcome):
    """Plays each turn for its share of the win, which goes with every reason."""

    def __init__(self) -> None:
        super().__init__(to_win)

    def _why(self, answer: Answer, reason: str, worth: float, **values: int) -> Hint:
        return Hint(answer, Phrase(f"{reason}-to-win", values), odds=min(worth, 1.0))


def doubting(worths: Worths, t: Table, seat: int, settled: bool) -> Mapping[Outcome, float]:
    """Return what outcomes are worth, unless ``settled`` with the doubt whether gifts are doubled.

    The neighbour, which has so many turns left to demand in, does it as likely in this as in any
    other.
    """
    if t.demanded:
        return worths(t, seat, 2)
    once = worths(t, seat, 1)
    if settled or not t.greatest[t.left(seat)]:
        return once
    twice, chance = worths(t, seat, 2), 1 / turns_left(t)
    return {each: once[each] + chance * (twice[each] - once[each]) for each in once}


def to_win(t: Table, seat: int, times: int) -> Mapping[Outcome, float]:
    """Return the seat's share of the win for every outcome, and a hair for its points."""
    entered = [(points, times * gift) for points, gift in kept_states().outcomes]
    if t.round == ROUNDS:
        shares = last_shares(t, seat, entered)
    else:
        shares = CharidiceProspects(t, seat).after(seat, entered)
    return {
        (points, gift): shares[points, times * gift] + _HAIR * (points - _HAIR_GIVEN * times * gift)
        for points, gift in kept_states().outcomes
    }


def to_give(
    t: Table, seat: int, times: int, weight: float = GIVERS_CHARITY
) -> Mapping[Outcome, float]:
    """Return points, with the charity bonus that is expected at several times its worth."""
    prospects, outcomes = CharidiceProspects(t, seat), kept_states().outcomes
    gifts = {gift for _, gift in outcomes}
    bonus = {gift: weight * prospects.charity(seat, times * gift) for gift in gifts}
    return {(points, gift): points + bonus[gift] for points, gift in outcomes}


PLAYERS: Final[Mapping[str, Callable[[], CharidicePlayer]]] = {
    "casual": Casual,
    "strong": partial(Priced, 0.0),
    "expert": ToWin,
    "giver": partial(ByOutcome, to_give),
    "miser": partial(Priced, 2.0),
}
"""How to make each bot that plays by the optimum."""
