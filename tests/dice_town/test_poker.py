"""Poker ranks."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.poker import rank
from lanplay.games.dice_town.town import town_hall
from tests.dice_town.script import claim, dice, new_table, run
from tests.dice_town.test_town import row

DESCENDING = ["99999", "AAAA9", "JJJ99", "TJQKA", "9TJQK", "QQQ9T", "AAKK9", "AAKQJ", "AQJT9"]


def test_hands_rank_from_five_of_a_kind_to_high_card():
    """DT-5.1: five, four, full house, straight, three, two pair, pair, high card."""
    ranks = [rank(dice(hand)) for hand in DESCENDING]
    assert all(better > worse for better, worse in pairwise(ranks))


def test_only_two_straights_exist():
    """DT-5.1: 9 to K and 10 to A are straights; five different faces around a gap are none."""
    assert rank(dice("9TJQK"))[0] == rank(dice("TJQKA"))[0] == 5
    assert rank(dice("9TJQA"))[0] == rank(dice("9JQKA"))[0] == 1


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("JJJ99", "TTTAA"),
        ("JJJTT", "JJJ99"),
        ("AATTJ", "KKQQJ"),
        ("AAJJ9", "AATTK"),
        ("AAJJT", "AAJJ9"),
        ("9999A", "9999K"),
        ("TTAKQ", "TTAKJ"),
        ("TJQKA", "9TJQK"),
    ],
)
def test_equal_ranks_compare_groups_first(better, worse):
    """DT-5.2: triple before pair, higher pair first, then the rest from high to low."""
    assert rank(dice(better)) > rank(dice(worse))


def test_only_the_same_five_faces_tie():
    """DT-5.3: two hands are equal exactly when they have the same faces."""
    seen = {}
    for hand in product(range(6), repeat=5):
        assert seen.setdefault(rank(hand), sorted(hand)) == sorted(hand)
    assert len(seen) == 252


def test_a_perfect_tie_goes_to_the_sheriff():
    """DT-5.3: the Sheriff picks between equal hands."""
    t = new_table(3, ["JJJ99", "9J9JJ", "AAKK9"])
    row(t, 1, 2, 3)
    t.sheriff = 2
    script = run(t, town_hall(t), answers={q.Decide: lambda seat, ask: 1})
    assert [ask.tied for _, ask in script.questions(q.Decide)] == [(0, 1)]
    assert t.deeds[1] == [claim(1)]
