"""Playing Store cards: one card alone, and windows in which several may (DT-6.13, DT-6.15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lanplay.engine.fast_value import FastValue
from lanplay.engine.question import Question
from lanplay.engine.requests import Choose, Rules, Show
from lanplay.games.dice_town.cards import RULES, WANTED, kind
from lanplay.games.dice_town.lookout import out
from lanplay.games.dice_town.questions import Play, Stop
from lanplay.games.dice_town.refuted import refuted
from lanplay.games.dice_town.table import DiceTownTable as Table


class PlayedCard(FastValue):
    """A Store card that a seat says it plays; it would hit ``victim``, if anybody in particular."""

    __slots__: Final = ("seat", "card", "kind", "victim")

    def __init__(self, seat: int, card: int, kind: str, victim: int | None = None) -> None:
        self.seat: Final = seat
        self.card: Final = card
        self.kind: Final = kind
        self.victim: Final = victim


def take_effect(t: Table, plays: list[PlayedCard]) -> Rules[list[PlayedCard]]:
    """Show cards, lay them on the discards and let Wanted stop one of them (DT-6.11, DT-6.15).

    Returns those that take effect, in seat order from the Sheriff on.
    """
    plays = yield from _lay(t, plays)
    stopped = yield from _wanted(t, plays)
    works = [play for play in plays if play.card not in stopped]
    if len(works) > 1:
        order = t.order()
        works.sort(key=lambda play: order.index(play.seat))
    return works


def _lay(t: Table, plays: list[PlayedCard]) -> Rules[list[PlayedCard]]:
    """Show cards and discard them; return those that are what they were said to be."""
    yield Show([play.card for play in plays if play.card not in t.faces])
    true = []
    for play in plays:
        t.hands[play.seat].remove(play.card)
        t.discards.append(play.card)
        face = t.face(play.card)
        if kind(face) == play.kind:
            t.log_event("plays", seat=play.seat, card=face)
            true.append(play)
        else:
            yield from refuted(t, play.seat, play.card, RULES[play.kind])
    return true


def _wanted(t: Table, plays: list[PlayedCard]) -> Rules[set[int]]:
    if not plays or out(t, WANTED):
        return set()
    questions: dict[int, Question] = {}
    for seat in t.holders():
        others = [play for play in plays if play.seat != seat]
        if others:
            questions[seat] = Stop(
                tuple([play.card for play in others]),
                tuple(t.hands[seat]),
                tuple([play.seat for play in others]),
                tuple([play.victim for play in others]),
            )
    if not questions:
        return set()
    answers: dict[int, tuple[int, int] | None] = yield Choose(questions)
    stops = {seat: answer for seat, answer in answers.items() if answer is not None}
    laid = yield from _lay(t, [PlayedCard(s, card, WANTED) for s, (card, _) in stops.items()])
    for play in laid:
        t.log_event("stops", seat=play.seat, card=t.face(stops[play.seat][1]))
    return {stops[play.seat][1] for play in laid}


def window(
    t: Table, stakes: Mapping[int, int], card: str, rival: int | None = None
) -> Rules[list[PlayedCard]]:
    """Ask seats whether they play a kind of card; return the cards that take effect.

    Only seats with a Store card are asked (DT-6.13), all at once. ``stakes`` says what it would
    bring to each, ``rival`` whom it would hit.
    """
    hands = t.hands
    questions: dict[int, Question] = {
        seat: Play(card, tuple(hands[seat]), stake, rival)
        for seat, stake in stakes.items()
        if hands[seat]
    }
    if not questions or out(t, card):
        return []
    answers: dict[int, int | None] = yield Choose(questions)
    plays = [PlayedCard(seat, a, card, rival) for seat, a in answers.items() if a is not None]
    return (yield from take_effect(t, plays)) if plays else []


def plays(t: Table, seat: int, card: str, stake: int) -> Rules[bool]:
    """Ask one seat whether it plays a kind of card; return whether it works."""
    return bool((yield from window(t, {seat: stake}, card)))
