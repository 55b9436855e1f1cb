"""A game continued anew from a round boundary: public things stay, hidden cards are dealt again."""

from __future__ import annotations

from itertools import chain
from typing import Any

from lanplay.engine.plain import Plain
from lanplay.engine.redeal import laid, redistribute, spare_faces, visible_faces
from lanplay.engine.requests import Deal, Rules
from lanplay.games.dice_town.cards import CARDS, CLAIM_FACES, JOE, STORE_FACES, kind
from lanplay.games.dice_town.table import (
    DOLLARS_IN_BANK,
    DOLLARS_PER_SEAT,
    NUGGETS,
    ROW,
)
from lanplay.games.dice_town.table import DiceTownTable as Table

NUMBERS = ("round", "bank", "coach", "mine", "sheriff")
PER_SEAT = ("dollars", "nuggets")
STORE_PLACES = ("deck", "discards", "hands")
CLAIM_PLACES = ("claims", "row", "deeds", "fences")
OF_SEATS = ("hands", "deeds", "fences")
"""Places of which every seat has one."""
KEYS = (*NUMBERS, *PER_SEAT, *STORE_PLACES, *CLAIM_PLACES)
MOST_ROUNDS = 1_000_000


def snapshot(t: Table) -> dict[str, Plain]:
    """Return what a new game can start from (see ``Game.snapshot``)."""
    data: dict[str, Plain] = {name: getattr(t, name) for name in NUMBERS}
    data |= {name: tuple(getattr(t, name)) for name in PER_SEAT}
    for name in (*STORE_PLACES, *CLAIM_PLACES):
        place = getattr(t, name)
        by_seat = name in OF_SEATS
        data[name] = (
            tuple([visible_faces(t, each) for each in place])
            if by_seat
            else visible_faces(t, place)
        )
    return data


def from_snapshot(t: Table, data: Any) -> None:
    """Lay a new table as ``snapshot`` says; ``ValueError`` names what cannot be."""
    if type(data) is not dict or tuple(data) != KEYS:
        raise ValueError(f"a snapshot of Dice Town has {', '.join(KEYS)}, in this order")
    _lay_goods(t, data)
    t.faces = {}
    _lay_cards(t, data, STORE_PLACES, STORE_FACES)
    _lay_cards(t, data, CLAIM_PLACES, CLAIM_FACES)
    if any(kind(card) == JOE for card in chain(*t.hands)):
        raise ValueError("Nervous Joe cannot be in a hand")
    if not t.faces.keys() >= {*t.row, *chain(*t.fences)}:
        raise ValueError("claims in the row and behind barbed wire are face up")
    if len(t.row) > ROW or (len(t.row) < ROW and t.claims):
        raise ValueError(f"the row has {len(t.row)} claims at the end of a round")


def _lay_goods(t: Table, data: dict[str, Any]) -> None:
    for name in NUMBERS:
        setattr(t, name, _amount(data[name]))
    for name in PER_SEAT:
        setattr(t, name, [_amount(each) for each in _by_seat(t, data[name])])
    if t.bank + t.coach + sum(t.dollars) != DOLLARS_IN_BANK + DOLLARS_PER_SEAT * t.seats:
        raise ValueError("the dollars do not add up")
    if t.mine + sum(t.nuggets) != NUGGETS:
        raise ValueError("the nuggets do not add up")
    if t.sheriff >= t.seats:
        raise ValueError(f"there is no seat {t.sheriff} to be the Sheriff")


def _amount(value: object) -> int:
    if type(value) is int and 0 <= value <= MOST_ROUNDS:
        return value
    raise ValueError(f"{value!r} is no number of rounds, seats, dollars or nuggets")


def _by_seat(t: Table, values: Any) -> tuple[Any, ...]:
    if type(values) is tuple and len(values) == t.seats:
        return values
    raise ValueError(f"{values!r} is not one value for each of {t.seats} seats")


def _lay_cards(t: Table, data: dict[str, Any], names: tuple[str, ...], back: range) -> None:
    """Lay the cards of one back. Nervous Joe, if hidden, comes first: into the deck (DT-6.8)."""
    by_name = {n: _by_seat(t, data[n]) if n in OF_SEATS else (data[n],) for n in names}
    faces = spare_faces(back, chain(*by_name.values()))
    t.faces |= {face: face for face in back if face not in faces}
    spare = iter(sorted(faces, key=lambda face: kind(face) != JOE))
    for name, places in by_name.items():
        cards = [laid(place, spare) for place in places]
        setattr(t, name, cards if name in OF_SEATS else cards[0])


def is_fresh(t: Table) -> bool:
    """Tell whether the hidden cards are still to be dealt: they have the handles of a new table."""
    return any(card < CARDS for card in _hidden(t, *_store(t), *_claims(t)))


def deal_anew(t: Table) -> Rules[None]:
    """Shuffle all hidden cards and deal as many of them to every place as lay there.

    Nervous Joe never stays in a hand (DT-6.8): if he is hidden he is shuffled into the deck and the
    discards after the hands have theirs.
    """
    store, claims = _hidden(t, *_store(t)), _hidden(t, *_claims(t))
    others = [card for card in store if kind(card) != JOE]
    piles = {"store": others, "claims": claims}
    yield from redistribute((t.round, "anew"), piles, (*_store(t), *_claims(t)))
    if len(others) < len(store):
        rest = {"store": _hidden(t, t.deck, t.discards)}
        yield from redistribute((t.round, "anew with Joe"), rest, (t.deck, t.discards))
    for seat in range(t.seats):
        if cards := _hidden(t, t.loot(seat)):
            yield Deal(cards, seat)
    t.log_event("deals-anew", count=len(store) + len(claims))


def _store(t: Table) -> tuple[list[int], ...]:
    return t.deck, t.discards, *t.hands


def _claims(t: Table) -> tuple[list[int], ...]:
    return t.claims, *t.deeds


def _hidden(t: Table, *places: list[int]) -> list[int]:
    return [card for place in places for card in place if card not in t.faces]
