"""All 6^6 rolls and what can be scored of each.

Turning a roll round, so that each die takes the place of the next one, shifts all colours alike:
nothing of worth changes. So the sets of a roll are kept once for all its six turns.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations, product

from lanplay.games.charidice.dice import ALL, DICE, NUMBERS, SIDES, Dice, colours, mask_of
from lanplay.games.charidice.sets import GIFTS, LEAST_OF_ONE_COLOUR, dice_set

Offer = tuple[int, int, int]
"""A set as (points with bonus, gift, mask of its dice)."""


@cache
def rolls() -> tuple[Dice, ...]:
    """Return every roll in order: the place of a roll is its number throughout."""
    return tuple(product(NUMBERS, repeat=DICE))


@cache
def numbers() -> dict[Dice, int]:
    """Return the number of every roll."""
    return {dice: number for number, dice in enumerate(rolls())}


@dataclass(frozen=True, slots=True)
class Turned:
    """What can be scored: ``offers`` of the rolls that are the first of their six turns.

    Those with most points stand first. Roll ``number`` has the offers at ``place[number]``, turned
    on by ``steps[number]`` dice. ``outcomes`` has (points, gift) of all sets of each, by rising
    gift: also of those that no price makes the best.
    """

    offers: tuple[tuple[Offer, ...], ...]
    outcomes: tuple[tuple[tuple[int, int], ...], ...]
    place: array[int]
    steps: bytes


@cache
def turned() -> Turned:
    """Return the sets of all rolls."""
    every: list[list[Offer]] = []
    place, steps = [-1] * SIDES**DICE, bytearray(SIDES**DICE)
    for number, dice in enumerate(rolls()):
        if place[number] >= 0:
            continue
        turned_back = number  # no roll before it is a turn of it
        for step in range(DICE):
            if place[turned_back] < 0:
                place[turned_back], steps[turned_back] = len(every), step
            turned_back = turned_back % SIDES * SIDES ** (DICE - 1) + turned_back // SIDES
        every.append(_offers(dice))
    useful = [tuple(sorted(_useful(each), key=lambda one: (-one[0], one[1]))) for each in every]
    outcomes = [tuple([(points, gift) for points, gift, _ in offers]) for offers in every]
    return Turned(tuple(useful), tuple(outcomes), array("H", place), bytes(steps))


def offers(number: int) -> tuple[tuple[Offer, ...], int]:
    """Return the sets of use of the roll with a number, at most one for each gift.

    Those with most points stand first, of equal ones those with the smallest gift.
    Their masks are those of the roll's first turn; ``turn`` with the number that is returned too
    makes them those of the roll.
    """
    sets = turned()
    return sets.offers[sets.place[number]], sets.steps[number]


def turn(mask: int, step: int) -> int:
    """Return what a mask over a turned roll stands for on the roll itself."""
    return (mask << step | mask >> (DICE - step)) & ALL


def _offers(dice: Dice) -> list[Offer]:
    best = {gift: (worth, mask) for gift, (worth, mask) in _all_different(dice).items() if mask}
    for mask in _alike(dice):
        found = dice_set(dice, mask)
        if found is not None and found.worth > best.get(found.gift, (0, 0))[0]:
            best[found.gift] = found.worth, mask
    return [(worth, gift, mask) for gift, (worth, mask) in sorted(best.items())]


def _useful(offers: list[Offer]) -> Iterator[Offer]:
    """Yield the offers, by rising gift, without those that no price of a gift makes the best.

    That is so if a smaller gift brings as much, and a greater one as well.
    """
    greater = [*accumulate([worth for worth, _, _ in offers[:0:-1]], max, initial=-1)][::-1]
    smaller = -1
    for offer, most in zip(offers, greater, strict=True):
        if offer[0] > smaller or offer[0] > most:
            yield offer
        smaller = max(smaller, offer[0])


def _all_different(dice: Dice) -> dict[int, tuple[int, int]]:
    """Return (sum, mask) by gift of the best dice that differ in colour; no die at all included."""
    shown = colours(dice)
    best = {sum([GIFTS[number] for number in dice]): (0, 0)}
    for colour in set(shown):
        more = dict(best)
        for place in [place for place in range(DICE) if shown[place] == colour]:
            number = dice[place]
            for gift, (worth, mask) in best.items():
                left = gift - GIFTS[number]
                if worth + number > more.get(left, (0, 0))[0]:
                    more[left] = worth + number, mask | 1 << place
        best = more
    return best


def _alike(dice: Dice) -> list[int]:
    """Return the masks of four dice or more that have their number or their colour in common."""
    masks = []
    for marks in (dice, colours(dice)):
        for mark in set(marks):
            places = [place for place in range(DICE) if marks[place] == mark]
            for size in range(LEAST_OF_ONE_COLOUR, len(places) + 1):
                masks += [mask_of(some) for some in combinations(places, size)]
    return masks
