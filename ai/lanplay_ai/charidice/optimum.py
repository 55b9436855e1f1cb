"""The exact optimum of a turn, by dynamic programming over all rolls.

What a turn is worth is the points scored minus a *price* for each point given away. For a price
the best answer to every roll follows backwards: the best set of a third roll, then the best dice to
roll again of a second and of a first one. A *kept* state is a number in base 7, one digit for each
die: its number, or 0 if it is rolled again; die by die, the worth of a kept state is the mean over
the numbers of a free die, and the best for a roll the greatest over what may be freed.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import fsum

from lanplay.games.charidice.dice import DICE, SIDES
from lanplay_ai.charidice.rolls import Offer, turned

_BASE = SIDES + 1
_KEPT_BITS = 17
"""Enough for every kept state: 7^6 < 2^17."""
_FINE = 1 << 20
"""Worths are compared in steps of a millionth of a point; of equal ones the most dice are kept."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """How to play a turn best at a price.

    ``again[0]`` and ``again[1]`` hold the mask of the dice to roll again after the first and the
    second roll, by the number of the roll; ``kept`` the kept states that these stand for, and
    ``worth`` what the turn is then worth. ``value`` is what a turn is worth on average.
    """

    price: float
    again: tuple[bytes, bytes]
    kept: tuple[array[int], array[int]]
    worth: tuple[array[float], array[float]]
    value: float


@cache
def optimum(price: float) -> Optimum:
    """Return the optimum of a turn at a price; it takes about a fifth of a second."""
    kept2, worth2 = best_kept(expected([w - price * gift for w, gift, _ in best_sets(price)]))
    kept1, worth1 = best_kept(expected(worth2))
    return Optimum(
        price=price,
        again=(rolled_again(kept1), rolled_again(kept2)),
        kept=(array("l", kept1), array("l", kept2)),
        worth=(array("f", worth1), array("f", worth2)),
        value=average(worth1),
    )


def best_sets(price: float) -> list[Offer]:
    """Return the set to score of every roll; its mask is that of the roll's first turn.

    Of equal ones it is that with the smallest gift.
    """

    sets = turned()
    best = []
    for offers in sets.offers:
        found, most = offers[0], float("-inf")
        for offer in offers:
            points, gift, _ = offer
            worth = points - price * gift
            if worth > most or (worth == most and gift < found[1]):
                found, most = offer, worth
        best.append(found)
    return [best[place] for place in sets.place]


def outcomes(price: float) -> dict[tuple[int, int], float]:
    """Return how likely a turn at a price brings so many points and gives so many away."""
    first, second = optimum(price).kept
    likely = _rolled({0: 1.0})
    for kept in (first, second):
        states: dict[int, float] = {}
        for state, chance in zip(kept, likely, strict=True):
            states[state] = states.get(state, 0.0) + chance
        likely = _rolled(states)
    found: dict[tuple[int, int], float] = {}
    for (points, gift, _), chance in zip(best_sets(price), likely, strict=True):
        found[points, gift] = found.get((points, gift), 0.0) + chance
    return found


def _rolled(states: dict[int, float]) -> list[float]:
    """Return how likely every roll is, by how likely each kept state is rolled on from.

    Die by die, as in ``expected``: what is free goes to each number alike.
    """
    likely = [0.0] * _BASE**DICE
    for state, chance in states.items():
        likely[state] = chance
    for _ in range(DICE):
        size = len(likely) // _BASE
        free = [chance / SIDES for chance in likely[:size]]
        digits = [likely[digit * size : (digit + 1) * size] for digit in range(1, _BASE)]
        rows = [[a + b for a, b in zip(free, each, strict=True)] for each in digits]
        likely = [chance for each in zip(*rows, strict=True) for chance in each]
    return likely


def average(values: Sequence[float]) -> float:
    """Return the mean over all rolls."""
    return fsum(values) / len(values)


def expected(values: list[float]) -> list[float]:
    """Return the mean of what rolls are worth, for every kept state.

    Die by die: the last digit of the number becomes the first one, with the mean added in front.
    """
    for _ in range(DICE):
        parts = [values[digit::SIDES] for digit in range(SIDES)]
        # not sum(): from Python 3.12 on it rounds otherwise
        free = [(a + b + c + d + e + f) / SIDES for a, b, c, d, e, f in zip(*parts, strict=True)]
        values = [*free, *chain(*parts)]
    return values


def best_kept(values: list[float]) -> tuple[list[int], list[float]]:
    """Return, for every roll, the kept state to roll on from and its worth."""
    codes = [int(worth * _FINE) << _KEPT_BITS | kept for kept, worth in enumerate(values)]
    for _ in range(DICE):
        free = codes[::_BASE]
        codes = [
            code if code > rolled else rolled  # noqa: FURB136  # max takes twice as long
            for digit in range(1, _BASE)
            for code, rolled in zip(codes[digit::_BASE], free, strict=True)
        ]
    kept = [code & (1 << _KEPT_BITS) - 1 for code in codes]
    return kept, [values[each] for each in kept]


def followed(values: list[float], kept: Sequence[int]) -> list[float]:
    """Return what rolls are worth one roll earlier, if from each one goes on as ``kept`` says."""
    worth = expected(values)
    return [worth[each] for each in kept]


@cache
def _free() -> bytes:
    """Return the mask of the dice that each kept state rolls again."""
    found = [0]
    for place in range(DICE):
        found = [mask | (0 if digit else 1 << place) for mask in found for digit in range(_BASE)]
    return bytes(found)


def rolled_again(kept: Sequence[int]) -> bytes:
    """Return the masks of the dice that kept states roll again."""
    free = _free()
    return bytes([free[each] for each in kept])
