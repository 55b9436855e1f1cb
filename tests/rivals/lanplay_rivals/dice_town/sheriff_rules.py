"""Rules for ties: what to offer the Sheriff, and how the Sheriff decides (DT-4, DT-3.8, DT-7.3)."""

from __future__ import annotations

from typing import Final

from lanplay.engine.question import Answer
from lanplay.games.dice_town.questions import Decide, DocOrder, SheriffOffer, Winner
from lanplay.games.dice_town.questions.sheriff import NOTHING, Bribe
from lanplay.games.dice_town.table import DiceTownTable
from lanplay_rivals.dice_town.profiles import DiceTownProfile
from lanplay_rivals.dice_town.worth import (
    DOLLAR,
    HIDDEN_CLAIM,
    HIDDEN_STORE,
    DiceTownView,
    place_worth,
    standing,
    visit_worth,
)

GRUDGE: Final = 0.25
"""The part of what a rival gains that counts as a loss of one's own; more for who leads."""
RESERVE: Final = 2
"""Dollars that are not offered: dice have to be paid for."""


def net_worth(t: DiceTownTable, place: str, seat: int, p: DiceTownProfile) -> float:
    """Return what taking a place is worth to a seat that may otherwise visit Doc Badluck."""
    worth = place_worth(t, place, seat, p)
    if t.obtained[seat]:
        return worth
    return worth - visit_worth(t, seat, p, t.dice[seat]) / 2


def offer(p: DiceTownProfile, view: DiceTownView, question: SheriffOffer) -> Answer:
    """Offer a part of what the place is worth, in dollars first, nuggets for much.

    A Sheriff that is tied itself takes the place unless it is offered more than it is worth.
    """
    t = view.table
    if t.sheriff in question.tied:
        return NOTHING
    price = p.bribe * net_worth(t, question.place, view.seat, p)
    dollars = max(0, min(question.dollars - RESERVE, int(price / DOLLAR)))
    rest = price - DOLLAR * dollars
    nuggets = min(question.nuggets, int(rest)) if rest >= 1 else 0
    return dollars, nuggets, ()


def decide(p: DiceTownProfile, view: DiceTownView, question: Decide) -> Answer:
    """Take the place oneself unless an offer is better; else the best offer, least to leaders."""
    gains = decided_gains(p, view, question)
    best = max(gains)
    return question.tied[gains.index(best)]


def decided_gains(p: DiceTownProfile, view: DiceTownView, question: Decide) -> list[float]:
    """Return what the Sheriff gains by the win of each tied seat."""
    t = view.table
    standings = [standing(t, seat) for seat in range(t.seats)]
    mean = sum([int(each) for each in standings]) / t.seats
    gains = []
    for seat in question.tied:
        worth = net_worth(t, question.place, seat, p)
        if seat != view.seat:
            ahead = standings[seat] - mean
            loss = GRUDGE + p.grudge * ahead if ahead > 0 else GRUDGE
            worth = _gift(t, seat, question.offers.get(seat, NOTHING)) * (1 + GRUDGE) - worth * loss
        gains.append(worth)
    return gains


def _gift(t: DiceTownTable, seat: int, offer: Bribe) -> float:
    """Return what a seat's offer is worth to who gets it."""
    dollars, nuggets, cards = offer
    gift = DOLLAR * dollars + nuggets
    for card in cards:
        gift += HIDDEN_CLAIM if card in t.deeds[seat] else HIDDEN_STORE
    return gift


def doc_order(p: DiceTownProfile, view: DiceTownView, question: DocOrder) -> Answer:
    """Go first oneself, then who has least."""
    t = view.table
    order = sorted(question.visitors, key=lambda s: (s != view.seat, standing(t, s), s))
    return tuple(order)


def winner(p: DiceTownProfile, view: DiceTownView, question: Winner) -> Answer:
    """Win oneself if one may."""
    return view.seat if view.seat in question.tied else question.tied[0]
