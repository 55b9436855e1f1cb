"""What a seat can expect of its dice: the worth of every hand it may still get, and of rolling on.

The worth of five dice counts every location by the chance to take it against what the others show,
the Town Hall by the claims that lie in its row, and Doc Badluck by the chance to take nothing. The
worth of fewer dice follows backwards, as if all others were rolled once and kept as they fall; that
they may be chosen from is worth a little more for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from operator import sub
from typing import Final

from ai.dice_town.multisets import code, multisets, reachable
from ai.dice_town.odds import TIE, below, contest, majority
from ai.dice_town.profiles import Profile
from ai.dice_town.worth import (
    PLACES,
    DiceTownView,
    consolation_worth,
    dice_price,
    row_worth,
    scale,
    visited,
)
from lanplay.games.dice_town.poker import ACE, DICE, FACES, JACK, KING, NINE
from lanplay.games.dice_town.questions import Keep, price
from lanplay.games.dice_town.table import DiceTownTable

Chances = tuple[list[tuple[float, ...]], list[tuple[float, ...]]]
"""The chance to take each location by the number of dice; to beat each rival by the hand."""


def chances(view: DiceTownView, last: bool) -> Chances:
    """Return the chances to take each location; ``last``: the others have one roll to come."""
    t, seat = view.table, view.seat
    sums, shares = contest(tuple(t.dice))
    tie = 1.0 if t.sheriff == seat else TIE
    keys = map(sub, sums, shares[seat].own[:ACE])
    beaten = [below(rival.code, last) for rival in shares[:seat] + shares[seat + 1 :]]
    return [majority(key // (DICE + 1), tie, last) for key in keys], beaten


def best(hand: int, beaten: list[tuple[float, ...]]) -> float:
    """Return the chance of a hand of five to be the best of all."""
    won, place = 1.0, hand - multisets().first[DICE]
    for rival in beaten:
        won *= rival[place]
    return won


def hand_worths(
    view: DiceTownView, p: Profile, hands: Iterable[int], chances: Chances
) -> dict[int, float]:
    """Return what some hands of five are worth to a seat."""
    t, seat, tables, visits = view.table, view.seat, multisets(), _visits()
    counts, first = tables.counts, tables.first[DICE]
    claims, doc = row_worth(t, p)[1:], _visit_worths(t, seat, p)
    taken, beaten = chances
    gains, misses = _locations(t, seat, p, taken)
    nine, ten, jack, queen, king = gains
    no_nine, no_ten, no_jack, no_queen, no_king = misses
    worths = {}
    for hand in hands:
        n, x, j, q, k, a = counts[hand]
        place = hand - first
        won = 1.0
        for rival in beaten:
            won *= rival[place]
        nothing = no_nine[n] * no_ten[x] * no_jack[j] * no_queen[q] * no_king[k] * (1 - won)
        worth = nine[n] + ten[x] + jack[j] + queen[q] + king[k] + won * claims[a]
        worths[hand] = worth + nothing * doc[visits[place]]
    return worths


def _locations(
    t: DiceTownTable, seat: int, p: Profile, taken: list[tuple[float, ...]]
) -> tuple[list[list[float]], list[list[float]]]:
    """Return what each location brings on average with 0 to 5 dice, and the chances to miss it."""
    gains, misses = [], []
    for face in range(ACE):
        chances, times, place = taken[face], scale(t, seat, p, face), PLACES[face]
        gain, miss = [], []
        for dice in _COUNTS:
            chance = chances[dice]
            gain.append(chance * (times * place[dice]))
            miss.append(1 - chance)
        gains.append(gain)
        misses.append(miss)
    for dice in _COUNTS[t.mine + 1 :]:
        gains[NINE][dice] = taken[NINE][dice] * (p.nugget * t.mine)
    return gains, misses


_COUNTS: Final = range(DICE + 1)


def rolled_once(dice: tuple[int, ...], worths: dict[int, float]) -> dict[int, float]:
    """Return what each multiset that contains some dice is worth, its other dice rolled once.

    ``worths`` has all hands of five that contain the dice; it is filled up and returned.
    """
    tables = multisets()
    layers = reachable(tables.number[code(dice)])
    for layer in layers[-2::-1]:
        for number in layer:
            a, b, c, d, e, f = tables.grown[number]
            total = worths[a] + worths[b] + worths[c] + worths[d] + worths[e] + worths[f]
            worths[number] = total / FACES
    return worths


def _visit_worths(t: DiceTownTable, seat: int, p: Profile) -> list[float]:
    """Return what Doc Badluck is worth by the set of consolations that a hand allows, as bits."""
    found = [0.0] * (1 << len(_CONSOLATIONS))
    worths = [(consolation_worth(t, seat, p, face), face) for face in _CONSOLATIONS]
    worths.sort()
    for worth, face in worths:
        for visits in _WITH[face]:
            found[visits] = worth
    return found


_CONSOLATIONS: Final = (NINE, JACK, KING, ACE)
_WITH: Final = {
    face: [visits for visits in range(1 << len(_CONSOLATIONS)) if visits >> bit & 1]
    for bit, face in enumerate(_CONSOLATIONS)
}
"""The sets with each consolation."""


@cache
def _visits() -> tuple[int, ...]:
    """Return the set of consolations that every hand of five allows, as bits."""
    tables = multisets()
    hands = tables.faces[tables.first[DICE] :]
    return tuple(sum(1 << _CONSOLATIONS.index(face) for face in visited(hand)) for hand in hands)


def far_keep(
    view: DiceTownView, question: Keep, brutes: int, p: Profile
) -> tuple[tuple[int, ...], float]:
    """Return the places of the dice with the greatest worth that can be paid for, and the worth."""
    dice, number = view.table.dice[view.seat], multisets().number
    held = code(dice)
    hands = reachable(number[held])[-1]
    worths = rolled_once(dice, hand_worths(view, p, hands, chances(view, False)))
    dollar = dice_price(view.table, p)
    most = float("-inf")
    choice: tuple[int, ...] = (0,)
    for places, more in choices(view.cup):
        cost, left = price(len(places), brutes, question.option), len(view.cup) - len(places)
        if cost > question.dollars:
            continue
        worth = worths[number[held + more]]
        if not left:
            hand = number[held + more]
            worth = hand_worths(view, p, (hand,), chances(view, True))[hand]
        worth += p.freedom * left - dollar * cost
        if worth > most:
            most, choice = worth, places
    return choice, most


@cache
def choices(cup: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return every different choice from a cup: its places and its code."""
    found: dict[int, tuple[int, ...]] = {}
    for mask in range(1 << len(cup)):
        places = tuple(place for place in range(len(cup)) if mask >> place & 1)
        found.setdefault(code(tuple(cup[place] for place in places)), places)
    return tuple((places, more) for more, places in found.items())
