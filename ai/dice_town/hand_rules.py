"""Rules for the hand: which dice to keep, and what to turn with a Professional Cheater (DT-2)."""

from __future__ import annotations

from collections import Counter
from functools import partial

from ai.deciding import Decision, Reason, decided
from ai.dice_town.keeping import best_keep
from ai.dice_town.multisets import CODES, code, multisets
from ai.dice_town.outlook import best, chances, far_keep, hand_worths, rolled_once
from ai.dice_town.profiles import FREE, OUTLOOK, TABLE, Profile
from ai.dice_town.worth import FACE_OF, DiceTownView, card_worth
from lanplay.games.dice_town.cards import BRUTE, CHEATER
from lanplay.games.dice_town.poker import DICE, FACES
from lanplay.games.dice_town.questions import Cheat, Keep, price
from lanplay.games.dice_town.questions.shapes import held as held_of

PLACE_OF = {face: place for place, face in FACE_OF.items()}


def keep(p: Profile, view: DiceTownView, question: Keep) -> Decision:
    """Keep what is worth most; lay a Brute when that is worth more than the card."""
    if p.keeping == FREE:
        return decided((one_more(view), ()), "keep-most")
    brutes = held_of(view, question.hand, BRUTE) if question.hand else []
    choose = _KEEPING[p.keeping]
    dice, worth = choose(view, question, 0, p)
    laid: tuple[int, ...] = ()
    if brutes:
        free, more = choose(view, question, 1, p)
        if more - worth > card_worth(view.table, view.own[brutes[0]]):
            dice, worth, laid = free, more, (brutes[0],)
    return Decision((dice, laid), partial(_why_kept, p, view, question, dice, laid))


_KEEPING = {TABLE: best_keep, OUTLOOK: far_keep}


def one_more(view: DiceTownView) -> tuple[int, ...]:
    """Return the die of the face that this seat has most of, set aside or under the cup."""
    have = Counter(view.table.dice[view.seat] + view.cup)
    return (max(range(len(view.cup)), key=lambda place: (have[view.cup[place]], view.cup[place])),)


def _why_kept(
    p: Profile, view: DiceTownView, question: Keep, dice: tuple[int, ...], brutes: tuple[int, ...]
) -> Reason:
    faces = tuple(view.cup[place] for place in dice)
    held = view.table.dice[view.seat] + faces
    values = {
        "faces": faces,
        "dollars": price(len(dice), len(brutes), question.option),
        "place": _aim(held),
    }
    return Reason("keep-dice" if dice else "keep-none", values, None, _odds(p, view, held))


def _aim(dice: tuple[int, ...]) -> str:
    """Return the place that most of some dice count for."""
    have = Counter(dice)
    face = max(range(FACES), key=lambda each: (have[each], each))
    return PLACE_OF.get(face, "hall")


def _odds(p: Profile, view: DiceTownView, held: tuple[int, ...]) -> float:
    """Return the chance to take the place that most of the dice set aside count for.

    The other dice are rolled once and kept as they fall.
    """
    place = _aim(held)
    taken, beaten = chances(view, len(held) == DICE)
    tables = multisets()
    won = {
        hand: best(hand, beaten)
        if place == "hall"
        else taken[FACE_OF[place]][tables.counts[hand][FACE_OF[place]]]
        for hand in range(tables.first[DICE], len(tables.faces))
    }
    return rolled_once(held, won)[tables.number[code(held)]]


def cheat(p: Profile, view: DiceTownView, question: Cheat) -> Decision:
    """Turn a die of a full hand if that gains more than the card is worth in hand."""
    card = held_of(view, question.hand, CHEATER)[0]
    held, number = view.table.dice[view.seat], multisets().number
    if len(held) < DICE:
        return decided((), "cheat-not")
    turns = {
        number[code(held) - CODES[old] + CODES[face]]: (place, face)
        for place, old in enumerate(question.faces)
        for face in range(FACES)
    }
    worths = hand_worths(view, p, turns, chances(view, True))
    turned = max(worths, key=lambda hand: (worths[hand], hand))
    gain = worths[turned] - worths[number[code(held)]]
    if gain <= card_worth(view.table, view.own[card]):
        return decided((), "cheat-not")
    place, face = turns[turned]
    where = PLACE_OF.get(face, "hall")
    return decided(((card, place, face),), "cheat", gain, face=face, place=where)
