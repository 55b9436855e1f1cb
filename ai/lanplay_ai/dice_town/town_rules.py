"""Rules for the town: whom to rob, what to take along, what Doc Badluck is asked for (DT-3)."""

from __future__ import annotations

from operator import neg

from lanplay.engine.question import Answer
from lanplay.games.dice_town.cards import GIRLS
from lanplay.games.dice_town.poker import NINE
from lanplay.games.dice_town.questions import Consolation, KeepLoot, Rob, Take
from lanplay.games.dice_town.questions.town import FENCED, to_lay
from lanplay_ai.dice_town.card_rules import lay
from lanplay_ai.dice_town.loot import best_take, dearest, worths_in_hand
from lanplay_ai.dice_town.profiles import DiceTownProfile
from lanplay_ai.dice_town.worth import (
    HIDDEN_CLAIM,
    HIDDEN_STORE,
    DiceTownView,
    consolation_worth,
    standing,
)


def rob(p: DiceTownProfile, view: DiceTownView, question: Rob) -> Answer:
    """Rob the hand from which the best card is to be had; among like ones the leader's."""
    t = view.table

    worths = [
        best_take(view, seat, question.dice)[0] + p.grudge * standing(t, seat)
        for seat in question.victims
    ]
    return question.victims[worths.index(max(worths))]


def take(p: DiceTownProfile, view: DiceTownView, question: Take) -> Answer:
    """Look at the backs among which the best card may be expected."""
    return best_take(view, question.victim, question.count)[1]


def keep_loot(p: DiceTownProfile, view: DiceTownView, question: KeepLoot) -> Answer:
    """Keep the card that is worth most; the Girls follow where they bring enough."""
    card = dearest(question.cards, worths_in_hand(view, list(question.cards), HIDDEN_STORE))
    return card, lay(p, view, to_lay(view, GIRLS, question.layable, question.cards, card))


def consolation(p: DiceTownProfile, view: DiceTownView, question: Consolation) -> Answer:
    """Take what is worth most; wire goes around the best claims."""
    t, seat = view.table, view.seat
    face = max(question.faces, key=lambda each: (consolation_worth(t, seat, p, each), each))
    return (face, _fenced(view, question) if face == NINE else ())


def _fenced(view: DiceTownView, question: Consolation) -> tuple[int, ...]:
    """Return the claims that are worth most, as many as the wire holds (DT-3.8)."""
    worths = worths_in_hand(view, list(question.deeds), HIDDEN_CLAIM)
    ordered = sorted(zip(map(neg, worths), question.deeds, strict=True))
    return tuple([claim for _, claim in ordered[:FENCED]])
