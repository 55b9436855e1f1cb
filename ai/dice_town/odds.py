"""Exact odds of poker dice, computed once and kept: small tables keyed by what decides them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial

from lanplay.games.dice_town.poker import ACE, DICE, FACES, rank

PAIRS = tuple((shown, come) for shown in range(DICE + 1) for come in range(DICE + 1 - shown))
_WEIGHTS: dict[tuple[int, int], int] = {
    pair: int((DICE + 1) ** place) for place, pair in enumerate(PAIRS)
}
_CODES = tuple(6**face for face in range(FACES))

Counts = tuple[tuple[int, ...], int, int]
Row = tuple[tuple[float, ...], tuple[float, ...]]
"""By dice held: the chance to take the location, and the expected dice with which it is taken."""


@cache
def pair_weight(shown: int, to_come: int) -> int:
    """Return the number that stands for a rival with these dice of a face and these to come.

    The numbers of several rivals may be added: sums are equal only for the same rivals.
    """
    return _WEIGHTS[shown, to_come]


@cache
def counts(dice: tuple[int, ...]) -> Counts:
    """Return how many dice show each face, their code (see ``hall``), and how many are to come."""
    shown = tuple(dice.count(face) for face in range(FACES))
    return shown, sum(_CODES[face] for face in dice), DICE - len(dice)


@cache
def binomial(dice: int) -> tuple[float, ...]:
    """Return the chances that 0, 1, … of some dice show one given face."""
    return tuple(
        comb(dice, hits) * (1 / FACES) ** hits * (1 - 1 / FACES) ** (dice - hits)
        for hits in range(dice + 1)
    )


def majority(rivals: list[tuple[int, int]]) -> list[float]:
    """Return, for 0 to 5 dice of a face, the chance to have the most; a tie counts half.

    ``rivals`` are (dice shown, dice to come), the latter rolled once and kept as they fall.
    """
    chances = [0.0]
    for mine in range(1, DICE + 1):
        fewer = as_many = 1.0
        for shown, to_come in rivals:
            odds = binomial(to_come)
            below = sum(odds[: max(0, mine - shown)])
            equal = mine - shown
            fewer *= below
            as_many *= below + (odds[equal] if 0 <= equal <= to_come else 0.0)
        chances.append((fewer + as_many) / 2)
    return chances


@cache
def rows(key: int) -> tuple[Row, ...]:
    """Return a row for 0 to 5 dice to come, against the rivals whose weights add up to ``key``."""
    chances = majority(_rivals(key))
    return tuple(_row(chances, to_come) for to_come in range(DICE + 1))


def _rivals(key: int) -> list[tuple[int, int]]:
    found = []
    for pair in PAIRS:
        key, number = divmod(key, DICE + 1)
        found += [pair] * number
    return found


def _row(chances: list[float], to_come: int) -> Row:
    takes, dice = [], []
    for held in range(DICE + 1):
        odds = binomial(to_come)
        won = [
            (chance * chances[min(DICE, held + hits)], held + hits)
            for hits, chance in enumerate(odds)
        ]
        takes.append(sum(each for each, _ in won))
        dice.append(sum(each * number for each, number in won))
    return tuple(takes), tuple(dice)


@cache
def _strengths() -> dict[tuple[int, ...], float]:
    """Return, for every hand of five dice, the share of random hands that it beats."""
    hands = {hand: _weight(hand) for hand in combinations_with_replacement(range(FACES), DICE)}
    better: dict[tuple[int, ...], float] = {}
    passed = 0.0
    for hand in sorted(hands, key=rank):
        share = hands[hand] / FACES**DICE
        better[hand] = passed + share / 2
        passed += share
    return better


def _weight(hand: tuple[int, ...]) -> int:
    ways = factorial(len(hand))
    for face in set(hand):
        ways //= factorial(hand.count(face))
    return ways


@cache
def hall(code: int, rivals: int) -> float:
    """Return the expected claims from the Town Hall with the dice of ``code`` held (DT-3.7).

    The code of dice is the sum of 6**face over them. The other dice are rolled once. Rivals choose
    what they keep, so that beating one counts as beating a random hand twice.
    """
    held = tuple(face for face in range(FACES) for _ in range(code // _CODES[face] % 6))
    strengths = _strengths()
    missing = DICE - len(held)
    claims = 0.0
    for more in combinations_with_replacement(range(FACES), missing):
        hand = tuple(sorted(held + more))
        chance = _weight(more) / FACES**missing
        claims += chance * strengths[hand] ** (2 * rivals) * min(3, 1 + hand.count(ACE))
    return claims


Kept = tuple[tuple[int, ...], tuple[tuple[int, int], ...], int]
"""Places of dice kept, (face, how many) of them, and their code."""


@cache
def keeps(dice: tuple[int, ...]) -> tuple[tuple[int, tuple[Kept, ...]], ...]:
    """Return every different way to keep some of the sorted ``dice``, by how many are kept."""
    ways = list(_keeps(dice))
    return tuple(
        (number, tuple(way for way in ways if len(way[0]) == number))
        for number in range(len(dice) + 1)
    )


def _keeps(dice: tuple[int, ...]) -> Iterator[Kept]:
    shown = [dice.count(face) for face in range(FACES)]
    for kept in product(*(range(count + 1) for count in shown)):
        added = tuple((face, number) for face, number in enumerate(kept) if number)
        places = [dice.index(face) + n for face, number in added for n in range(number)]
        yield tuple(places), added, sum(_CODES[face] * number for face, number in added)
