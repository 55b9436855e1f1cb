"""Poker hands: rank of five cards, best five of seven, a card that counts as any (FT-3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from lanplay.games.fliptown.cards import CARDS

(NOTHING, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH) = (
    range(10)
)
HIGH_ACE = 14
HAND = 5
_HIGH = (HIGH_ACE, *range(2, HIGH_ACE))
_WHEEL = (HIGH_ACE, 5, 4, 3, 2)
_GROUPS = {5: NOTHING, 7: PAIR, 9: TWO_PAIR, 11: THREE, 13: FULL_HOUSE, 17: FOUR, 25: FOUR}
"""The rank by how many cards are alike with each card, itself among them, added up."""

Worth = tuple[int, tuple[int, ...]]
"""The rank of a hand and its five values, highest first (FT-9.3)."""


def worth(hand: Sequence[int]) -> Worth:
    """Return the rank of five cards and their values from the highest down.

    The ace is 14, and 1 in the straight to the five. A card may be there twice if the deck was made
    anew within the round (FT-2.8).
    """
    values = tuple(sorted([_HIGH[face % 13] for face in hand], reverse=True))
    rank = _GROUPS[sum(map(values.count, values))]
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


def best(cards: tuple[int, ...], wild: bool = False) -> Worth:
    """Return the best hand of five of these cards, at least five.

    If ``wild``, one of them counts as any card that is not among them (FT-9.2, 2).
    """
    return worth(cards) if len(cards) == HAND and not wild else _best(cards, wild)


@lru_cache(1 << 12)
def _best(cards: tuple[int, ...], wild: bool) -> Worth:
    if not wild:
        return max(map(worth, combinations(cards, HAND)))
    fours = list(combinations(cards, HAND - 1))
    others = [face for face in range(CARDS) if face not in cards]
    return max([worth((*four, face)) for four in fours for face in others] + [best(cards)])
