"""Questions of the locations: Store, Saloon and Doc Badluck (DT-3.4, DT-3.5, DT-3.8)."""

from __future__ import annotations

from collections.abc import Sequence
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
    Question,
)
from lanplay.games.dice_town.poker import ACE, JACK, KING, NINE, QUEEN, TEN
from lanplay.games.dice_town.questions.cards import PASS, is_joe, joe_among, joe_is_played
from lanplay.games.dice_town.questions.shapes import (
    DiceTownView,
    card_option,
    distinct,
    one_of,
    parts,
    seat_option,
)

FENCED: Final = 2
"""Claims that one visit to the Doc lays behind barbed wire (DT-3.8)."""


class Buy(Question):
    """Keep one of the Store cards drawn (DT-3.4): (card, seat that Nervous Joe visits or ``None``).

    The victim is named exactly when the card kept is Nervous Joe (DT-6.8).
    """

    __slots__: Final = ("cards", "others")

    name: ClassVar[str] = "store"
    rule: ClassVar[str] = "DT-3.4"
    needs_cup: ClassVar[bool] = False

    def __init__(self, cards: tuple[int, ...], others: tuple[int, ...]) -> None:
        self.cards: Final = cards
        self.others: Final = others

    def check(self, answer: Answer) -> None:
        card, victim = parts(answer, 2, self.rule)
        one_of(card, self.cards, self.rule)
        if victim is not None:
            one_of(victim, self.others, "DT-6.8")

    def check_own(self, answer: Answer, view: DiceTownView) -> None:
        card, victim = parts(answer, 2, self.rule)
        joe_is_played(view, one_of(card, self.cards, self.rule), victim)

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        if len(self.cards) > 1 or is_joe(view, self.cards[0]):
            return None if len(self.cards) > 1 or len(self.others) > 1 else self._only_joe()
        return ((self.cards[0], None),)

    def _only_joe(self) -> tuple[Answer]:
        return ((self.cards[0], self.others[0]),)

    def path(self, view: DiceTownView, answer: Any) -> tuple[Answer, ...]:
        return tuple(each for each in answer if each is not None)

    def dialogue(self, view: DiceTownView) -> Dialogue:
        cards = [card_option(card, view) for card in self.cards]
        card = yield Pick(Phrase("buy-card"), cards)
        if not is_joe(view, card):
            return card, None
        seats = [seat_option(seat) for seat in self.others]
        victim = yield Pick(Phrase("joe-visits"), seats, Phrase("ask-joe"))
        return card, victim


class Rob(Question):
    """Pick the opponent to rob in the Saloon (DT-3.5); the answer is the seat."""

    __slots__: Final = ("victims", "dice")

    name: ClassVar[str] = "rob"
    rule: ClassVar[str] = "DT-3.5"
    needs_cup: ClassVar[bool] = False

    def __init__(self, victims: tuple[int, ...], dice: int) -> None:
        self.victims: Final = victims
        self.dice: Final = dice

    def check(self, answer: Answer) -> None:
        one_of(answer, self.victims, self.rule)

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        return (self.victims[0],) if len(self.victims) == 1 else None

    def dialogue(self, view: DiceTownView) -> Dialogue:
        answer: Answer = yield Pick(Phrase("rob"), [seat_option(seat) for seat in self.victims])
        return answer

    def values(self) -> dict[str, Any]:
        return {"count": self.dice}


class Take(Question):
    """Say how many Store cards are among the ``count`` to take, blind, from a hand (DT-3.5).

    The hand has ``store`` Store cards and ``claims`` claims, more than ``count`` together; the
    other cards taken are claims. Which of each back they are is drawn.
    """

    __slots__: Final = ("victim", "store", "claims", "count")

    name: ClassVar[str] = "take"
    rule: ClassVar[str] = "DT-3.5"
    needs_cup: ClassVar[bool] = False

    def __init__(self, victim: int, store: int, claims: int, count: int) -> None:
        self.victim: Final = victim
        self.store: Final = store
        self.claims: Final = claims
        self.count: Final = count

    def check(self, answer: Answer) -> None:
        one_of(answer, self._counts(), self.rule)

    def _counts(self) -> range:
        return range(max(0, self.count - self.claims), min(self.count, self.store) + 1)

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        counts = self._counts()
        return (counts.start,) if len(counts) == 1 else None

    def dialogue(self, view: DiceTownView) -> Dialogue:
        options = [
            Option(store, Phrase("backs", {"store": store, "claims": self.count - store}))
            for store in self._counts()
        ]
        answer: Answer = yield Pick(Phrase("take", {"seat": self.victim}), options)
        return answer

    def values(self) -> dict[str, Any]:
        return {"seat": self.victim, "count": self.count}


class KeepLoot(Question):
    """Keep one of the cards just stolen (DT-3.5); the answer is the card.

    A thief that finds Nervous Joe, who never stays in a hand, shows him instead: the answer is then
    that card alone in a tuple, and its victim's program is modified (DT-6.8).
    """

    __slots__: Final = ("cards",)

    name: ClassVar[str] = "keep-loot"
    rule: ClassVar[str] = "DT-3.5"
    needs_cup: ClassVar[bool] = False

    def __init__(self, cards: tuple[int, ...]) -> None:
        self.cards: Final = cards

    def check(self, answer: Answer) -> None:
        card = parts(answer, 1, self.rule)[0] if type(answer) is tuple else answer
        one_of(card, self.cards, self.rule)

    def check_own(self, answer: Answer, view: DiceTownView) -> None:
        called = answer[0] if isinstance(answer, tuple) else None
        if called != joe_among(view, self.cards):
            raise Illegal("DT-6.8", "joe-must-be-played")

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        joe = joe_among(view, self.cards)
        if joe is not None:
            return ((joe,),)
        return (self.cards[0],) if len(self.cards) == 1 else None

    def dialogue(self, view: DiceTownView) -> Dialogue:
        joe = joe_among(view, self.cards)
        if joe is not None:
            return (joe,)
        cards = [card_option(card, view) for card in self.cards]
        answer: Answer = yield Pick(Phrase("keep-loot"), cards)
        return answer


class Denounce(Question):
    """Show Nervous Joe if he is among the cards that a bribe brought (DT-6.8): he, or ``None``."""

    __slots__: Final = ("cards",)

    name: ClassVar[str] = "denounce"
    rule: ClassVar[str] = "DT-6.8"
    needs_cup: ClassVar[bool] = False

    def __init__(self, cards: tuple[int, ...]) -> None:
        self.cards: Final = cards

    def check(self, answer: Answer) -> None:
        if answer is not None:
            one_of(answer, self.cards, self.rule)

    def check_own(self, answer: Answer, view: DiceTownView) -> None:
        if answer != joe_among(view, self.cards):
            raise Illegal(self.rule, "joe-must-be-played")

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        return (joe_among(view, self.cards),)

    def dialogue(self, view: DiceTownView) -> Dialogue:
        return joe_among(view, self.cards)
        yield  # a generator that asks nothing


class Consolation(ChoiceQuestion):
    """Pick Doc Badluck's consolation (DT-3.8): (face, claims to fence) or ``None`` for no visit.

    The face is NINE for barbed wire, JACK for a Store card, KING for dollars and ACE for nuggets.
    ``faces`` are those the seat may pick; the claims are only named with NINE.
    """

    __slots__: Final = ("faces", "deeds")

    name: ClassVar[str] = "doc"
    rule: ClassVar[str] = "DT-3.8"
    needs_cup: ClassVar[bool] = False

    def __init__(self, faces: tuple[int, ...], deeds: tuple[int, ...]) -> None:
        self.faces: Final = faces
        self.deeds: Final = deeds

    def check(self, answer: Answer) -> None:
        if answer is None:
            return
        face, claims = parts(answer, 2, self.rule)
        one_of(face, self.faces, self.rule)
        fenced = distinct(claims, self.deeds, self.rule)
        if len(fenced) != (self._to_fence() if face == NINE else 0):
            raise Illegal(self.rule, "fence-exactly", count=self._to_fence())

    def _to_fence(self) -> int:
        return min(FENCED, len(self.deeds))

    def path(self, view: DiceTownView, answer: Any) -> tuple[Answer, ...]:
        if answer is None:
            return (None,)
        face, claims = answer
        return (face, claims) if face == NINE else (face,)

    def dialogue(self, view: DiceTownView) -> Dialogue:
        options = [Option(face, Phrase(f"visit-{_NAMES[face]}")) for face in self.faces]
        face = yield Pick(Phrase("doc"), [PASS, *options])
        if face is None:
            return None
        if face != NINE:
            return face, ()
        cards = [card_option(card, view) for card in self.deeds]
        count = self._to_fence()
        claims = yield PickSome(
            Phrase("fence"), cards, count, count, asks=Phrase("ask-fence", {"count": count})
        )
        return NINE, claims


_NAMES: Final = {NINE: "wire", JACK: "store", KING: "dollars", ACE: "nuggets"}


def consolations(dice: Sequence[int], claims: bool, store: bool) -> tuple[int, ...]:
    """Return the consolations that five dice allow (DT-3.8), with claims or Store cards to have."""
    offers = []
    if claims and (NINE in dice or TEN in dice):
        offers.append(NINE)
    if store and (JACK in dice or QUEEN in dice):
        offers.append(JACK)
    return (*offers, *[face for face in (KING, ACE) if face in dice])
