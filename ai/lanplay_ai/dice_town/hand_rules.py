"""Rules for the hand: which dice to keep, and what to turn with a Professional Cheater (DT-2)."""

from __future__ import annotations

from collections import Counter
from typing import Final

from lanplay.engine.question import Answer
from lanplay.games.dice_town.cards import BRUTE, CHEATER, FACES_OF
from lanplay.games.dice_town.poker import DICE, FACES
from lanplay.games.dice_town.questions import DiceTownCheat, Keep
from lanplay.games.dice_town.questions.shapes import held as held_of
from lanplay_ai.dice_town.keeping import best_keep
from lanplay_ai.dice_town.loot import card_worth
from lanplay_ai.dice_town.multisets import CODES, code, multisets
from lanplay_ai.dice_town.outlook import far_keep, hand_worths
from lanplay_ai.dice_town.profiles import FREE, TABLE, DiceTownProfile
from lanplay_ai.dice_town.worth import DiceTownView


def keep(p: DiceTownProfile, view: DiceTownView, question: Keep) -> Answer:
    """Keep what is worth most; lay a Brute when that is worth more than the card."""
    if p.keeping == FREE:
        return one_more(view), ()
    dice, worth = _best(p, view, question, 0)
    brute = _brute(view, question.hand)
    if brute is not None:
        free, more = _best(p, view, question, 1)
        if more - worth > card_worth(view.table, view.own[brute]):
            return free, (brute,)
    return dice, ()


def _brute(view: DiceTownView, hand: tuple[int, ...]) -> int | None:
    """Return the first Brute in the hand, if there is one."""
    own = view.own
    for card in hand:
        if own.get(card) in _BRUTES:
            return card
    return None


_BRUTES: Final = FACES_OF[BRUTE]


def _best(
    p: DiceTownProfile, view: DiceTownView, question: Keep, brutes: int
) -> tuple[tuple[int, ...], float]:
    if p.keeping == TABLE:
        return best_keep(view, question, brutes, p)
    return far_keep(view, question, brutes, p)


def one_more(view: DiceTownView) -> tuple[int, ...]:
    """Return the die of the face that this seat has most of, set aside or under the cup."""
    have = Counter(view.table.dice[view.seat] + view.cup)
    return (max(range(len(view.cup)), key=lambda place: (have[view.cup[place]], view.cup[place])),)


def cheat(p: DiceTownProfile, view: DiceTownView, question: DiceTownCheat) -> Answer:
    """Turn a die of a full hand if that gains more than the card is worth in hand."""
    if len(view.table.dice[view.seat]) < DICE:
        return ()
    card = held_of(view, question.hand, CHEATER)[0]
    place, face, gain = best_turn(p, view, question)
    return ((card, place, face),) if gain > card_worth(view.table, view.own[card]) else ()


def best_turn(
    p: DiceTownProfile, view: DiceTownView, question: DiceTownCheat
) -> tuple[int, int, float]:
    """Return the place of the die to turn in a full hand, its new face, and what it gains."""
    tables, held = multisets(), code(view.table.dice[view.seat])
    places = {old: place for place, old in enumerate(question.faces)}
    hands: list[int] = []
    for old in places:
        hands += tables.grown[tables.number[held - CODES[old]]]
    worths = hand_worths(view, p, hands)
    best = 0
    for turn, worth in enumerate(worths):
        if worth > worths[best] or (worth == worths[best] and hands[turn] >= hands[best]):
            best = turn
    old, face = divmod(best, FACES)
    gain = worths[best] - worths[hands.index(tables.number[held])]
    return list(places.values())[old], face, gain
