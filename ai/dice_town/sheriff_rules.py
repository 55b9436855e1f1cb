"""Rules for ties: what to offer the Sheriff, and how the Sheriff decides (DT-4, DT-3.8, DT-7.3)."""

from __future__ import annotations

from ai.deciding import Decision, decided
from ai.dice_town.profiles import Profile
from ai.dice_town.worth import (
    DOLLAR,
    HIDDEN_CLAIM,
    HIDDEN_STORE,
    DiceTownView,
    place_worth,
    standing,
    visit_worth,
)
from lanplay.games.dice_town.questions import Decide, DocOrder, Offer, Winner
from lanplay.games.dice_town.questions.sheriff import NOTHING
from lanplay.games.dice_town.table import DiceTownTable

GRUDGE = 0.25
"""The part of what a rival gains that counts as a loss of one's own; more for who leads."""
RESERVE = 2
"""Dollars that are not offered: dice have to be paid for."""


def net_worth(t: DiceTownTable, place: str, seat: int, p: Profile) -> float:
    """Return what taking a place is worth to a seat that may otherwise visit Doc Badluck."""
    worth = place_worth(t, place, seat, p)
    if t.obtained[seat]:
        return worth
    return worth - visit_worth(t, seat, p, t.dice[seat]) / 2


def offer(p: Profile, view: DiceTownView, question: Offer) -> Decision:
    """Offer a part of what the place is worth, in dollars first, nuggets for much.

    A Sheriff that is tied itself takes the place unless it is offered more than it is worth.
    """
    t = view.table
    worth = net_worth(t, question.place, view.seat, p)
    price = 0.0 if t.sheriff in question.tied else p.bribe * worth
    dollars = max(0, min(question.dollars - RESERVE, int(price / DOLLAR)))
    rest = price - DOLLAR * dollars
    nuggets = min(question.nuggets, int(rest)) if rest >= 1 else 0
    if not dollars and not nuggets:
        return decided((0, 0, ()), "offer-nothing", place=question.place)
    answer = (dollars, nuggets, ())
    place = question.place
    return decided(answer, "offer", worth, place=place, dollars=dollars, nuggets=nuggets)


def decide(p: Profile, view: DiceTownView, question: Decide) -> Decision:
    """Take the place oneself unless an offer is better; else the best offer, least to leaders."""
    t = view.table
    standings = [standing(t, seat) for seat in range(t.seats)]
    mean = sum(map(int, standings)) / t.seats

    def gain(seat: int) -> float:
        worth = net_worth(t, question.place, seat, p)
        if seat == view.seat:
            return worth
        dollars, nuggets, cards = question.offers.get(seat, NOTHING)
        gift = DOLLAR * dollars + nuggets
        for card in cards:
            gift += HIDDEN_CLAIM if card in t.deeds[seat] else HIDDEN_STORE
        ahead = p.grudge * max(0.0, standings[seat] - mean)
        return gift * (1 + GRUDGE) - worth * (GRUDGE + ahead)

    gains = {each: gain(each) for each in question.tied}
    seat = max(gains, key=lambda each: (gains[each], -each))
    if seat == view.seat:
        return decided(seat, "decide-self", gains[seat], place=question.place)
    bribed = question.offers.get(seat, NOTHING) != NOTHING
    reason = "decide-bribe" if bribed else "decide-low"
    return decided(seat, reason, gains[seat], place=question.place, seat=seat)


def doc_order(p: Profile, view: DiceTownView, question: DocOrder) -> Decision:
    """Go first oneself, then who has least."""
    t = view.table
    order = sorted(question.visitors, key=lambda s: (s != view.seat, standing(t, s), s))
    return decided(tuple(order), "doc-order", seat=order[0])


def winner(p: Profile, view: DiceTownView, question: Winner) -> Decision:
    """Win oneself if one may."""
    seat = view.seat if view.seat in question.tied else question.tied[0]
    return decided(seat, "winner", seat=seat)
