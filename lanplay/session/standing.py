"""A person's standing orders at the windows of one game: what they answer, and what they ask.

Nothing of this leaves the program but the answers: no order, and no time that hangs on one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Any, Final

from lanplay.engine.orders import (
    Foreseen,
    Mode,
    Order,
    OrderForm,
    Reaction,
    ReactionQuestion,
    WindowPace,
    decide,
    parted,
)
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.session.habits import PersonHabits, Thinking
from lanplay.session.reaction import Bank, pace_of

DECOYS: Final = 0.9
"""What a look tells: that a seat holds it, or does not, changes the odds at most by this factor."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a window: ``answer`` leaves by itself, or the person is asked ``asks``.

    ``could``: the seat could react here, or to what lies ahead. ``plays``: what leaves by itself
    plays a card, here or by an order for what lies ahead.
    """

    answer: Answer = None
    asks: Question | None = None
    could: bool = True
    plays: bool = False


class StandingOrders:
    """The orders of one seat in one game; ``shared``: others wait while it is asked.

    What was ordered outlives the game in ``habits``, but for orders against a seat. Where nobody
    waits, only what its person has ordered answers, and what is ordered by default is asked.
    """

    def __init__(
        self,
        forms: Mapping[str, OrderForm],
        game: str,
        habits: PersonHabits,
        *,
        decoys: bool = True,
        luck: Random | None = None,
    ) -> None:
        self.forms = forms
        self.bank = Bank()
        self.lapsed = False
        """Whether its person let the last time pass: until it does something, nobody is asked."""
        self._game = game
        self._habits = habits
        self._decoys = decoys
        self._luck = luck or SystemRandom()
        self._given: dict[str, Order] = {}
        self._ahead: dict[str, bool] = {}
        self._armed: dict[Question, Answer] = {}
        self._round = 0

    # -- orders ------------------------------------------------------------------------------------

    def ordered(self, card: str) -> Order | None:
        """Return what the person has ordered for a kind of card, in this game or before."""
        found = self._given.get(card)
        return found or self._habits.orders.get(self._game, {}).get(card)

    def order(self, card: str) -> Order:
        """Return the order that holds for a kind of card."""
        return self.ordered(card) or self.forms[card].default

    def give(self, card: str, order: Order) -> None:
        """Order something from now on; ``ValueError`` if the card takes no such order."""
        form = self.forms.get(card)
        if form is None or order.mode not in form.modes:
            raise ValueError(card)
        if order.mode is Mode.FROM and order.amount not in form.amounts:
            raise ValueError(card)
        self._given[card] = order
        self._ahead.pop(card, None)
        if order.mode is not Mode.AGAINST:
            self._habits.orders.setdefault(self._game, {})[card] = order

    def orders(self) -> Mapping[str, Order]:
        """Return what holds for every kind of card."""
        return {card: self.order(card) for card in self.forms}

    def onwards(self, question: Question, view: View[Any]) -> tuple[Mode, ...]:
        """Return what can be ordered for good of all the cards that a question is about."""
        cards = {reaction.card for each in _parts(question, view) for reaction in each}
        modes = (Mode.ALWAYS, Mode.NEVER) if cards else ()
        return tuple(mode for mode in modes if all(mode in self.forms[c].modes for c in cards))

    def from_now_on(self, question: Question, view: View[Any], mode: Mode) -> Answer:
        """Order that for all of them; return the answer to the question that it gives."""
        parts = _parts(question, view)
        for card in {reaction.card for each in parts for reaction in each}:
            self.give(card, Order(mode))
        passed = question.pass_answer()
        assert passed is not None
        if mode is not Mode.ALWAYS:
            return passed[0]
        if not isinstance(question, Foreseen):
            return parts[0][0].answer
        first, _ = parted(passed[0])
        plays = [each.reactions(view)[0].answer for each in question.later(view, first)]
        return (parts[0][0].answer if parts[0] else first), tuple(plays)

    def arm(self, question: Question, answer: Answer) -> None:
        """Answer what may be asked in this round; ``Illegal`` if it cannot be answered so."""
        question.check(answer)
        self._armed[question] = answer

    # -- windows -----------------------------------------------------------------------------------

    def alone(self, question: Question, view: View[Any]) -> tuple[Answer] | None:
        """Return what the person has ordered to be answered where nobody waits, if anything."""
        if not isinstance(question, ReactionQuestion):
            return None
        passed = question.pass_answer()
        reactions = question.reactions(view)
        if passed is None or not reactions:
            return None
        for reaction in reactions:
            order = self.ordered(reaction.card)
            said = None if order is None else decide(order, reaction)
            if said is None:
                return None
            if said:
                return (reaction.answer,)
        return passed

    def verdict(self, question: Question, view: View[Any]) -> Verdict:
        """Return what becomes of a window at a table where others wait."""
        self._begin_round(view)
        passed, only = question.pass_answer(), question.only_answer(view)
        assert passed is not None
        if not isinstance(question, ReactionQuestion):
            return Verdict(only[0], could=False) if only else Verdict(asks=question)
        given = only or self._given_answer(question, view)
        if question.pace is WindowPace.BEAT:
            return Verdict((given or passed)[0], could=only is None)
        return self._looked(question, view, given, could=only is None)

    def _looked(
        self, question: ReactionQuestion, view: View[Any], given: tuple[Answer] | None, could: bool
    ) -> Verdict:
        """Return what becomes of a look: what lies ahead is asked with it."""
        cards = tuple([card for card in self.forms if self.order(card).mode is Mode.ASK])
        passed = question.pass_answer()
        assert passed is not None
        expected = (given or passed)[0]
        ahead = question.ahead(view, expected)
        self._ahead.clear()
        asks = Foreseen(question, cards, given)
        if given is None or asks.later(view, expected):
            return Verdict(asks=asks)
        plays = (expected,) != passed or any(
            decide(self.order(reaction.card), reaction)
            for each in ahead
            for reaction in each.reactions(view)
        )
        return Verdict(expected, could=could or bool(ahead), plays=plays)

    def _given_answer(self, question: ReactionQuestion, view: View[Any]) -> tuple[Answer] | None:
        """Return the answer that orders give; ``None`` where one wants to be asked."""
        if question in self._armed:
            return (self._armed.pop(question),)
        asks = False
        for reaction in question.reactions(view):
            said = self._ahead.get(reaction.card)
            if said is None:
                said = decide(self.order(reaction.card), reaction)
            if said:
                return (reaction.answer,)
            asks |= said is None
        return None if asks else question.pass_answer()

    def settle(self, asked: Question, view: View[Any], answer: Answer) -> tuple[Answer, bool]:
        """Return what is sent of an answer to ``Verdict.asks``, and whether a card is played by it.

        The rest becomes orders.
        """
        if not isinstance(asked, Foreseen):
            return answer, (answer,) != asked.pass_answer()
        first, rest = parted(answer)
        for question, each in zip(asked.later(view, first), rest, strict=False):
            for reaction in question.reactions(view):
                self._ahead[reaction.card] = (each,) != question.pass_answer()
        return first, (first,) != asked.first.pass_answer() or any(self._ahead.values())

    def _begin_round(self, view: View[Any]) -> None:
        if view.table.round != self._round:
            self._round = view.table.round
            self.bank.new_round()
            self._ahead.clear()
            self._armed.clear()

    # -- time --------------------------------------------------------------------------------------

    def thought(self, question: Question, seconds: float | None) -> None:
        """Note that the seat could react and did not, and how long its person thought about it.

        ``None``: not at all. Whoever plays a card is seen to have held it: of that nothing is
        noted, and what is hidden is how those take their time who play none.
        """
        if _looks(question):
            self.thinking(question).note(seconds)

    def thinking(self, question: Question) -> Thinking:
        """Return how the person thinks in looks of this kind."""
        return self._habits.thinking.setdefault(self._game, {}).setdefault(
            question.name, Thinking()
        )

    def decoy(self, question: Question) -> float | None:
        """Return for how many seconds to take time over nothing, as its person would; or ``None``.

        Only where others see how long it took, and never by what is held.
        """
        thinking = self.thinking(question)
        holds = self._luck.random() < taken(thinking.share)
        return thinking.draw(self._luck) if holds and self._decoys and _looks(question) else None


def _parts(question: Question, view: View[Any]) -> list[tuple[Reaction, ...]]:
    """Return what the seat could do, for the first and for each further part of a question."""
    if isinstance(question, ReactionQuestion):
        return [question.reactions(view)]
    if not isinstance(question, Foreseen):
        return [()]
    first = () if question.given else question.first.reactions(view)
    passed = question.pass_answer()
    assert passed is not None
    later = question.later(view, parted(passed[0])[0])
    return [first, *[each.reactions(view) for each in later]]


def taken(share: float) -> float:
    """Return how often who cannot react takes time, if its person does in ``share`` when it can.

    As seldom as ``DECOYS`` allows: for times that are taken, and for those that are not.
    """
    return max(DECOYS * share, 1 - (1 - share) / DECOYS)


def _looks(question: Question) -> bool:
    return pace_of(question) is WindowPace.LOOK
