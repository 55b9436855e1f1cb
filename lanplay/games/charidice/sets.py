"""Sets of dice: what may be scored, what it brings, what is given away (CH-2.2 to CH-3.1)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from lanplay.engine.fast_value import FastValue
from lanplay.games.charidice.dice import ALL, COLOURS, DICE, MASKS, NUMBERS, PLACES, Dice, colour

LEAST_OF_ONE_COLOUR = 4
FOUR_OF_A_COLOUR = 15
RUNS = {4: 25, 5: 40, 6: 50}
EQUAL_NUMBERS = {4: 15, 5: 30, 6: 60}
"""Bonuses by the number of dice (CH-2.4)."""

DOUBLED = (5, 6)
GIFTS = (0, *(2 * number if number in DOUBLED else number for number in NUMBERS))
"""What a die given away counts, by its number (CH-3.1)."""
MOST_GIFT = (DICE - 1) * max(GIFTS)
"""The greatest gift there can be, before it is doubled: one die has to be scored (CH-2.2)."""


class DiceSet(FastValue):
    """A set that may be scored: its dice, points for columns 1 and 2, the gift of the others."""

    __slots__: Final = ("mask", "points", "bonus", "gift")

    def __init__(self, mask: int, points: int, bonus: int, gift: int) -> None:
        self.mask: Final = mask
        self.points: Final = points
        self.bonus: Final = bonus
        self.gift: Final = gift

    @property
    def worth(self) -> int:
        """Columns 1 and 2 together."""
        return self.points + self.bonus


_COLOURS = tuple([tuple([1 << colour(die, n) for n in (0, *NUMBERS)]) for die in range(DICE)])
"""The colour that a die shows with a number, as a bit: ``_COLOURS[die][number]``."""


@lru_cache(1 << 13)
def dice_set(dice: Dice, mask: int) -> DiceSet | None:
    """Return what scoring the dice of ``mask`` would bring; ``None`` if they are no set."""
    points = numbers = shown = 0
    for die in PLACES[mask]:
        number = dice[die]
        points += number
        numbers |= 1 << number
        shown |= _COLOURS[die][number]
    bonus = _bonus(mask.bit_count(), numbers, shown.bit_count())
    if bonus is None:
        return None
    gift = 0
    for die in PLACES[ALL & ~mask]:
        gift += GIFTS[dice[die]]
    return DiceSet(mask, points, bonus, gift)


def _bonus(count: int, numbers: int, colours: int) -> int | None:
    """Return the bonus of some dice (CH-2.4); ``None`` if they are no set (CH-2.2)."""
    if colours == count > 0:
        return EQUAL_NUMBERS.get(count, 0) if numbers.bit_count() == 1 else 0
    if colours == 1 and count >= LEAST_OF_ONE_COLOUR:
        return _one_colour(count, numbers)
    return None


def _one_colour(count: int, numbers: int) -> int:
    """Return the bonus of dice of one colour, whose numbers (as bits) all differ (CH-2.4)."""
    lowest = numbers & -numbers
    if numbers == ((1 << count) - 1) * lowest:
        return RUNS[count]
    return FOUR_OF_A_COLOUR if count == LEAST_OF_ONE_COLOUR else 0


def all_sets(dice: Dice) -> list[DiceSet]:
    """Return every set that may be scored, in the order of their masks."""
    return [DiceSet(*each) for each in _sets(dice)]


def _sets(dice: Dice) -> list[tuple[int, int, int, int]]:
    """Return mask, points, bonus and gift of each set that may be scored, by masks."""
    all_given = 0
    for number in dice:
        all_given += GIFTS[number]
    parts = [(0, 0, 0, 0, all_given)]  # of different colours: mask, points, numbers, colours, gift
    alike = [0] * (1 << COLOURS)  # the dice of each colour, by its bit
    for die, number in enumerate(dice):
        bit, colour_bit, given = 1 << die, _COLOURS[die][number], GIFTS[number]
        alike[colour_bit] |= bit
        parts += [
            (mask | bit, points + number, numbers | 1 << number, shown | colour_bit, gift - given)
            for mask, points, numbers, shown, gift in parts
            if not shown & colour_bit
        ]
    found = [
        (mask, points, 0 if numbers & numbers - 1 else EQUAL_NUMBERS.get(mask.bit_count(), 0), gift)
        for mask, points, numbers, _, gift in parts[1:]
    ]
    for same in alike:
        if same.bit_count() >= LEAST_OF_ONE_COLOUR:
            for mask in MASKS:
                if mask & ~same == 0 and mask.bit_count() >= LEAST_OF_ONE_COLOUR:
                    each = dice_set(dice, mask)
                    assert each is not None, "they are of one colour"
                    found.append((mask, each.points, each.bonus, each.gift))
            found.sort()
    return found


_shared = cache(DiceSet)
"""Makes sets that are alike one and the same: there are some thousands."""


@cache  # of 46,656 rolls: 22 MB
def best_sets(dice: Dice) -> tuple[DiceSet, ...]:
    """Return a best set for every gift that can be given, those with most points first.

    Of sets that bring and give as much, the one with the lowest mask counts.
    """
    by_gift: dict[int, tuple[int, int, int, int]] = {}
    for each in _sets(dice):
        _, points, bonus, gift = each
        known = by_gift.get(gift)
        if known is None or points + bonus > known[1] + known[2]:
            by_gift[gift] = each
    best = [_shared(*each) for each in by_gift.values()]
    best.sort(key=lambda each: (-each.worth, each.mask))
    return tuple(best)
