"""Which dice to keep (DT-2.2, DT-2.3), with the Brutes that are laid with them (DT-6.1)."""

from __future__ import annotations

from functools import cache
from itertools import chain, permutations
from typing import Any, ClassVar, Final

from lanplay.engine.question import (
    Answer,
    Dialogue,
    Illegal,
    Phrase,
    PickSome,
    Question,
    WordedLater,
)
from lanplay.games.dice_town.cards import BRUTE
from lanplay.games.dice_town.poker import DICE
from lanplay.games.dice_town.questions.shapes import (
    DiceTownView,
    among,
    card_options,
    distinct,
    held,
    holds,
    own_kind,
    parts,
)

_RULE: Final = "DT-2.2"
_ASKED: Final = Phrase("keep-dice")
MOST_BRUTES: Final = 2
_WAYS: Final = tuple(
    frozenset(chain.from_iterable(permutations(range(dice), kept) for kept in range(dice + 1)))
    for dice in range(DICE + 1)
)
"""Every way to name some of so many dice by their places."""


def price(kept: int, brutes: int, option: str) -> int:
    """Return what keeping ``kept`` dice costs with ``brutes`` Brutes, in $ (DT-2.3, DT-6.1)."""
    if brutes and option == "free":
        return 0
    return max(0, kept - 1 - brutes) if kept else 1


PRICES: Final = {
    option: tuple(
        tuple(price(kept, brutes, option) for kept in range(DICE + 1))
        for brutes in range(MOST_BRUTES + 1)
    )
    for option in ("free", "one_extra")
}
"""``price`` by option, Brutes and number of dice."""


def _too_dear(cost: int, dollars: int) -> Illegal:
    return Illegal("DT-2.3", "too-dear", dollars=cost, have=dollars)


_refused: Final = cache(_too_dear)  # to be read, not to be raised: many are drawn by lot


class Keep(Question):
    """Keep some of ``dice`` dice with ``dollars`` to pay for them.

    The answer is (places of the dice, Brutes laid with them), each a tuple. The order of the dice
    matters only if a Wanted cancels a Brute: what cannot be paid goes back last named first.
    """

    __slots__: Final = ("dice", "dollars", "hand", "option")

    name: ClassVar[str] = "keep"
    rule: ClassVar[str] = _RULE
    needs_cup: ClassVar[bool] = True

    def __init__(self, dice: int, dollars: int, hand: tuple[int, ...], option: str) -> None:
        self.dice: Final = dice
        self.dollars: Final = dollars
        self.hand: Final = hand
        self.option: Final = option

    def check(self, answer: Answer) -> None:
        dice, brutes = parts(answer, 2, _RULE)
        kept = len(among(dice, _WAYS[self.dice], _RULE))
        laid = 0 if brutes == () else len(distinct(brutes, self.hand, "DT-6.1"))
        if laid > MOST_BRUTES:
            raise Illegal("DT-6.1", "malformed")
        cost = PRICES[self.option][laid][kept]
        if cost > self.dollars:
            raise _too_dear(cost, self.dollars)

    def check_own(self, answer: Any, view: DiceTownView) -> None:
        brutes: tuple[int, ...] = answer[1]
        for card in brutes:
            own_kind(view, card, BRUTE, "DT-6.1")

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        """Return the last die of a seat that can pay nothing; any other seat has a choice."""
        if not view.cup:
            return self.unseen_answer()
        if self.dice > 1 or self.dollars or holds(view, self.hand, BRUTE):
            return None
        return (((0,), ()),)

    def unseen_answer(self) -> tuple[Answer]:
        """Return that nothing is kept; the first die of a seat that cannot pay for that."""
        return (((), ()),) if self.dollars else (((0,), ()),)

    def path(self, view: DiceTownView, answer: Any) -> tuple[Answer, ...]:
        dice, brutes = answer
        return (brutes, dice) if holds(view, self.hand, BRUTE) else (dice,)

    def dialogue(self, view: DiceTownView) -> Dialogue:
        cup = view.cup
        if not cup:
            return self.unseen_answer()[0]
        brutes: tuple[int, ...] = ()
        owned = held(view, self.hand, BRUTE)
        if owned:
            options = card_options(owned, view)
            asks = Phrase("ask-lay-brutes")
            brutes = yield PickSome(Phrase("lay-brutes"), options, 0, MOST_BRUTES, asks=asks)

        prices, dollars = PRICES[self.option][len(brutes)], self.dollars

        def why_not(dice: tuple[Answer, ...]) -> Illegal | None:
            cost = prices[len(dice)]
            return _refused(cost, dollars) if cost > dollars else None

        def note(dice: tuple[Answer, ...]) -> Phrase:
            return Phrase("costs", {"dollars": prices[len(dice)]})

        def die(place: int) -> Phrase:
            return Phrase("die", {"face": cup[place]})

        under = WordedLater(range(self.dice), die)
        dice = yield PickSome(_ASKED, under, 0, self.dice, why_not, note)
        return dice, brutes

    def reveals(self, answer: Answer) -> tuple[int, ...]:
        dice, _ = parts(answer, 2, self.rule)
        return distinct(dice, range(self.dice), self.rule)

    def values(self) -> dict[str, Any]:
        return {"dice": self.dice, "dollars": self.dollars}
