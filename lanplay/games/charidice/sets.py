"""Sets of dice: what may be scored, what it brings, what is given away (CH-2.2 to CH-3.1)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from lanplay.engine.fast_value import FastValue
from lanplay.games.charidice.dice import ALL, DICE, MASKS, NUMBERS, PLACES, Dice, colour

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
_POINTS, _LEFT, _WORTH, _GIFT, _FIELD = 6, 12, 18, 26, 63
"""Where a set in one number has what it brings, from bit 0: the colours that it shows, its points,
the dice left out, its points with the bonus, its gift. So of two with one gift the better one is
the greater, and of two as good the one with the lower mask."""


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


def _packed(dice: Dice) -> list[int]:
    """Return every set that may be scored, and some without their bonus, each in a number."""
    given = sum([GIFTS[number] for number in dice])
    found = [(given << _GIFT) + (ALL << _LEFT)]  # of different colours; no die yet
    colours: dict[int, int] = {}  # the dice of each colour, by its bit
    numbers: dict[int, int] = {}  # and of each number
    for die, number in enumerate(dice):
        colour_bit = _COLOURS[die][number]
        colours[colour_bit] = colours.get(colour_bit, 0) | 1 << die
        numbers[number] = numbers.get(number, 0) | 1 << die
        brings = (number << _WORTH) + (number << _POINTS) + colour_bit
        brings -= (GIFTS[number] << _GIFT) + (1 << die << _LEFT)
        found += [each + brings for each in found if not each & colour_bit]
    del found[0]
    for alike in (*colours.values(), *numbers.values()):
        if alike.bit_count() >= LEAST_OF_ONE_COLOUR:
            for mask in MASKS:
                if mask & ~alike == 0 and mask.bit_count() >= LEAST_OF_ONE_COLOUR:
                    one = dice_set(dice, mask)
                    assert one is not None, "they are of one colour, or of one number"
                    left = (ALL & ~mask) << _LEFT
                    brings = (one.gift << _GIFT) + (one.worth << _WORTH) + (one.points << _POINTS)
                    found.append(brings + left)
    return found


@cache
def _unpacked(number: int) -> DiceSet:
    """Return the set of a number without colours; sets that are alike are one and the same."""
    points, mask = number >> _POINTS & _FIELD, ALL & ~(number >> _LEFT)
    return DiceSet(mask, points, (number >> _WORTH & 255) - points, number >> _GIFT)


@cache  # of 46,656 rolls: 22 MB
def best_sets(dice: Dice) -> tuple[DiceSet, ...]:
    """Return a best set for every gift that can be given, those with most points first.

    Of sets that bring and give as much, the one with the lowest mask counts.
    """
    best = {each >> _GIFT: each for each in sorted(_packed(dice))}  # the last of each gift
    ordered = sorted([(each & (1 << _GIFT) - 1, each) for each in best.values()], reverse=True)
    return tuple([_unpacked(each & ~_FIELD) for _, each in ordered])
