"""Who takes a location, and how the Sheriff decides ties (DT-3.0, DT-4)."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.question import Question
from lanplay.engine.requests import Choose, Deal, Mix, Rules
from lanplay.games.dice_town.questions import Decide, Denounce, SheriffOffer
from lanplay.games.dice_town.questions.sheriff import Bribe
from lanplay.games.dice_town.refuted import denounced
from lanplay.games.dice_town.table import DiceTownTable as Table


def winner(t: Table, place: str, leaders: list[int], void: bool = False) -> Rules[int | None]:
    """Return the seat that takes a location, asking the Sheriff on a tie (DT-3.0).

    ``leaders`` are those with the most of what counts. ``void`` says that the Sheriff is not asked.
    """
    if len(leaders) == 1:
        return leaders[0]
    if void or not leaders:
        return None
    return (yield from tie(t, place, tuple(leaders)))


def tie(t: Table, place: str, tied: tuple[int, ...]) -> Rules[int]:
    """Take sealed offers, let the Sheriff decide, hand over the offer of the seat picked (DT-4)."""
    offers = yield from _offers(t, place, tied)
    if t.log is not None:
        for seat, (dollars, nuggets, cards) in offers.items():
            t.log_event("offers", seat=seat, dollars=dollars, nuggets=nuggets, count=len(cards))
    answers: dict[int, int] = yield Choose({t.sheriff: Decide(place, tied, offers)})
    picked = answers[t.sheriff]
    t.log_event("decides", seat=t.sheriff, other=picked, place=place)
    if picked in offers:
        yield from _pay_bribe(t, picked, offers[picked])
    return picked


def _offers(t: Table, place: str, tied: tuple[int, ...]) -> Rules[dict[int, Bribe]]:
    questions: dict[int, Question] = {}
    for seat in tied:
        if seat == t.sheriff:
            continue
        yield from mix_hand(t, seat)
        dollars, nuggets, cards = t.dollars[seat], t.nuggets[seat], tuple(t.loot(seat))
        if dollars or nuggets or cards:
            questions[seat] = SheriffOffer(place, tied, dollars, nuggets, cards)
    if not questions:
        return {}
    offers: dict[int, Bribe] = yield Choose(questions)
    return offers


def mix_hand(t: Table, seat: int) -> Rules[None]:
    """Let a seat mix its hand, so that nobody else can tell its cards of one back apart.

    Whoever saw one of them before, in the row or when the hand was robbed, does not know it again
    (DT-3.5, DT-4.2). A lone card has nothing to be mixed with.
    """
    hand, deeds = t.hands[seat], t.deeds[seat]
    if len(hand) + len(deeds) < 2:
        return
    t.mixes[seat] += 1
    piles: dict[str, list[int]] = {}
    if hand:
        piles["store"] = hand
    if deeds:
        piles["claims"] = deeds
    fresh: dict[str, list[int]] = yield Mix((t.round, "mix", seat, t.mixes[seat]), seat, piles)
    t.hands[seat], t.deeds[seat] = fresh.get("store", []), fresh.get("claims", [])


def _pay_bribe(t: Table, seat: int, offer: Bribe) -> Rules[None]:
    dollars, nuggets, cards = offer
    t.hand_over(seat, t.sheriff, dollars)
    t.nuggets[seat] -= nuggets
    t.nuggets[t.sheriff] += nuggets
    yield from move_cards(t, cards, seat, t.sheriff)
    if dollars or nuggets or cards:
        t.obtained[t.sheriff] = True


def move_cards(t: Table, cards: Sequence[int], giver: int, taker: int) -> Rules[None]:
    """Move cards from one hand to another; the taker alone learns those not public."""
    for card in cards:
        for piles in (t.hands, t.deeds):
            if card in piles[giver]:
                piles[giver].remove(card)
                piles[taker].append(card)
    hidden = [card for card in cards if card not in t.faces]
    if hidden:
        yield Deal(hidden, taker)
        store = tuple(card for card in hidden if card in t.hands[taker])
        answers = (yield Choose({taker: Denounce(store)})) if store else {}
        if answers.get(taker) is not None:
            yield from denounced(t, answers[taker], giver, taker)
