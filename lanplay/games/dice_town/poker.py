"""Poker dice: faces and the rank of a hand (DT-5)."""

from __future__ import annotations

from typing import Final

NINE: Final = 0
TEN: Final = 1
JACK: Final = 2
QUEEN: Final = 3
KING: Final = 4
ACE: Final = 5
FACES: Final = 6
DICE: Final = 5

_FIVE: Final = 8
_FOUR: Final = 7
_FULL_HOUSE: Final = 6
_STRAIGHT: Final = 5
_THREE: Final = 4
_TWO_PAIR: Final = 3
_PAIR: Final = 2
_HIGH_CARD: Final = 1
_RANKS: Final = {
    (5,): _FIVE,
    (4, 1): _FOUR,
    (3, 2): _FULL_HOUSE,
    (3, 1, 1): _THREE,
    (2, 2, 1): _TWO_PAIR,
    (2, 1, 1, 1): _PAIR,
    (1, 1, 1, 1, 1): _HIGH_CARD,
}


_FOUND: Final[dict[tuple[int, ...], tuple[int, ...]]] = {}
"""The ranks of hands met before: there are 6**5."""


def rank(dice: tuple[int, ...]) -> tuple[int, ...]:
    """Return the rank of five dice: the better hand compares greater, equal faces equal (DT-5.1-3).

    The first number is the kind of hand (8 five of a kind to 1 high card), the rest its faces,
    grouped ones first, then high to low.
    """
    found = _FOUND.get(dice)
    if found is None:
        found = _FOUND[dice] = _rank(dice)
    return found


def _rank(dice: tuple[int, ...]) -> tuple[int, ...]:
    groups = sorted(((dice.count(face), face) for face in set(dice)), reverse=True)
    kind = _RANKS[tuple(count for count, _ in groups)]
    if kind == _HIGH_CARD and max(dice) - min(dice) == DICE - 1:
        kind = _STRAIGHT
    return (kind, *(face for _, face in groups))
