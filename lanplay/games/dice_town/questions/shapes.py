"""Checks of an answer's shape that several questions share. They take any value whatever."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from lanplay.engine.question import Answer, Illegal, Option, Phrase, WordedLater
from lanplay.engine.view import View
from lanplay.games.dice_town.cards import FACES_OF, kind
from lanplay.games.dice_town.table import DiceTownTable

DiceTownView = View[DiceTownTable]
PASS: Final = Option(None, Phrase("pass"))


def parts(answer: Answer, count: int, rule: str) -> tuple[Answer, ...]:
    """Return ``answer`` if it is a tuple of ``count`` parts; raise ``Illegal`` otherwise."""
    if type(answer) is tuple and len(answer) == count:
        return answer
    raise Illegal(rule, "malformed")


def distinct(answer: Answer, allowed: Collection[int], rule: str) -> tuple[int, ...]:
    """Return ``answer`` if it is distinct members of ``allowed``; raise ``Illegal`` otherwise."""
    if type(answer) is not tuple:
        raise Illegal(rule, "malformed")
    for member in answer:
        if type(member) is not int or member not in allowed:
            raise Illegal(rule, "malformed")
    if len(answer) > 1 and len(set(answer)) != len(answer):
        raise Illegal(rule, "malformed")
    return answer  # type: ignore[return-value]  # every member has been seen to be an int


def among(answer: Answer, ways: Collection[tuple[int, ...]], rule: str) -> tuple[int, ...]:
    """Return ``answer`` if it is one of the tuples ``ways``; raise ``Illegal`` otherwise."""
    if type(answer) is tuple:
        for member in answer:
            if type(member) is not int:
                break
        else:
            if answer in ways:
                return answer  # type: ignore[return-value]  # every member has been seen to be an int
    raise Illegal(rule, "malformed")


def one_of(answer: Answer, allowed: Collection[int], rule: str) -> int:
    """Return ``answer`` if it is a member of ``allowed``; raise ``Illegal`` otherwise."""
    if type(answer) is int and answer in allowed:
        return answer
    raise Illegal(rule, "malformed")


def amount(answer: Answer, limit: int, rule: str) -> int:
    """Return ``answer`` if it is a number from 0 to ``limit``; raise ``Illegal`` otherwise."""
    if type(answer) is int and 0 <= answer <= limit:
        return answer
    raise Illegal(rule, "malformed")


def own_kind(view: DiceTownView, card: int, wanted: str, rule: str) -> None:
    """Raise ``Illegal`` unless the seat's own ``card`` is of the kind ``wanted``."""
    face = view.face(card)
    if face is None or kind(face) != wanted:
        raise Illegal(rule, "not-that-card", kind=wanted)


def held(view: DiceTownView, hand: tuple[int, ...], wanted: str) -> list[int]:
    """Return the cards of ``hand`` that the seat knows to be of the kind ``wanted``."""
    own, faces = view.own, FACES_OF[wanted]
    return [card for card in hand if own.get(card) in faces]


def holds(view: DiceTownView, hand: tuple[int, ...], wanted: str) -> bool:
    """Tell whether the seat knows a card of ``hand`` to be of the kind ``wanted``."""
    own, faces = view.own, FACES_OF[wanted]
    for card in hand:  # noqa: SIM110  # asked in every window: a generator would cost more
        if own.get(card) in faces:
            return True
    return False


def card_options(
    cards: Iterable[int], view: DiceTownView, *, may_pass: bool = False
) -> WordedLater:
    """Return the options to pick one of some cards; a hidden one is named by its back alone.

    Where one ``may_pass``, that is the first of them.
    """
    faces: dict[int | None, int | None] = {None: None} if may_pass else {}
    for card in cards:
        faces[card] = view.face(card)

    def word(card: int | None) -> Phrase:
        face = faces[card]
        if card is None:
            return PASS.label
        return (
            Phrase("hidden-card", {"handle": card})
            if face is None
            else Phrase("card", {"card": face})
        )

    return WordedLater(tuple(faces), word)


def seat_option(seat: int) -> Option:
    """Return the option to pick a seat."""
    return Option(seat, Phrase("seat", {"seat": seat}))
