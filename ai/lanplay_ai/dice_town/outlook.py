"""What a seat can expect of its dice: the worth of every hand it may still get, and of rolling on.

The worth of five dice counts every location by the chance to take it against what the others show,
the Town Hall by the claims that lie in its row, and Doc Badluck by the chance to take nothing. The
worth of fewer dice follows backwards, as if all others were rolled once and kept as they fall; that
they may be chosen from is worth a little more for each of them.
"""

from __future__ import annotations

from functools import cache
from math import inf
from typing import Final

from lanplay.engine.fast_value import FastValue
from lanplay.games.dice_town.poker import ACE, DICE, FACES, JACK, KING, NINE
from lanplay.games.dice_town.questions import Keep
from lanplay.games.dice_town.table import DiceTownTable
from lanplay_ai.dice_town.multisets import code, multisets, reachable
from lanplay_ai.dice_town.odds import MAJORITIES, Chances, below, contest
from lanplay_ai.dice_town.profiles import DiceTownProfile
from lanplay_ai.dice_town.stakes import ENOUGH, rests, stakes_of
from lanplay_ai.dice_town.worth import (
    PLACES,
    DiceTownView,
    consolation_worth,
    loot_elsewhere,
    visited,
)

Row = tuple[int, int, int, int, int, int, int, int]
"""The number of a hand of five, how many dice it has of each face, and which consolations of Doc
Badluck it allows, as bits."""
Grown = tuple[int, int, int, int, int, int, int]
Outcome = tuple[float, float]


class Rivals(FastValue):
    """The others as they bear on a seat.

    ``places`` are the chances to take each location, ``beaten`` those to beat each of the others by
    the hand, the weakest of all hands first.
    """

    __slots__: Final = ("beaten", "places")

    def __init__(self, places: list[Chances], beaten: list[list[float]]) -> None:
        self.places: Final = places
        self.beaten: Final = beaten


def rivals_of(view: DiceTownView, last: bool) -> Rivals:
    """Return the others of a seat; ``last``: they have one roll to come."""
    t, seat = view.table, view.seat
    return _rivals(t.dice, seat, seat == t.sheriff, last)


def _rivals(dice: list[tuple[int, ...]], seat: int, sheriff: bool, last: bool) -> Rivals:
    now, majorities = contest(dice), MAJORITIES[sheriff, last]
    sums, own = now.sums, now.shares[seat].own
    six = DICE + 1  # what keys in TABLES multiply the sums by, to tell the seat's own dice too
    places = [majorities[(sums[face] - own[face]) // six] for face in range(ACE)]
    shares = now.shares[:seat] + now.shares[seat + 1 :]
    return Rivals(places, [below(share.code, last) for share in shares])


class Completions(FastValue):
    """The multisets that contain some dice: the hands of five, and the others, more dice first.

    Each of ``grown`` is the number of a multiset and those it becomes by one die more, by face.
    """

    __slots__: Final = ("grown", "hands")

    def __init__(self, hands: list[Row], grown: list[Grown]) -> None:
        self.hands: Final = hands
        self.grown: Final = grown


@cache
def plan(number: int) -> Completions:
    """Return the plan for the dice of a multiset."""
    *layers, hands = reachable(number)
    grown: list[Grown] = []
    for layer in reversed(layers):
        for each in layer:
            a, b, c, d, e, f = multisets().grown[each]
            grown.append((each, a, b, c, d, e, f))
    return Completions(_rows_of(list(hands)), grown)


@cache
def _rows() -> list[Row]:
    """Return the rows of all hands of five."""
    tables, rows = multisets(), []
    for hand in range(tables.first[DICE], len(tables.faces)):
        nine, ten, jack, queen, king, ace = tables.counts[hand]
        visits = sum(1 << _CONSOLATIONS.index(face) for face in visited(tables.faces[hand]))
        rows.append((hand, nine, ten, jack, queen, king, ace, visits))
    return rows


def _rows_of(hands: list[int]) -> list[Row]:
    rows, first = _rows(), multisets().first[DICE]
    return [rows[hand - first] for hand in hands]


def _outcomes(hands: list[Row], rivals: Rivals) -> list[Outcome]:
    """Return, for every hand, the chances to be the best of all, and to take nothing."""
    beaten, first = rivals.beaten, multisets().first[DICE]
    no_nine, no_ten, no_jack, no_queen, no_king = [each.missed for each in rivals.places]
    found: list[Outcome] = []
    for hand, n, x, j, q, k, _, _ in hands:
        won, place = 1.0, hand - first
        for rival in beaten:
            won *= rival[place]
        nothing = no_nine[n] * no_ten[x] * no_jack[j] * no_queen[q] * no_king[k] * (1 - won)
        found.append((won, nothing))
    return found


@cache
def _first_outcomes(seats: int, sheriff: bool) -> list[Outcome]:
    """Return the outcomes of all hands for a seat while nobody has set a die aside."""
    return _outcomes(plan(0).hands, _rivals([()] * seats, 0, sheriff, False))


def _weigh(
    view: DiceTownView,
    p: DiceTownProfile,
    hands: list[Row],
    rivals: Rivals,
    outcomes: list[Outcome],
) -> list[float]:
    """Return what some hands of five are worth to a seat."""
    t, seat, stakes = view.table, view.seat, stakes_of(p, view.table)
    claims, doc = stakes.claims, _visit_worths(t, seat, p)
    scales = stakes.looting if loot_elsewhere(t, seat) else stakes.scales
    nine, ten, jack, queen, king = _gains(t, p, scales, rivals.places)
    worths: list[float] = []
    for place, (_, n, x, j, q, k, a, visits) in enumerate(hands):
        won, nothing = outcomes[place]
        worth = nine[n] + ten[x] + jack[j] + queen[q] + king[k] + won * claims[1 + a]
        worths.append(worth + nothing * doc[visits])
    return worths


def hand_worths(view: DiceTownView, p: DiceTownProfile, hands: list[int]) -> list[float]:
    """Return what some hands of five are worth to a seat, where others have one roll to come."""
    rivals, rows = rivals_of(view, True), _rows_of(hands)
    return _weigh(view, p, rows, rivals, _outcomes(rows, rivals))


def _gains(
    t: DiceTownTable, p: DiceTownProfile, scales: list[float], places: list[Chances]
) -> list[list[float]]:
    """Return what each location brings on average with 0 to 5 dice."""
    gains = []
    for face in range(ACE):
        taken, times, brings = places[face].taken, scales[face], PLACES[face]
        gains.append([taken[dice] * (times * brings[dice]) for dice in range(DICE + 1)])
    nines, taken = gains[NINE], places[NINE].taken
    for dice in range(t.mine + 1, DICE + 1):
        nines[dice] = taken[dice] * (p.nugget * t.mine)
    return gains


def _visit_worths(t: DiceTownTable, seat: int, p: DiceTownProfile) -> list[float]:
    """Return what Doc Badluck is worth by the set of consolations that a hand allows, as bits."""
    found = [0.0]
    for face in _CONSOLATIONS:
        worth = consolation_worth(t, seat, p, face)
        found += [max(less, worth) for less in found]
    return found


_CONSOLATIONS: Final = (NINE, JACK, KING, ACE)


def rolled_once(number: int, worths: list[float]) -> list[float]:
    """Return what each multiset that contains some dice is worth, its other dice rolled once.

    ``number`` is that of the dice. ``worths`` has all hands of five that contain them, by their
    numbers; it is filled up and returned.
    """
    for each, a, b, c, d, e, f in plan(number).grown:
        total = worths[a] + worths[b] + worths[c] + worths[d] + worths[e] + worths[f]
        worths[each] = total / FACES
    return worths


def expected(view: DiceTownView, p: DiceTownProfile) -> list[float]:
    """Return what each multiset that contains the dice set aside is worth to a seat.

    The dice that it has to come are rolled once.
    """
    t, tables, rivals = view.table, multisets(), rivals_of(view, False)
    number = tables.number[code(t.dice[view.seat])]
    hands = plan(number).hands
    if any(t.dice):
        outcomes = _outcomes(hands, rivals)
    else:
        outcomes = _first_outcomes(t.seats, view.seat == t.sheriff)
    worths, weighed = [0.0] * len(tables.faces), _weigh(view, p, hands, rivals, outcomes)
    for place, row in enumerate(hands):
        worths[row[0]] = weighed[place]
    return rolled_once(number, worths)


def far_keep(
    view: DiceTownView, question: Keep, brutes: int, p: DiceTownProfile
) -> tuple[tuple[int, ...], float]:
    """Return the places of the dice with the greatest worth that can be paid for, and the worth."""
    t, cup, stakes = view.table, view.cup, stakes_of(p, view.table)
    held, number, worths = code(t.dice[view.seat]), multisets().number, expected(view, p)
    rest = rests(p.freedom, stakes.dollar, brutes, question.option) if brutes else stakes.rests
    prices = rest[len(cup)][question.dollars if question.dollars < DICE else ENOUGH]
    most = -inf
    choice: tuple[int, ...] = (0,)
    *some, (places, more) = choices(cup)
    for fewer, less in some:
        worth = worths[number[held + less]] + prices[len(fewer)]
        if worth > most:
            most, choice = worth, fewer
    if prices[len(cup)] > -inf:
        hand = number[held + more]
        worth = hand_worths(view, p, [hand])[0] + prices[len(cup)]
        if worth > most:
            most, choice = worth, places
    return choice, most


@cache
def choices(cup: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return every different choice from a cup, the whole cup last: its places and its code."""
    found: dict[int, tuple[int, ...]] = {}
    for mask in range(1 << len(cup)):
        places = tuple(place for place in range(len(cup)) if mask >> place & 1)
        found.setdefault(code(tuple(cup[place] for place in places)), places)
    return tuple((places, more) for more, places in found.items())
