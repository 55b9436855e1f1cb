"""Playing Store cards: alone, in a window, against each other (DT-6)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, Final, TypeAlias

from lanplay.engine.orders import Reaction, ReactionQuestion, WindowPace
from lanplay.engine.question import Answer, Dialogue, Illegal, Option, Phrase, Pick, Question
from lanplay.games.dice_town.cards import CHEATER, JOE, RULES, WANTED, kind
from lanplay.games.dice_town.lookout import chances
from lanplay.games.dice_town.poker import FACES
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

MOST_CHEATERS: Final = 2
_NO_CARD: Final[tuple[Answer] | None] = (None,)
_NO_TURN: Final[tuple[Answer] | None] = ((),)
Turns: TypeAlias = "tuple[tuple[int, int, int], ...]"
"""An answer to ``DiceTownCheat``."""


class Play(ReactionQuestion):
    """Play a card of the kind ``card`` now, or not. The answer is the card or ``None``.

    ``stake`` is what it would bring: nuggets, dollars or consolations; ``rival`` the seat it hits.
    """

    __slots__: Final = ("card", "hand", "stake", "rival")

    name: ClassVar[str] = "play"
    needs_cup: ClassVar[bool] = False

    def __init__(
        self, card: str, hand: tuple[int, ...], stake: int = 0, rival: int | None = None
    ) -> None:
        self.card: Final = card
        self.hand: Final = hand
        self.stake: Final = stake
        self.rival: Final = rival

    @property
    def pace(self) -> WindowPace:
        return WindowPace.BEAT

    def reactions(self, view: DiceTownView) -> tuple[Reaction, ...]:
        against = () if self.rival is None else (self.rival,)
        own = view.seat == view.table.sheriff
        cards = held(view, self.hand, self.card)
        return tuple([Reaction(self.card, each, self.stake, against, own) for each in cards[:1]])

    @property
    def rule(self) -> str:  # type: ignore[override]  # the rule is the card's own
        return RULES[self.card]

    def check(self, answer: Answer) -> None:
        if answer is not None:
            one_of(answer, self.hand, self.rule)

    def check_own(self, answer: Answer, view: DiceTownView) -> None:
        if isinstance(answer, int):
            own_kind(view, answer, self.card, self.rule)

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        return None if holds(view, self.hand, self.card) else _NO_CARD

    def pass_answer(self) -> tuple[Answer] | None:
        return (None,)

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell that playing a card is: it leaves the hand."""
        return answer is not None

    def dialogue(self, view: DiceTownView) -> Dialogue:
        cards = card_options(held(view, self.hand, self.card), view, may_pass=True)
        prompt, asks = (
            Phrase("play", {"kind": self.card}),
            Phrase(f"ask-{self.card}", self.values()),
        )
        answer: Answer = yield Pick(prompt, cards, asks)
        return answer

    def values(self) -> dict[str, Any]:
        hits = {} if self.rival is None else {"other": self.rival}
        return {"kind": self.card, "stake": self.stake, **hits}


class DiceTownCheat(ReactionQuestion):
    """Turn dice just revealed (``faces``) with Professional Cheaters (DT-6.2).

    The answer is a tuple of (card, place of the die, new face), one for each Cheater played. After
    the ``last`` reveal the table looks: who has shown no dice then is asked for what lies ahead.
    """

    __slots__: Final = ("faces", "hand", "last")

    name: ClassVar[str] = "cheat"
    rule: ClassVar[str] = "DT-6.2"
    needs_cup: ClassVar[bool] = False

    def __init__(self, faces: tuple[int, ...], hand: tuple[int, ...], last: bool = False) -> None:
        self.faces: Final = faces
        self.hand: Final = hand
        self.last: Final = last

    @property
    def pace(self) -> WindowPace:
        return WindowPace.LOOK if self.last else WindowPace.BEAT

    def reactions(self, view: DiceTownView) -> tuple[Reaction, ...]:
        """Return a Cheater held, if any: which die it turns no order says."""
        able = self.faces and holds(view, self.hand, CHEATER)
        return (Reaction(CHEATER, ()),) if able else ()

    def ahead(self, view: DiceTownView, answer: Answer) -> tuple[ReactionQuestion, ...]:
        return coming(view, self, turns(answer)) if self.last else ()

    def check(self, answer: Answer) -> None:
        if type(answer) is not tuple or len(answer) > MOST_CHEATERS:
            raise Illegal(self.rule, "malformed")
        cards = []
        for turn in answer:
            card, place, face = parts(turn, 3, self.rule)
            cards.append(card)
            one_of(place, range(len(self.faces)), self.rule)
            one_of(face, range(FACES), self.rule)
        distinct(tuple(cards), self.hand, self.rule)

    def check_own(self, answer: Answer, view: DiceTownView) -> None:
        for card, _, _ in turns(answer):
            own_kind(view, card, CHEATER, self.rule)

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        return None if self.faces and holds(view, self.hand, CHEATER) else _NO_TURN

    def pass_answer(self) -> tuple[Answer] | None:
        return ((),)

    def path(self, view: DiceTownView, answer: Answer) -> tuple[Answer, ...]:
        turned = {card: (place, face) for card, place, face in turns(answer)}
        path: list[Answer] = []
        for card in held(view, self.hand, CHEATER) if self.faces else ():
            path += turned.get(card, (None,))
        return tuple(path)

    def dialogue(self, view: DiceTownView) -> Dialogue:
        done: list[Answer] = []
        for card in held(view, self.hand, CHEATER) if self.faces else ():
            dice = [
                Option(place, Phrase("die", {"face": face}))
                for place, face in enumerate(self.faces)
            ]
            place = yield Pick(Phrase("turn-die"), [PASS, *dice])
            if place is None:
                continue
            faces = [Option(face, Phrase("die", {"face": face})) for face in range(FACES)]
            face = yield Pick(Phrase("turn-to"), faces, Phrase("ask-turn-to"))
            done.append((card, place, face))
        return tuple(done)

    def values(self) -> dict[str, Any]:
        return {"faces": self.faces}


def turns(answer: Answer) -> Turns:
    """Return a checked answer to ``DiceTownCheat`` with its type."""
    return answer  # type: ignore[return-value]  # ``DiceTownCheat.check`` has seen it


class Stop(ReactionQuestion):
    """Stop one of the cards just shown with Wanted (DT-6.11): (own card, card stopped) or ``None``.

    ``targets`` are cards that others, the seats ``by``, have just played; their faces are public.
    They would hit ``victims``, ``None`` where a card hits nobody in particular.
    """

    __slots__: Final = ("targets", "hand", "by", "victims")

    name: ClassVar[str] = "wanted"
    rule: ClassVar[str] = "DT-6.11"
    needs_cup: ClassVar[bool] = False

    def __init__(
        self,
        targets: tuple[int, ...],
        hand: tuple[int, ...],
        by: tuple[int, ...] = (),
        victims: tuple[int | None, ...] = (),
    ) -> None:
        self.targets: Final = targets
        self.hand: Final = hand
        self.by: Final = by
        self.victims: Final = victims

    def reactions(self, view: DiceTownView) -> tuple[Reaction, ...]:
        """Return what Wanted could stop, what hits this seat first."""
        found = [
            Reaction(WANTED, (card, target), 0, (by,), victim == view.seat)
            for card in held(view, self.hand, WANTED)[:1]
            for target, by, victim in zip(self.targets, self.by, self.victims, strict=True)
        ]
        return tuple(sorted(found, key=lambda each: not each.own))

    def check(self, answer: Answer) -> None:
        if answer is None:
            return
        card, target = parts(answer, 2, self.rule)
        one_of(card, self.hand, self.rule)
        one_of(target, self.targets, self.rule)

    def check_own(self, answer: Answer, view: DiceTownView) -> None:
        if isinstance(answer, tuple) and isinstance(answer[0], int):
            own_kind(view, answer[0], WANTED, self.rule)

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        return None if holds(view, self.hand, WANTED) else _NO_CARD

    def pass_answer(self) -> tuple[Answer] | None:
        return (None,)

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell that playing the card is: it leaves the hand."""
        return answer is not None

    def path(self, view: DiceTownView, answer: Any) -> tuple[Answer, ...]:
        own, target = (None, None) if answer is None else answer
        cards = held(view, self.hand, WANTED)
        passed = cards.index(own) if own in cards else len(cards) - 1
        return (*(None for _ in range(passed)), target)

    def dialogue(self, view: DiceTownView) -> Dialogue:
        targets = card_options(self.targets, view, may_pass=True)
        for card in held(view, self.hand, WANTED):
            target: Answer = yield Pick(Phrase("stop-card"), targets)
            if target is not None:
                return card, target
        return None


def coming(
    view: DiceTownView, question: DiceTownCheat, turned: Turns
) -> tuple[ReactionQuestion, ...]:
    """Return what a seat may be asked in the town of this round, as far as all can see it now."""
    t, seat, hand = view.table, view.seat, question.hand
    dice = list(t.dice)
    own = list(dice[seat])
    for _, place, face in turned:
        own[place - len(question.faces)] = face
    dice[seat] = tuple(own)
    return tuple(
        [
            Play(card, hand, stake, rival)
            for card, stake, rival in chances(t, dice, seat)
            if holds(view, hand, card)
        ]
    )


class DeclareJoe(Question):
    """Say whether the ``card`` just drawn is Nervous Joe, and whom he visits (DT-6.8).

    The answer is the seat that hands over $4, or ``None`` when the card is another one. Playing Joe
    is compulsory.
    """

    __slots__: Final = ("card", "others")

    name: ClassVar[str] = "joe"
    rule: ClassVar[str] = "DT-6.8"
    needs_cup: ClassVar[bool] = False

    def __init__(self, card: int, others: tuple[int, ...]) -> None:
        self.card: Final = card
        self.others: Final = others

    def check(self, answer: Answer) -> None:
        if answer is not None:
            one_of(answer, self.others, self.rule)

    def check_own(self, answer: Answer, view: DiceTownView) -> None:
        joe_is_played(view, self.card, answer)

    def only_answer(self, view: DiceTownView) -> tuple[Answer] | None:
        if not is_joe(view, self.card):
            return _NO_CARD
        return (self.others[0],) if len(self.others) == 1 else None

    def dialogue(self, view: DiceTownView) -> Dialogue:
        if not is_joe(view, self.card):
            return None
        seats = [seat_option(seat) for seat in self.others]
        answer: Answer = yield Pick(Phrase("joe-visits"), seats)
        return answer


def is_joe(view: DiceTownView, card: int) -> bool:
    """Tell whether the seat knows ``card`` to be Nervous Joe."""
    face = view.face(card)
    return face is not None and kind(face) == JOE


def joe_among(view: DiceTownView, cards: Collection[int]) -> int | None:
    """Return the card that the seat knows to be Nervous Joe, if it is among these."""
    return next((card for card in cards if is_joe(view, card)), None)


def joe_is_played(view: DiceTownView, card: int, victim: Answer) -> None:
    """Raise ``Illegal`` unless there is a victim exactly when ``card`` is Nervous Joe (DT-6.8)."""
    if is_joe(view, card) != (victim is not None):
        raise Illegal("DT-6.8", "joe-must-be-played")
