"""Rules for ties: what to offer the Sheriff, and how the Sheriff decides (DT-4, DT-3.8, DT-7.3)."""

from __future__ import annotations

from typing import Final

from lanplay.engine.question import Answer
from lanplay.games.dice_town.questions import Decide, DocOrder, SheriffOffer, Winner
from lanplay.games.dice_town.questions.sheriff import NOTHING, Bribe
from lanplay.games.dice_town.table import DiceTownTable
from lanplay_ai.dice_town.profiles import DiceTownProfile
from lanplay_ai.dice_town.worth import (
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
    """Offer a part of what the place is worth, or the least for which it is likely to be had."""
    t, seat, place = view.table, view.seat, question.place
    if p.bid_limit:
        return least_offer(p, t, seat, question)
    if t.sheriff in question.tied:
        return NOTHING
    return _paid(p.bribe * net_worth(t, place, seat, p), question.dollars, question.nuggets)


def _paid(price: float, dollars: int, nuggets: int) -> Bribe:
    """Return an offer of so many points, in dollars first, nuggets for much."""
    paid = max(0, min(dollars - RESERVE, int(price / DOLLAR)))
    rest = price - DOLLAR * paid
    return paid, min(nuggets, int(rest)) if rest >= 1 else 0, ()


def least_offer(p: DiceTownProfile, t: DiceTownTable, seat: int, question: SheriffOffer) -> Bribe:
    """Offer the least for which the Sheriff is likely to pick this seat; nothing if it is dear."""
    missing = missing_gift(p, t, seat, question)
    if missing < 0:
        return NOTHING
    halves = int(missing / DOLLAR) + 1
    nuggets = max(0, (halves - question.dollars + 1) // 2)
    dollars = halves - 2 * nuggets
    most = p.bid_limit * net_worth(t, question.place, seat, p)
    if nuggets > question.nuggets or dollars < 0 or DOLLAR * halves > most:
        return NOTHING
    return dollars, nuggets, ()


def missing_gift(p: DiceTownProfile, t: DiceTownTable, seat: int, question: SheriffOffer) -> float:
    """Return the points of a gift to the Sheriff beyond which it is likely to pick this seat.

    Below 0 it does for nothing. A tie is an auction with sealed bids and a judge that has likes.
    Dollars are public, and a place is worth the same to all that are tied but for Doc Badluck, so
    that the others' bids can be told: the part ``bribe`` of the worth, as most offer. The Sheriff
    is taken to weigh bids as this bot would in its place.
    """
    place, tied = question.place, question.tied
    bids: dict[int, Bribe] = {}
    if t.sheriff not in tied:
        for other in tied:
            if other != seat:
                price = p.bribe * net_worth(t, place, other, p)
                bids[other] = _paid(price, t.dollars[other], t.nuggets[other])
    gains = gains_of(p, t, t.sheriff, Decide(place, tied, bids))
    own = gains.pop(tied.index(seat))
    return (max(gains) - own) / (1 + GRUDGE)


def decide(p: DiceTownProfile, view: DiceTownView, question: Decide) -> Answer:
    """Take the place oneself unless an offer is better; else the best offer, least to leaders."""
    gains = gains_of(p, view.table, view.seat, question)
    best = max(gains)
    return question.tied[gains.index(best)]


def gains_of(p: DiceTownProfile, t: DiceTownTable, sheriff: int, question: Decide) -> list[float]:
    """Return what the Sheriff gains by the win of each tied seat."""
    standings = [standing(t, seat) for seat in range(t.seats)]
    mean = sum([int(each) for each in standings]) / t.seats
    gains = []
    for seat in question.tied:
        worth = net_worth(t, question.place, seat, p)
        if seat != sheriff:
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
