"""Exact odds of poker dice, computed once and kept: small tables keyed by what decides them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial

from lanplay.games.dice_town.poker import ACE, DICE, FACES, rank

Rivals = tuple[tuple[int, int], ...]
"""For one face: (dice showing it, dice still to come) of each rival, sorted."""


@cache
def binomial(dice: int) -> tuple[float, ...]:
    """Return the chances that 0, 1, … of some dice show one given face."""
    return tuple(
        comb(dice, hits) * (1 / FACES) ** hits * (1 - 1 / FACES) ** (dice - hits)
        for hits in range(dice + 1)
    )


@cache
def majority(rivals: Rivals) -> tuple[float, ...]:
    """Return, for 0 to 5 dice of a face, the chance to have the most; a tie counts half."""
    chances = [0.0]
    for mine in range(1, DICE + 1):
        fewer = as_many = 1.0
        for shown, to_come in rivals:
            odds = binomial(to_come)
            below = sum(odds[: max(0, mine - shown)])
            fewer *= below
            equal = mine - shown
            as_many *= below + (odds[equal] if 0 <= equal <= to_come else 0.0)
        chances.append((fewer + as_many) / 2)
    return tuple(chances)


@cache
def expected(rivals: Rivals, held: int, to_come: int) -> tuple[float, float]:
    """Return the chance to take a face's location and the expected dice with which it is taken.

    ``held`` dice show the face and ``to_come`` more are rolled once and kept as they fall.
    """
    chances = majority(rivals)
    take = dice = 0.0
    for hits, chance in enumerate(binomial(to_come)):
        won = chance * chances[held + hits]
        take += won
        dice += won * (held + hits)
    return take, dice


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
def hall(held: tuple[int, ...], rivals: int) -> float:
    """Return the expected claims from the Town Hall with the sorted dice ``held`` (DT-3.7).

    The other dice are rolled once. Rivals choose what they keep, so that beating one counts as
    beating a random hand twice.
    """
    strengths = _strengths()
    missing = DICE - len(held)
    claims = 0.0
    for more in combinations_with_replacement(range(FACES), missing):
        hand = tuple(sorted(held + more))
        chance = _weight(more) / FACES**missing
        claims += chance * strengths[hand] ** (2 * rivals) * min(3, 1 + hand.count(ACE))
    return claims


@cache
def keeps(dice: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return every different way to keep some of the sorted ``dice``: (places, faces)."""
    return tuple(_keeps(dice))


def _keeps(dice: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    counts = [dice.count(face) for face in range(FACES)]
    firsts = [dice.index(face) if face in dice else 0 for face in range(FACES)]
    for kept in product(*(range(count + 1) for count in counts)):
        places = [
            first + n for first, number in zip(firsts, kept, strict=True) for n in range(number)
        ]
        faces = [face for face, number in enumerate(kept) for _ in range(number)]
        yield tuple(places), tuple(faces)
