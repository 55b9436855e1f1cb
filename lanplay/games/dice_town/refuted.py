"""Cards that are not what their seat has answered: a claim has no effect, its card is lost."""

from __future__ import annotations

from lanplay.engine.requests import Card, ClaimRefuted, Rules, Show
from lanplay.games.dice_town.cards import JOE, RULES, kind
from lanplay.games.dice_town.table import DiceTownTable as Table


def refuted(t: Table, seat: int, card: Card, rule: str) -> Rules[None]:
    """Tell that a card now public is not what the last answer of a seat called it."""
    t.log_event("refuted", seat=seat, card=t.face(card))
    yield ClaimRefuted(seat, rule)


def denounced(t: Table, card: Card, giver: int, taker: int) -> Rules[bool]:
    """Show a card that its taker calls Nervous Joe; tell whether he is (DT-6.8).

    Whoever is wrong has a modified program. Another card stays where it lies.
    """
    if card not in t.faces:
        yield Show([card])
    found = kind(t.face(card)) == JOE
    yield from joe_found(t, giver, card) if found else refuted(t, taker, card, RULES[JOE])
    return found


def joe_found(t: Table, seat: int, card: Card) -> Rules[None]:
    """Discard Nervous Joe, public, without effect: a seat had him in its hand (DT-6.8)."""
    for hand in t.hands:
        if card in hand:
            hand.remove(card)
    t.discards.append(card)
    t.log_event("refuted", seat=seat, card=t.face(card))
    yield ClaimRefuted(seat, RULES[JOE], last=False)
