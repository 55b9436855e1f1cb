"""Poker: every hand there is, against a ranker that works in another way."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from lanplay.engine.chance import Chance
from lanplay.games.fliptown.map import POKER
from lanplay.games.fliptown.poker import best, worth
from tests.fliptown.script import cards

FREQUENCIES = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
"""Of nothing to royal flush among the 2,598,960 hands, as every book on poker has them."""
RUNS = [set(range(low, low + 5)) for low in range(10)]
"""Straights by ranks, ace 0 and 13."""


def other_rank(ranks, one_suit):
    """Rank a hand by pairs of equal cards: 1, 2, 3, 4, 6 pairs tell the groups."""
    equal = sum(a == b for a, b in combinations(ranks, 2))
    if equal:
        return {1: 1, 2: 2, 3: 3, 4: 6, 6: 7}[equal]
    high = {rank or 13 for rank in ranks}
    run = set(ranks) in RUNS or high in RUNS
    if run and one_suit:
        return 9 if high == RUNS[9] else 8
    return 5 if one_suit else 4 if run else 0


def hands(ranks):
    """Yield a hand of these ranks in each suit pattern that matters, with how many there are."""
    counts = Counter(ranks)
    ways = prod(comb(4, count) for count in counts.values())
    seen = Counter()
    hand = []
    for rank in ranks:
        hand.append((13 * ((seen[rank] + rank) % 4)) + rank)
        seen[rank] += 1
    if len(counts) < 5:
        yield hand, False, ways
        return
    mixed = hand if len({face // 13 for face in hand}) > 1 else [*hand[:4], (hand[4] + 13) % 52]
    yield mixed, False, ways - 4
    for suit in range(4):
        yield [13 * suit + rank for rank in ranks], True, 1


def test_every_hand_has_the_rank_of_an_independent_ranker():
    """FT-3.1: all 2,598,960 hands, those that differ in suits alone counted together."""
    found = [0] * 10
    for ranks in combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) > 4:
            continue
        for hand, one_suit, ways in hands(ranks):
            assert len(set(hand)) == 5
            rank = worth(hand)[0]
            assert rank == other_rank(ranks, one_suit), hand
            found[rank] += ways
    assert tuple(found) == FREQUENCIES
    assert sum(found) == comb(52, 5)


def test_order_and_suits_change_nothing():
    """FT-3.1: a hand is worth the same whatever the order of its cards and the names of suits."""
    chance = Chance(b"suits")
    for number in range(2000):
        hand = chance.permutation(52, "hand", (number,))[:5]
        suits = chance.permutation(4, "suits", (number,))
        renamed = [13 * suits[face // 13] + face % 13 for face in hand[::-1]]
        assert worth(hand) == worth(renamed)


@pytest.mark.parametrize(
    ("rank", "hand", "cash", "stars"),
    [
        (9, "Ts Js Qs Ks As", 10, 9),
        (8, "Ah 2h 3h 4h 5h", 9, 8),
        (7, "9h 9s 9d 9c 2h", 8, 7),
        (6, "9h 9s 9d 2c 2h", 7, 6),
        (5, "Ah 3h 5h 7h 9h", 6, 5),
        (4, "Ah 2s 3d 4c 5h", 5, 4),
        (3, "9h 9s 9d 2c 3h", 4, 3),
        (2, "Qh Qs 8d 8c 3h", 3, 2),
        (1, "Qh Qs 8d 7c 3h", 2, 1),
        (0, "Kh As 2d 3c 4h", 0, 0),
    ],
)
def test_what_each_rank_pays(rank, hand, cash, stars):
    """FT-3.1, FT-1.4: the table; the ace is high or low but not between."""
    assert worth(cards(hand))[0] == rank
    assert POKER[rank] == (cash, stars)


def test_five_alike_pay_as_four_of_a_kind():
    """FT-2.8: a deck made anew within the round may give a card again."""
    assert worth(cards("9h 9s 9d 9c 9h"))[0] == 7
    assert best(cards("9h 9s 9d 9c 9h 2h 3h"))[0] == 7


def test_the_best_five_of_seven_count():
    """FT-9.3: a flush is found behind a straight."""
    assert best(cards("2h 5h 9h Jh 3s 4s 6h"))[0] == 5
    assert best(cards("2h 3s 4d 5c 6h 6s 6d")) == (4, (6, 5, 4, 3, 2))


def test_equal_ranks_compare_their_cards_from_the_highest_down():
    """FT-9.3, FT-9.10: two sixes with an ace beat two kings with a queen."""
    assert worth(cards("6h 6s Ad 2c 3h")) > worth(cards("Kh Ks Qd 2c 3h"))
    assert worth(cards("6h 6s Ad 2c 3h")) == worth(cards("6d 6c Ah 2s 3d"))
    assert worth(cards("Ah 2s 3d 4c 5h")) < worth(cards("2h 3s 4d 5c 6h"))


@pytest.mark.parametrize(
    ("hand", "rank"),
    [
        ("Ts Js Qs Ks 2d", 9),
        ("2h 5s 9d Jc Kh", 1),
        ("9h 9s 9d 2c 3h", 7),
        ("9h 9s 2d 2c 3h", 6),
        ("9h 9s 9d 9c 3h", 7),
        ("Ts Js Qs Ks As", 9),
    ],
)
def test_one_card_counts_as_any_other(hand, rank):
    """FT-9.2 (2), FT-9.8: the best that one card can make of a hand."""
    assert best(cards(hand), True)[0] == rank
