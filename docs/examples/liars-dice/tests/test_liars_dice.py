"""Liar's Dice keeps to all that lanplay builds on, and to its own rules."""

import pytest

from lanplay.check import CHECKS, problems
from lanplay.engine.question import Illegal
from lanplay.games import load
from liars_dice.questions import CALL, Bid
from liars_dice.rules import lose
from liars_dice.table import LiarsTable


@pytest.mark.parametrize("check", CHECKS)
def test_it_passes_every_check(check):
    """As ``lanplay check-game liars-dice`` runs them."""
    assert list(problems(CHECKS[check], load("liars-dice"))) == []


def test_a_bid_is_higher_than_the_last_one():
    """LD-2.1: more dice, or as many of a higher face; nothing can be called before a bid."""
    question = Bid(2 * 6 + 3, 10)
    for legal in (CALL, 2 * 6 + 4, 3 * 6, 10 * 6 + 5):
        question.check(legal)
    for illegal in (2 * 6 + 3, 6, 11 * 6, 5, True, None):
        with pytest.raises(Illegal, match=r"LD-2\.1"):
            question.check(illegal)
    with pytest.raises(Illegal):
        Bid(0, 10).check(CALL)


@pytest.mark.parametrize(("wild", "loser"), [(False, 0), (True, 1)])
def test_ones_count_as_any_where_they_are_wild(wild, loser):
    """LD-2.2, LD-3.2: two fives and a one are three fives there, and two elsewhere."""
    t = LiarsTable(2, wild)
    t.bid, t.bidder, t.active, t.shown = 3 * 6 + 4, 0, 1, ((4, 0), (4, 1))
    assert t.matching(t.bid) == 2 + wild
    lose(t, t.active if t.matching(t.bid) >= 3 else t.bidder)
    assert t.dice[loser] == 4
    assert t.first == loser
