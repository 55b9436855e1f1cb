"""What a seat can expect of its dice: the worth of every hand it may still get, and of rolling on.

The worth of five dice counts every location by the chance to take it against what the others show,
the Town Hall by the claims that lie in its row, and Doc Badluck by the chance to take nothing. The
worth of fewer dice follows backwards: with the chance that the round ends first they are rolled
once and kept as they fall (DT-2.5), otherwise rolled and chosen from, dice of one face at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import fsum
from operator import mul

from ai.dice_town.multisets import code, multisets, reachable, rolls
from ai.dice_town.odds import TIE, best_hand, counts, majority
from ai.dice_town.profiles import Profile
from ai.dice_town.worth import PLACES, DiceTownView, consolations, row_worth, scales
from lanplay.games.dice_town.poker import ACE, DICE, FACES, JACK, KING, NINE
from lanplay.games.dice_town.questions import Keep, price
from lanplay.games.dice_town.table import DiceTownTable

ENDS = (0.0, 0.85, 0.5, 0.25, 0.12, 0.05)
"""The chance that a rival with 0 to 5 dice to come is finished with its next choice."""

Chances = tuple[tuple[tuple[float, ...], ...], tuple[float, ...]]
"""The chance to take each location by the number of dice, and the Town Hall by the hand."""


def chances(view: DiceTownView, last: bool) -> Chances:
    """Return the chances to take each location; ``last``: the others have one roll to come."""
    t, seat = view.table, view.seat
    others = [counts(t.dice[other]) for other in t.others(seat)]
    tie = 1.0 if t.sheriff == seat else TIE
    keys = [sum(column) for column in zip(*[weights for _, _, weights in others], strict=True)]
    number = multisets().number
    rivals = tuple(sorted([number[each] for _, each, _ in others]))
    return tuple([majority(key, tie, last) for key in keys[:ACE]]), best_hand(rivals, last)


def hand_worths(
    view: DiceTownView, p: Profile, hands: Iterable[int], chances: Chances
) -> dict[int, float]:
    """Return what some hands of five are worth to a seat."""
    tables, masks = multisets(), _masks()
    t, seat, first = view.table, view.seat, tables.first[DICE]
    claims, doc = _claims(t, p), _visits(consolations(t, seat, p))
    taken, best = chances
    by_face = zip(taken, _takes(t, seat, p), strict=True)
    gains = [[a * b for a, b in zip(chance, take, strict=True)] for chance, take in by_face]
    nine, ten, jack, queen, king = gains
    no_nine, no_ten, no_jack, no_queen, no_king = [[1 - a for a in chance] for chance in taken]
    worths = {}
    for hand in hands:
        n, x, j, q, k, a = tables.counts[hand]
        won = best[hand - first]
        nothing = no_nine[n] * no_ten[x] * no_jack[j] * no_queen[q] * no_king[k] * (1 - won)
        worth = nine[n] + ten[x] + jack[j] + queen[q] + king[k] + won * claims[a]
        worths[hand] = worth + nothing * doc[masks[hand - first]]
    return worths


def _takes(t: DiceTownTable, seat: int, p: Profile) -> list[list[float]]:
    """Return what each location brings with 0 to 5 dice."""
    scale = scales(t, seat, p)
    takes = [[scale[face] * each for each in PLACES[face]] for face in range(ACE)]
    takes[NINE] = [min(each, scale[NINE] * t.mine) for each in takes[NINE]]
    return takes


def _claims(t: DiceTownTable, p: Profile) -> list[float]:
    """Return what the Town Hall brings with 0 to 5 aces."""
    sums = row_worth(t, p)
    return [sums[min(len(sums) - 1, 1 + aces)] for aces in range(DICE + 1)]


class Outlook:
    """The worth of all that a seat's dice may grow to, as things stand.

    ``once[number]`` is what a multiset is worth if its other dice are rolled once and kept as they
    fall, ``on[number]`` if there is a choice as long as nobody else is finished. ``once`` knows
    every multiset that contains the seat's dice, ``on`` those with more dice.
    """

    def __init__(self, view: DiceTownView, p: Profile) -> None:
        self._price = p.price
        held = multisets().number[code(view.table.dice[view.seat])]
        self._layers = reachable(held)
        self.once = hand_worths(view, p, self._layers[-1], chances(view, False))
        self.on = dict(self.once)
        self._look_back(_ending(view))

    def _look_back(self, ends: float) -> None:
        """Work out the worth of fewer dice from that of more."""
        grown, once, on = multisets().grown, self.once, self.on
        for added in range(len(self._layers) - 2, -1, -1):
            for number in self._layers[added]:
                a, b, c, d, e, f = grown[number]
                once[number] = (once[a] + once[b] + once[c] + once[d] + once[e] + once[f]) / FACES
            missing = len(self._layers) - 1 - added
            if missing == 1:
                on.update((number, once[number]) for number in self._layers[added])
            elif added:
                table = rolls(missing)
                for number in self._layers[added]:
                    best = self._parts(number, missing)
                    columns = [column(best) for column in table.columns]
                    chosen = fsum(map(mul, table.chances, map(max, *columns)))
                    on[number] = ends * once[number] + (1 - ends) * chosen

    def _parts(self, number: int, missing: int) -> list[float]:
        """Return what the best choice from each part of a roll is worth (see ``Rolls``)."""
        grown, on, paid = multisets().grown, self.on, self._price
        best = []
        for face in range(FACES):
            more = grown[number][face]
            top = on[more]
            best.append(top)
            for cost in range(1, missing):
                more = grown[more][face]
                top = max(top, on[more] - paid * cost)
                best.append(top)
        return best


def _ending(view: DiceTownView) -> float:
    """Return the chance that somebody else ends the round with the next choice."""
    t, nobody = view.table, 1.0
    for other in t.others(view.seat):
        nobody *= 1 - ENDS[DICE - len(t.dice[other])]
    return 1 - nobody


def _visits(worths: dict[int, float]) -> list[float]:
    """Return what Doc Badluck is worth by the set of faces in the hand, as bits."""
    nine, jack, king, ace = worths[NINE], worths[JACK], worths[KING], worths[ACE]
    by_face = [nine, nine, jack, jack, king, ace]
    best = [0.0]
    for face in range(FACES):
        best += [max(each, by_face[face]) for each in best]
    return best


@cache
def _masks() -> tuple[int, ...]:
    """Return the set of faces of every hand of five, as bits."""
    tables = multisets()
    hands = tables.faces[tables.first[DICE] :]
    return tuple(sum(1 << face for face in set(faces)) for faces in hands)


def far_keep(
    view: DiceTownView, question: Keep, brutes: int, p: Profile
) -> tuple[tuple[int, ...], float]:
    """Return the places of the dice with the greatest worth that can be paid for, and the worth."""
    dice = view.table.dice[view.seat]
    outlook, number, held = Outlook(view, p), multisets().number, code(dice)
    best = float("-inf")
    choice: tuple[int, ...] = (0,)
    for places, more in choices(view.cup):
        cost = price(len(places), brutes, question.option)
        if cost > question.dollars:
            continue
        if len(places) == len(view.cup):
            hand = number[held + more]
            worth = hand_worths(view, p, (hand,), chances(view, True))[hand]
        elif places:
            worth = outlook.on[number[held + more]]
        else:
            worth = outlook.once[number[held]]
        worth -= p.price * cost
        if worth > best:
            best, choice = worth, places
    return choice, best


@cache
def choices(cup: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return every different choice from a cup: its places and its code."""
    found: dict[int, tuple[int, ...]] = {}
    for mask in range(1 << len(cup)):
        places = tuple(place for place in range(len(cup)) if mask >> place & 1)
        found.setdefault(code(tuple(cup[place] for place in places)), places)
    return tuple((places, more) for more, places in found.items())
