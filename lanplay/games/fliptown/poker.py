"""Poker hands: rank of five cards, best five of seven, a card that counts as any (FT-3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from lanplay.games.fliptown.cards import CARDS

(
    NOTHING,
    PAIR,
    TWO_PAIR,
    THREE,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR,
    STRAIGHT_FLUSH,
    ROYAL_FLUSH,
) = range(10)
HIGH_ACE = 14
HAND = 5
_WHEEL = (HIGH_ACE, 5, 4, 3, 2)
_GROUPS = {
    (1, 1, 1, 1, 1): NOTHING,
    (2, 1, 1, 1): PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): THREE,
    (3, 2): FULL_HOUSE,
    (4, 1): FOUR,
}

Worth = tuple[int, tuple[int, ...]]
"""The rank of a hand and its five values, highest first (FT-9.3)."""


def worth(hand: Sequence[int]) -> Worth:
    """Return the rank of five different cards and their values from the highest down.

    The ace is 14, and 1 in the straight to the five.
    """
    values = tuple(sorted([face % 13 + 1 if face % 13 else HIGH_ACE for face in hand])[::-1])
    groups = tuple(sorted(Counter(values).values())[::-1])
    rank = _GROUPS[groups]
    if rank != NOTHING:
        return rank, values
    flush = len({face // 13 for face in hand}) == 1
    if values == _WHEEL:
        return (STRAIGHT_FLUSH if flush else STRAIGHT), (5, 4, 3, 2, 1)
    if values[0] - values[-1] != HAND - 1:
        return (FLUSH if flush else NOTHING), values
    if flush:
        return (ROYAL_FLUSH if values[0] == HIGH_ACE else STRAIGHT_FLUSH), values
    return STRAIGHT, values


@lru_cache(1 << 12)
def best(cards: tuple[int, ...], wild: bool = False) -> Worth:
    """Return the best hand of five of these cards, at least five.

    If ``wild``, one of them counts as any card that is not among them (FT-9.2, 2).
    """
    if not wild:
        return max([worth(hand) for hand in combinations(cards, HAND)])
    fours = list(combinations(cards, HAND - 1))
    others = [face for face in range(CARDS) if face not in cards]
    return max([worth((*four, face)) for four in fours for face in others] + [best(cards)])
