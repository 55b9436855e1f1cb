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
from lanplay.games.dice_town.cards import CREDIT, GIRLS
from lanplay.games.dice_town.poker import ACE, JACK, KING, NINE, QUEEN, TEN
from lanplay.games.dice_town.questions.cards import is_joe, joe_among, joe_is_played
from lanplay.games.dice_town.questions.shapes import (
    PASS,
    DiceTownView,
    card_options,
    distinct,
    held,
    holds,
    one_of,
    own_kind,
    parts,
    seat_option,
)

FENCED: Final = 2
"""Claims that one visit to the Doc lays behind barbed wire (DT-3.8)."""


class Buy(Question):
    """Keep one of the Store cards drawn (DT-3.4): (card, seat that Nervous Joe visits, Credit).

    The victim is named exactly when the card kept is Nervous Joe (DT-6.8), else it is ``None``. The
    third is the Unlimited Credit laid for one more action, one of ``layable``, or ``None``
    (DT-6.4); of the cards drawn it can be the one kept.
    """

    __slots__: Final = ("cards", "others", "layable")

    name: ClassVar[str] = "store"
    rule: ClassVar[str] = "DT-3.4"
    needs_cup: ClassVar[bool] = False

    def __init__(
        self, cards: tuple[int, ...], others: tuple[int, ...], layable: tuple[int, ...] = ()
    ) -> None:
        self.cards: Final = cards
        self.others: Final = others
        self.layable: Final = layable

    def check(self, answer: Answer) -> None:
        card, victim, credit = parts(answer, 3, self.rule)
        one_of(card, self.cards, self.rule)
        if victim is not None:
            one_of(victim, self.others, "DT-6.8")
        may_lay(credit, card, victim is None, self.cards, self.layable, "DT-6.4")

    def check_own(self, answer: Answer, view: DiceTownView) -> None:
        card, victim, credit = parts(answer, 3, self.rule)
        joe_is_played(view, one_of(card, self.cards, self.rule), victim)
        if isinstance(credit, int):
            own_kind(view, credit, CREDIT, "DT-6.4")

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        if len(self.cards) > 1 or holds(view, self.layable, CREDIT):
            return None
        if not is_joe(view, self.cards[0]):
            return ((self.cards[0], None, None),)
        return ((self.cards[0], self.others[0], None),) if len(self.others) == 1 else None

    def path(self, view: DiceTownView, answer: Any) -> tuple[Answer, ...]:
        card, victim, credit = answer
        path = [card] if victim is None else [card, victim]
        return (
            (*path, credit) if to_lay(view, CREDIT, self.layable, self.cards, card) else tuple(path)
        )

    def dialogue(self, view: DiceTownView) -> Dialogue:
        cards = card_options(self.cards, view)
        card = yield Pick(Phrase("buy-card"), cards)
        victim: Answer = None
        if is_joe(view, card):
            seats = [seat_option(seat) for seat in self.others]
            victim = yield Pick(Phrase("joe-visits"), seats, Phrase("ask-joe"))
        credit: Answer = None
        if found := to_lay(view, CREDIT, self.layable, self.cards, card):
            options = card_options(found, view, may_pass=True)
            credit = yield Pick(Phrase("play", {"kind": CREDIT}), options, Phrase("ask-credit"))
        return card, victim, credit


def to_lay(
    view: DiceTownView, wanted: str, layable: tuple[int, ...], cards: tuple[int, ...], kept: Answer
) -> list[int]:
    """Return the cards of a kind that can be laid after one of ``cards`` was kept."""
    return [each for each in held(view, layable, wanted) if each not in cards or each == kept]


def may_lay(
    laid: Answer,
    kept: Answer,
    stays: bool,
    cards: tuple[int, ...],
    layable: tuple[int, ...],
    rule: str,
) -> None:
    """Raise ``Illegal`` unless a card may be laid after one was kept, or none is (``None``).

    Of the ``cards`` to choose from it can be the one kept, where that ``stays`` in the hand.
    """
    if laid is None:
        return
    one_of(laid, layable, rule)
    if laid in cards and not (stays and laid == kept):
        raise Illegal(rule, "malformed")


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
    """Keep one of the cards just stolen (DT-3.5): (card, the Girls laid with it or ``None``).

    The Girls, one of ``layable``, bring one more robbery; they may be the card just kept (DT-6.5).
    A thief that finds Nervous Joe, who never stays in a hand, shows him instead: the answer is then
    that card alone in a tuple, and its victim's program is modified (DT-6.8).
    """

    __slots__: Final = ("cards", "layable")

    name: ClassVar[str] = "keep-loot"
    rule: ClassVar[str] = "DT-3.5"
    needs_cup: ClassVar[bool] = False

    def __init__(self, cards: tuple[int, ...], layable: tuple[int, ...] = ()) -> None:
        self.cards: Final = cards
        self.layable: Final = layable

    def check(self, answer: Answer) -> None:
        if type(answer) is tuple and len(answer) == 1:
            one_of(answer[0], self.cards, self.rule)
            return
        card, girls = parts(answer, 2, self.rule)
        one_of(card, self.cards, self.rule)
        may_lay(girls, card, True, self.cards, self.layable, "DT-6.5")

    def check_own(self, answer: Any, view: DiceTownView) -> None:
        called = answer[0] if len(answer) == 1 else None
        if called != joe_among(view, self.cards):
            raise Illegal("DT-6.8", "joe-must-be-played")
        if len(answer) == 2 and answer[1] is not None:
            own_kind(view, answer[1], GIRLS, "DT-6.5")

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        joe = joe_among(view, self.cards)
        if joe is not None:
            return ((joe,),)
        if len(self.cards) > 1 or holds(view, self.layable, GIRLS):
            return None
        return ((self.cards[0], None),)

    def path(self, view: DiceTownView, answer: Any) -> tuple[Answer, ...]:
        if len(answer) == 1:
            return ()
        card, girls = answer
        return (card, girls) if to_lay(view, GIRLS, self.layable, self.cards, card) else (card,)

    def dialogue(self, view: DiceTownView) -> Dialogue:
        joe = joe_among(view, self.cards)
        if joe is not None:
            return (joe,)
        cards = card_options(self.cards, view)
        card = yield Pick(Phrase("keep-loot"), cards)
        girls: Answer = None
        if found := to_lay(view, GIRLS, self.layable, self.cards, card):
            options = card_options(found, view, may_pass=True)
            girls = yield Pick(Phrase("play", {"kind": GIRLS}), options, Phrase("ask-girls"))
        return card, girls


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
        cards = card_options(self.deeds, view)
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
