"""A seat's view in a few lines of text, for interfaces without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lanplay.engine.question import Phrase
from lanplay.engine.view import View
from lanplay.games.fliptown.ending import silver
from lanplay.games.fliptown.map import NAMES, PLACES, REGIONS, TOWN, TRAIL
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import FliptownTable
from lanplay.games.fliptown.text import BOUNTIES, ITEMS, card_text, value_text
from lanplay.games.fliptown.text import REGIONS as REGION_NAMES
from lanplay.language import _

STONE_LETTERS = ("TL", "TC", "TR", "ML", "MC", "MR", "BL", "BC", "BR")


def situation(view: View[FliptownTable], names: Sequence[str]) -> Iterator[str]:
    """Yield the counters of all, then the map and the cards of the seat's own."""
    t = view.table
    flipped = " ".join(map(card_text, t.lineup())) or "-"
    yield _("Round {round}, turn {turn}: {cards}.").format(
        round=t.round, turn=t.turn, cards=flipped
    )
    for place, bounty in enumerate(t.bounties):
        stars = 4 if t.taken >> place & 1 else 7
        yield _("Bounty {stars}★: {bounty}.").format(stars=stars, bounty=_(BOUNTIES[bounty]))
    for seat, s in enumerate(t.sheets):
        line = _("${cash} gold {gold} stars {stars}+{silver} WANTED {wanted} pans {pans}+{hammers}")
        held = line.format(
            cash=s.cash,
            gold=s.gold,
            stars=s.stars,
            silver=silver(s),
            wanted=s.wanted,
            pans=s.pans,
            hammers=s.hammers,
        )
        yield f" {names[seat]:<16.16} {held}"
    yield from _own(view, t.sheets[view.seat])


def _own(view: View[FliptownTable], s: Sheet) -> Iterator[str]:
    for region in REGIONS:
        circled = [place for place in PLACES[region] if s.circled[region] >> place & 1]
        shown = " ".join(_place(region, place) for place in circled)
        yield f" {_(REGION_NAMES[region])}: {shown or '-'}"
    if s.items:
        items = ", ".join(_(name) for place, name in enumerate(ITEMS) if s.items >> place & 1)
        yield _("You have: {items}.").format(items=items)
    t = view.table
    extra = [view.face(card) for card in t.hole[view.seat]]
    hand = [*s.poker, *[face for face in extra if face is not None]]
    yield _("Poker: {cards}.").format(cards=" ".join(map(card_text, hand)) or "-")
    known = None if t.sheriff is None else view.face(t.sheriff)
    if known is not None:
        yield _("The sheriff card is {card}.").format(card=card_text(known))


def _place(region: int, place: int) -> str:
    if region <= TOWN:
        return value_text(place) if region in (TRAIL, 1, TOWN) else NAMES[place]
    return STONE_LETTERS[place]


PER_CASH: Final = 0.25
"""What a dollar is worth in points (FT-10.1)."""


def weight(event: Phrase) -> float:
    """Return the points that an event has moved."""
    values = event.values
    match event.id:
        case "gains-stars" | "bounty" | "fined-stars" | "bank-pays":
            return float(values["amount"])
        case "poker":
            return float(values["stars"] + PER_CASH * values["cash"])
        case "fined-cash" | "gains-cash":
            return float(PER_CASH * values["amount"])
    return 0.0
