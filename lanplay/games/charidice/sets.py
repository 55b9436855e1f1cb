"""Sets of dice: what may be scored, what it brings, what is given away (CH-2.2 to CH-3.1)."""

from __future__ import annotations

from functools import lru_cache
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
    points, numbers, shown, gifts = [0], [0], [0], [0]
    found = []
    for die, number in enumerate(dice):  # each mask is a smaller one and its highest die
        number_bit, colour_bit, given = 1 << number, _COLOURS[die][number], GIFTS[number]
        points += [each + number for each in points]
        numbers += [each | number_bit for each in numbers]
        shown += [each | colour_bit for each in shown]
        gifts += [each + given for each in gifts]
    for mask in MASKS:
        bonus = _bonus(mask.bit_count(), numbers[mask], shown[mask].bit_count())
        if bonus is not None:
            found.append(DiceSet(mask, points[mask], bonus, gifts[ALL & ~mask]))
    return found


@lru_cache(1 << 14)  # of 46,656 rolls: 20 MB
def best_sets(dice: Dice) -> tuple[DiceSet, ...]:
    """Return a best set for every gift that can be given, those with most points first.

    Of sets that bring and give as much, the one with the lowest mask counts.
    """
    by_gift: dict[int, DiceSet] = {}
    for each in all_sets(dice):
        known = by_gift.get(each.gift)
        if known is None or each.points + each.bonus > known.points + known.bonus:
            by_gift[each.gift] = each
    return tuple(sorted(by_gift.values(), key=lambda each: (-each.worth, each.mask)))
