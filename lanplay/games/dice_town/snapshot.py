"""A game continued anew from a round boundary: public things stay, hidden cards are dealt again."""

from __future__ import annotations

from itertools import chain
from typing import Any

from lanplay.engine.fields import Amount, Cards, Column, Schema
from lanplay.engine.redeal import redistribute
from lanplay.engine.requests import Deal, Rules
from lanplay.games.dice_town.cards import CLAIM_FACES, JOE, STORE_FACES, kind
from lanplay.games.dice_town.table import DOLLARS_IN_BANK, DOLLARS_PER_SEAT, NUGGETS, ROW
from lanplay.games.dice_town.table import DiceTownTable as Table

STORE = tuple(sorted(STORE_FACES, key=lambda face: kind(face) != JOE))
"""Nervous Joe, if hidden, is laid first: into the deck (DT-6.8)."""
CLAIMS = CLAIM_FACES
SCHEMA = Schema(
    "Dice Town",
    round=Amount(),
    bank=Amount(),
    coach=Amount(),
    mine=Amount(NUGGETS),
    sheriff=Amount(lambda t: t.seats - 1),
    dollars=Column(Amount()),
    nuggets=Column(Amount(NUGGETS)),
    deck=Cards(STORE),
    discards=Cards(STORE),
    hands=Column(Cards(STORE)),
    claims=Cards(CLAIMS),
    row=Cards(CLAIMS),
    deeds=Column(Cards(CLAIMS)),
    fences=Column(Cards(CLAIMS)),
)
snapshot = SCHEMA.snapshot


def from_snapshot(t: Table, data: Any) -> None:
    """Lay a new table as ``snapshot`` says; ``ValueError`` names what cannot be."""
    SCHEMA.from_snapshot(t, data)
    if t.bank + t.coach + sum(t.dollars) != DOLLARS_IN_BANK + DOLLARS_PER_SEAT * t.seats:
        raise ValueError("the dollars do not add up")
    if t.mine + sum(t.nuggets) != NUGGETS:
        raise ValueError("the nuggets do not add up")
    if any(kind(card) == JOE for card in chain(*t.hands)):
        raise ValueError("Nervous Joe cannot be in a hand")
    if not t.faces.keys() >= {*t.row, *chain(*t.fences)}:
        raise ValueError("claims in the row and behind barbed wire are face up")
    if len(t.row) > ROW or (len(t.row) < ROW and t.claims):
        raise ValueError(f"the row has {len(t.row)} claims at the end of a round")


def deal_anew(t: Table) -> Rules[None]:
    """Shuffle all hidden cards and deal as many of them to every place as lay there.

    Nervous Joe never stays in a hand (DT-6.8): if he is hidden he is shuffled into the deck and the
    discards after the hands have theirs.
    """
    store, claims = SCHEMA.hidden(t, STORE), SCHEMA.hidden(t, CLAIMS)
    others = [card for card in store if kind(card) != JOE]
    places = (*SCHEMA.piles(t, STORE), *SCHEMA.piles(t, CLAIMS))
    yield from redistribute((t.round, "anew"), {"store": others, "claims": claims}, places)
    if len(others) < len(store):
        rest = [card for card in t.deck + t.discards if card not in t.faces]
        yield from redistribute((t.round, "anew with Joe"), {"store": rest}, (t.deck, t.discards))
    for seat in range(t.seats):
        if cards := [card for card in t.loot(seat) if card not in t.faces]:
            yield Deal(cards, seat)
    t.log_event("deals-anew", count=len(store) + len(claims))
