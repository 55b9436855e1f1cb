"""Rules for the town: whom to rob, what to take along, what Doc Badluck is asked for (DT-3)."""

from __future__ import annotations

from ai.deciding import Decision, decided
from ai.dice_town.profiles import Profile
from ai.dice_town.worth import (
    DiceTownView,
    best_take,
    card_worth,
    consolations,
    standing,
)
from lanplay.games.dice_town.poker import NINE
from lanplay.games.dice_town.questions import Consolation, KeepLoot, Rob, Take


def rob(p: Profile, view: DiceTownView, question: Rob) -> Decision:
    """Rob the hand from which the best card is to be had; among like ones the leader's."""
    t = view.table
    worths = {seat: best_take(view, seat, question.dice)[0] for seat in question.victims}
    victim = max(worths, key=lambda seat: (worths[seat] + p.grudge * standing(t, seat), -seat))
    return decided(victim, "rob", worths[victim], seat=victim)


def take(p: Profile, view: DiceTownView, question: Take) -> Decision:
    """Look at the backs among which the best card may be expected."""
    worth, store = best_take(view, question.victim, question.count)
    return decided(store, "take", worth, store=store, claims=question.count - store)


def keep_loot(p: Profile, view: DiceTownView, question: KeepLoot) -> Decision:
    """Keep the card that is worth most."""
    t = view.table
    card = max(question.cards, key=lambda each: (card_worth(t, view.face(each)), -each))
    face = view.face(card)
    return decided(card, "keep-loot", card_worth(t, face), card=face)


def consolation(p: Profile, view: DiceTownView, question: Consolation) -> Decision:
    """Take what is worth most; wire goes around the best claims."""
    worths = consolations(view.table, view.seat, p)
    face = max(question.faces, key=lambda each: (worths[each], each))
    if face != NINE:
        return decided((face, ()), f"doc-{_NAMES[face]}", worths[face])
    ordered = sorted(question.deeds, key=lambda each: (-_points(view, each), each))
    fenced = tuple(ordered[: min(2, len(ordered))])
    cards = tuple(view.face(card) for card in fenced)
    return decided((NINE, fenced), "doc-wire", worths[NINE], cards=cards)


_NAMES = {2: "store", 4: "dollars", 5: "nuggets"}


def _points(view: DiceTownView, claim: int) -> float:
    return card_worth(view.table, view.face(claim))
