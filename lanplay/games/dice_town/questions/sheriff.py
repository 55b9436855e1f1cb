"""Ties, bribes and what else the Sheriff decides (DT-4, DT-3.8, DT-7.3)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any, ClassVar, Final

from lanplay.engine.question import (
    Answer,
    ChoiceQuestion,
    Dialogue,
    Illegal,
    Option,
    Phrase,
    Pick,
    PickSome,
    WordedLater,
)
from lanplay.games.dice_town.questions.shapes import (
    DiceTownView,
    amount,
    card_options,
    distinct,
    one_of,
    parts,
    seat_option,
)

Bribe = tuple[int, int, tuple[int, ...]]
"""Dollars, nuggets and cards offered."""
NOTHING: Final[Bribe] = (0, 0, ())
_DOLLARS, _NUGGETS, _CARDS = map(Phrase, ("offer-dollars", "offer-nuggets", "offer-cards"))


class SheriffOffer(ChoiceQuestion):
    """Make one sealed offer to the Sheriff (DT-4.2): (dollars, nuggets, cards), nothing included.

    ``place`` names what is decided (mine, bank, store, saloon, badge or hall), ``tied`` the seats.
    Who has nothing to offer is not asked.
    """

    __slots__: Final = ("place", "tied", "dollars", "nuggets", "cards")

    name: ClassVar[str] = "offer"
    rule: ClassVar[str] = "DT-4.2"
    needs_cup: ClassVar[bool] = False

    def __init__(
        self, place: str, tied: tuple[int, ...], dollars: int, nuggets: int, cards: tuple[int, ...]
    ) -> None:
        self.place: Final = place
        self.tied: Final = tied
        self.dollars: Final = dollars
        self.nuggets: Final = nuggets
        self.cards: Final = cards

    def check(self, answer: Answer) -> None:
        dollars, nuggets, cards = parts(answer, 3, self.rule)
        amount(dollars, self.dollars, self.rule)
        amount(nuggets, self.nuggets, self.rule)
        distinct(cards, self.cards, self.rule)

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell that an offer of something is: it may be the Sheriff's at once."""
        return answer != NOTHING

    def path(self, view: DiceTownView, answer: Any) -> tuple[Answer, ...]:
        there_is = (self.dollars, self.nuggets, self.cards)
        return tuple(each for each, some in zip(answer, there_is, strict=True) if some)

    def dialogue(self, view: DiceTownView) -> Dialogue:
        dollars = yield from _amount(_DOLLARS, "dollars", self.dollars)
        nuggets = yield from _amount(_NUGGETS, "nuggets", self.nuggets)
        cards: tuple[int, ...] = ()
        if self.cards:
            options = card_options(self.cards, view)
            cards = yield PickSome(_CARDS, options, 0, len(options))
        return dollars, nuggets, cards

    def values(self) -> dict[str, Any]:
        return {"place": self.place, "seats": self.tied}


def _amount(prompt: Phrase, unit: str, limit: int) -> Dialogue:
    if not limit:
        return 0
    amounts = WordedLater(range(limit + 1), lambda count: Phrase(unit, {"count": count}))
    answer: Answer = yield Pick(prompt, amounts)
    return answer


def bribe(answer: Answer) -> Bribe:
    """Return a checked answer to ``SheriffOffer`` with its type."""
    return answer  # type: ignore[return-value]  # ``SheriffOffer.check`` has seen it


class Decide(ChoiceQuestion):
    """Decide a tie (DT-4.1): the answer is one of the tied seats, whose offer changes hands."""

    __slots__: Final = ("place", "tied", "offers")

    name: ClassVar[str] = "decide"
    rule: ClassVar[str] = "DT-4.1"
    needs_cup: ClassVar[bool] = False

    def __init__(
        self, place: str, tied: tuple[int, ...], offers: Mapping[int, Bribe] | None = None
    ) -> None:
        self.place: Final = place
        self.tied: Final = tied
        self.offers: Final[Mapping[int, Bribe]] = {} if offers is None else offers

    def __hash__(self) -> int:
        return hash((self.place, self.tied))

    def check(self, answer: Answer) -> None:
        one_of(answer, self.tied, self.rule)

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell that a choice between offers is: all but one of them are gone."""
        return any(offer != NOTHING for offer in self.offers.values())

    def dialogue(self, view: DiceTownView) -> Dialogue:
        options = [Option(seat, self._offer(seat)) for seat in self.tied]
        answer: Answer = yield Pick(Phrase("decide", {"place": self.place}), options)
        return answer

    def _offer(self, seat: int) -> Phrase:
        dollars, nuggets, cards = self.offers.get(seat, NOTHING)
        values = {"seat": seat, "dollars": dollars, "nuggets": nuggets, "count": len(cards)}
        return Phrase("seat-offers", values)

    def values(self) -> dict[str, Any]:
        return {"place": self.place, "seats": self.tied}


class DocOrder(ChoiceQuestion):
    """Order the visits to Doc Badluck (DT-3.8); the answer names every visitor once."""

    __slots__: Final = ("visitors",)

    name: ClassVar[str] = "doc-order"
    rule: ClassVar[str] = "DT-3.8"
    needs_cup: ClassVar[bool] = False

    def __init__(self, visitors: tuple[int, ...]) -> None:
        self.visitors: Final = visitors

    def check(self, answer: Answer) -> None:
        if len(distinct(answer, self.visitors, self.rule)) != len(self.visitors):
            raise Illegal(self.rule, "name-all")

    def dialogue(self, view: DiceTownView) -> Dialogue:
        orders = [
            Option(order, Phrase("seats", {"seats": order}))
            for order in permutations(self.visitors)
        ]
        answer: Answer = yield Pick(Phrase("doc-order"), orders)
        return answer


class Winner(ChoiceQuestion):
    """Pick the winner among seats tied to the end (DT-7.3); the answer is the seat."""

    __slots__: Final = ("tied",)

    name: ClassVar[str] = "winner"
    rule: ClassVar[str] = "DT-7.3"
    needs_cup: ClassVar[bool] = False

    def __init__(self, tied: tuple[int, ...]) -> None:
        self.tied: Final = tied

    def check(self, answer: Answer) -> None:
        one_of(answer, self.tied, self.rule)

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell that it is: it ends the game."""
        return True

    def dialogue(self, view: DiceTownView) -> Dialogue:
        answer: Answer = yield Pick(Phrase("winner"), [seat_option(seat) for seat in self.tied])
        return answer
