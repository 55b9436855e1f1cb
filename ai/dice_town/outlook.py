"""What a seat can expect of its dice: the worth of every hand it may still get, and of rolling on.

The worth of five dice counts every location by the chance to take it against what the others show,
the Town Hall by the claims that lie in its row, and Doc Badluck by the chance to take nothing. The
worth of fewer dice follows backwards, as if all others were rolled once and kept as they fall; that
they may be chosen from is worth a little more for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import inf
from operator import sub
from typing import Final, NamedTuple

from ai.dice_town.keeping import ENOUGH, rests
from ai.dice_town.multisets import code, multisets, reachable
from ai.dice_town.odds import TIE, below, contest, majority, missed
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
from lanplay.games.dice_town.questions import Keep
from lanplay.games.dice_town.table import DiceTownTable

Row = tuple[int, int, int, int, int, int, int, int]
"""The number of a hand of five, how many dice it has of each face, and which consolations of Doc
Badluck it allows, as bits."""


class Rivals(NamedTuple):
    """The others as they bear on a seat: what decides its chances.

    ``keys`` are the sums of their weights by face, ``tie`` is the share of ties that are won,
    ``codes`` are those of their dice. ``last`` says that they have but one roll to come.
    """

    keys: tuple[int, ...]
    tie: float
    codes: tuple[int, ...]
    last: bool

    def taken(self) -> list[tuple[float, ...]]:
        """Return the chance to take each location by the number of dice."""
        return [majority(key, self.tie, self.last) for key in self.keys]

    def missed(self) -> list[tuple[float, ...]]:
        """Return the chance not to take each location."""
        return [missed(key, self.tie, self.last) for key in self.keys]

    def beaten(self) -> list[tuple[float, ...]]:
        """Return the chance to beat each of them by the hand."""
        return [below(each, self.last) for each in self.codes]


def rivals_of(view: DiceTownView, last: bool) -> Rivals:
    """Return the others of a seat; ``last``: they have one roll to come."""
    t, seat = view.table, view.seat
    now = contest(t.dice)
    nine, ten, jack, queen, king, _ = map(sub, now.sums, now.shares[seat].own)
    codes = [share.code for share in now.shares]
    del codes[seat]
    six = DICE + 1  # what keys of rows multiply the sums by, to tell the seat's own dice too
    keys = nine // six, ten // six, jack // six, queen // six, king // six
    return Rivals(keys, 1.0 if t.sheriff == seat else TIE, tuple(codes), last)


class Plan(NamedTuple):
    """The multisets that contain some dice: the hands of five, and the others, more dice first.

    Each of ``grown`` is the number of a multiset and those it becomes by one die more, by face.
    """

    hands: tuple[Row, ...]
    grown: tuple[tuple[int, ...], ...]


@cache
def plan(number: int) -> Plan:
    """Return the plan for the dice of a multiset."""
    *layers, hands = reachable(number)
    grown = multisets().grown
    return Plan(
        tuple([_rows()[hand] for hand in hands]),
        tuple([(each, *grown[each]) for layer in reversed(layers) for each in layer]),
    )


@cache
def _rows() -> dict[int, Row]:
    """Return the rows of all hands of five by their numbers."""
    tables, rows = multisets(), {}
    for hand in range(tables.first[DICE], len(tables.faces)):
        nine, ten, jack, queen, king, ace = tables.counts[hand]
        visits = sum(1 << _CONSOLATIONS.index(face) for face in visited(tables.faces[hand]))
        rows[hand] = hand, nine, ten, jack, queen, king, ace, visits
    return rows


def _outcomes(hands: Iterable[Row], rivals: Rivals) -> list[tuple[float, float]]:
    """Return, for every hand, the chances to be the best of all, and to take nothing."""
    beaten, first = rivals.beaten(), multisets().first[DICE]
    no_nine, no_ten, no_jack, no_queen, no_king = rivals.missed()
    found = []
    for hand, n, x, j, q, k, _, _ in hands:
        won, place = 1.0, hand - first
        for rival in beaten:
            won *= rival[place]
        nothing = no_nine[n] * no_ten[x] * no_jack[j] * no_queen[q] * no_king[k] * (1 - won)
        found.append((won, nothing))
    return found


@lru_cache(maxsize=16)
def _outcomes_from(number: int, rivals: Rivals) -> list[tuple[float, float]]:
    """Return the outcomes of all hands of a plan: those of a first roll are always the same."""
    return _outcomes(plan(number).hands, rivals)


def _weigh(
    view: DiceTownView,
    p: Profile,
    hands: Sequence[Row],
    rivals: Rivals,
    outcomes: Sequence[tuple[float, float]],
    worths: list[float] | dict[int, float],
) -> None:
    """Put what some hands of five are worth to a seat in ``worths``, by their numbers."""
    t, seat = view.table, view.seat
    claims, doc = row_worth(t, p)[1:], _visit_worths(t, seat, p)
    nine, ten, jack, queen, king = _gains(t, seat, p, rivals.taken())
    for (hand, n, x, j, q, k, a, visits), (won, nothing) in zip(hands, outcomes, strict=True):
        worth = nine[n] + ten[x] + jack[j] + queen[q] + king[k] + won * claims[a]
        worths[hand] = worth + nothing * doc[visits]


def hand_worths(
    view: DiceTownView, p: Profile, hands: Iterable[int], last: bool
) -> dict[int, float]:
    """Return what some hands of five are worth to a seat; ``last``: others have a roll to come."""
    every, rivals = _rows(), rivals_of(view, last)
    rows = [every[hand] for hand in hands]
    worths: dict[int, float] = {}
    _weigh(view, p, rows, rivals, _outcomes(rows, rivals), worths)
    return worths


def _gains(
    t: DiceTownTable, seat: int, p: Profile, taken: list[tuple[float, ...]]
) -> list[list[float]]:
    """Return what each location brings on average with 0 to 5 dice, taken with these chances."""
    gains = []
    for face in range(ACE):
        chances, times, place = taken[face], scale(t, seat, p, face), PLACES[face]
        gain = [0.0] * len(_COUNTS)
        for dice in _COUNTS:
            gain[dice] = chances[dice] * (times * place[dice])
        gains.append(gain)
    for dice in _COUNTS[t.mine + 1 :]:
        gains[NINE][dice] = taken[NINE][dice] * (p.nugget * t.mine)
    return gains


_COUNTS: Final = range(DICE + 1)


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


def rolled_once(number: int, worths: list[float]) -> list[float]:
    """Return what each multiset that contains some dice is worth, its other dice rolled once.

    ``number`` is that of the dice. ``worths`` has all hands of five that contain them, by their
    numbers; it is filled up and returned.
    """
    for each, a, b, c, d, e, f in plan(number).grown:
        total = worths[a] + worths[b] + worths[c] + worths[d] + worths[e] + worths[f]
        worths[each] = total / FACES
    return worths


def expected(view: DiceTownView, p: Profile) -> list[float]:
    """Return what each multiset that contains the dice set aside is worth to a seat.

    The dice that it has to come are rolled once.
    """
    tables = multisets()
    number = tables.number[code(view.table.dice[view.seat])]
    hands, rivals = plan(number).hands, rivals_of(view, False)
    worths = [0.0] * len(tables.faces)
    _weigh(view, p, hands, rivals, _outcomes_from(number, rivals), worths)
    return rolled_once(number, worths)


def far_keep(
    view: DiceTownView, question: Keep, brutes: int, p: Profile
) -> tuple[tuple[int, ...], float]:
    """Return the places of the dice with the greatest worth that can be paid for, and the worth."""
    t, cup = view.table, view.cup
    held, number, worths = code(t.dice[view.seat]), multisets().number, expected(view, p)
    rest = rests(p.freedom, dice_price(t, p), brutes, question.option)[len(cup)]
    prices = rest[question.dollars if question.dollars < DICE else ENOUGH]
    most = -inf
    choice: tuple[int, ...] = (0,)
    *some, (places, more) = choices(cup)
    for fewer, less in some:
        worth = worths[number[held + less]] + prices[len(fewer)]
        if worth > most:
            most, choice = worth, fewer
    if prices[len(cup)] > -inf:
        hand = number[held + more]
        worth = hand_worths(view, p, (hand,), True)[hand] + prices[len(cup)]
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
