"""The six coloured dice (CH-1.2), and choices of some of them.

A roll is a tuple of six numbers, one for each die in the order of the dice. Some dice of a roll are
a *mask*: bit ``k`` stands for die ``k``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

DICE = 6
SIDES = 6
NUMBERS = range(1, SIDES + 1)
COLOURS = 6
MASKS = range(1 << DICE)
"""Every choice of dice; 0 is none, the last one all."""
ALL = MASKS[-1]

Dice = tuple[int, ...]

PLACES: tuple[tuple[int, ...], ...] = tuple(
    tuple(place for place in range(DICE) if mask >> place & 1) for mask in MASKS
)
"""The dice of each mask, in their order."""


def colour(place: int, number: int) -> int:
    """Return the colour, 0 to 5, of the face with ``number`` on the die at ``place`` (CH-1.2)."""
    return (number - 1 + place) % COLOURS


_FACES = tuple(
    tuple((number, colour(place, number)) for number in (0, *NUMBERS)) for place in range(DICE)
)
"""What is seen of a die: ``_FACES[place][number]``."""


def colours(dice: Dice) -> tuple[int, ...]:
    """Return the colour that each die of a roll shows."""
    return tuple([colour(place, number) for place, number in enumerate(dice)])


def numbered(faces: Sequence[int]) -> Dice:
    """Return the numbers, 1 to 6, of six dice that fell on faces 0 to 5."""
    one, two, three, four, five, six = faces
    return one + 1, two + 1, three + 1, four + 1, five + 1, six + 1


def mask_of(places: Iterable[int]) -> int:
    """Return the mask of some dice; naming one twice changes nothing."""
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask


def faces(dice: Dice, mask: int = ALL) -> tuple[tuple[int, int], ...]:
    """Return (number, colour) of the dice of a mask, in the order of the dice."""
    return tuple([_FACES[place][dice[place]] for place in PLACES[mask]])
