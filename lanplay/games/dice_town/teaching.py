"""What Dice Town teaches: see ``teaching.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lanplay.engine.question import Phrase, Question
from lanplay.engine.view import View
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.cards import CHEATER, kind
from lanplay.games.dice_town.narration import PLACES
from lanplay.games.dice_town.poker import ACE, DICE
from lanplay.games.dice_town.table import DiceTownTable
from lanplay.games.dice_town.text import FACES, place_name
from lanplay.games.teaching import Lessons, Tip

RICH: Final = 4
"""Dollars in the Bank that are worth a word."""
FEW: Final = 6
"""Nuggets or claims that are nearly none."""


def _key(label: Phrase) -> str:
    """Return the kind of a card; all else goes by its name."""
    return kind(label.values["card"]) if label.id == "card" else label.id


def _tips(view: View[DiceTownTable], question: Question) -> Iterator[Tip]:
    """Yield what a newcomer could be told; see ``teaching.Tips``."""
    t = view.table
    match question:
        case q.Keep():
            yield from _of_dice(view, question.dice)
        case q.SheriffOffer():
            yield "tie", {}
        case q.Decide():
            yield "decide", {}
        case q.Consolation():
            yield "doc", {}
        case q.Play() | q.DiceTownCheat() | q.Stop() | q.Buy() | q.KeepLoot():
            yield "card", {}
    if t.mine <= FEW or len(t.row) + len(t.claims) <= FEW:
        yield "end", {}
    if t.dollars[view.seat] % 2:
        yield "even", {}


def _of_dice(view: View[DiceTownTable], rolled: int) -> Iterator[Tip]:
    t = view.table
    yield ("first-roll", {}) if rolled == DICE else ("first-reveal", {})
    if any(len(dice) == DICE for dice in t.dice):
        yield "last-roll", {}
    mine = [*view.cup, *t.dice[view.seat]]
    for place, face in PLACES.items():
        if (count := mine.count(face)) > 1:
            yield "pair", {"count": count, "face": FACES[face], "place": place_name(place)}
    yield from _of_rivals(view)
    if CHEATER in {
        kind(held) for card in t.hands[view.seat] if (held := view.face(card)) is not None
    }:
        yield "cheater", {}
    if t.bank >= RICH:
        yield "bank", {"dollars": t.bank}
    if ACE in mine:
        yield "aces", {}


def _of_rivals(view: View[DiceTownTable]) -> Iterator[Tip]:
    """Yield what the dice of the others say of one's own: what is free, and what is lost."""
    t, seat = view.table, view.seat
    if not any(t.dice):
        return
    own, left = t.dice[seat], DICE - len(t.dice[seat])
    for place, face in PLACES.items():
        shown = max(dice.count(face) for other, dice in enumerate(t.dice) if other != seat)
        about = {"face": FACES[face], "place": place_name(place)}
        if face in view.cup and not shown:
            yield "free", about
        elif face in view.cup and own.count(face) + left < shown:
            yield "lost", about


LESSONS: Final = Lessons.beside(__name__, _key, _tips)
