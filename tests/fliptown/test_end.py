"""Scores, ties, titles, challenges."""

from __future__ import annotations

import pytest

from lanplay.games.fliptown.ending import challenges, ending, title, winners
from lanplay.games.wording import closing
from tests.fliptown.script import circle, new_table


def test_what_counts_at_the_end():
    """FT-10.1: $/4 and gold/2 rounded down, stars, silver stars of Mine and Hotel."""
    t = new_table(2)
    s = t.sheets[0]
    s.cash, s.gold, s.stars, s.hotel = 11, 5, 20, 2
    circle(s, "mine 4d", "trail 2", "trail 5")
    ending(t)
    assert t.scores == [2 + 2 + 20 + 7 + 2, 1 + 1]


@pytest.mark.parametrize(
    ("first", "second", "won"),
    [
        ({"stars": 5}, {"stars": 4}, (0,)),
        ({"wanted": 1}, {"wanted": 2}, (0,)),
        ({"gold": 2}, {"gold": 3}, (1,)),
        ({"cash": 5}, {"cash": 6}, (1,)),
        ({}, {}, (0, 1)),
    ],
)
def test_ties_go_to_fewer_wanted_then_gold_then_cash(first, second, won):
    """FT-10.1: and then the win is shared."""
    t = new_table(2)
    for s, values in zip(t.sheets, (first, second), strict=True):
        for name, each in values.items():
            setattr(s, name, each)
    ending(t)
    assert winners(t) == won


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"wanted": 2}, ["Bo has as many points as Ann, but more WANTED: 2 against 0."]),
        ({"gold": 2}, ["Bo has as many points and WANTED as Ann, but less gold: 2 against 3."]),
        (
            {"cash": 4},
            ["Bo has as many points, WANTED and gold as Ann, but less cash: $4 against $5."],
        ),
        (
            {"wanted": 2, "gold": 2, "cash": 7},
            ["Bo has as many points as Ann, but more WANTED: 2 against 0."],
        ),
        (
            {"gold": 2, "cash": 4},
            ["Bo has as many points and WANTED as Ann, but less gold: 2 against 3."],
        ),
        ({"stars": 3}, []),
        ({}, []),
    ],
)
def test_whoever_loses_a_tie_is_told_by_what(values, told):
    """FT-10.1: the score alone does not say why one of two has won; a shared win needs no word."""
    t = new_table(2)
    assert closing("fliptown", t, ("Ann", "Bo")) == []
    for s, each in zip(t.sheets, ({}, values), strict=True):
        for name, value in {"stars": 5, "gold": 3, "cash": 5, **each}.items():
            setattr(s, name, value)
    ending(t)
    assert closing("fliptown", t, ("Ann", "Bo")) == told


@pytest.mark.parametrize(
    ("score", "wanted", "words"),
    [
        (49, 0, (0, 0)),
        (50, 3, (1, 0)),
        (59, 4, (1, 1)),
        (60, 7, (2, 2)),
        (70, 10, (3, 3)),
        (80, 14, (4, 4)),
        (79, 13, (3, 3)),
    ],
)
def test_titles(score, wanted, words):
    """FT-10.2: bounds of score and WANTED; 5 higher with a character or hold 'em, 10 with both."""
    for options, more in (({}, 0), ({"holdem": "each"}, 5)):
        for character, extra in ((None, 0), ("miner", 5)):
            t = new_table(1, characters=(character,), **options)
            t.scores = [score + more + extra]
            t.sheets[0].wanted = wanted
            assert title(t, 0) == words


def done(**values):
    """Return a finished solo game."""
    t = new_table(1, round=3)
    s = t.sheets[0]
    s.ranks, s.ever_wanted, s.wanted, s.arrests = (0, 0, 0), 1, 6, 1
    t.scores = [values.pop("score", 10)]
    for name, each in values.items():
        setattr(s, name, each)
    return t


CHALLENGES = {
    2: {"pans": 4, "hammers": 3},
    3: {"wanted": 0},
    9: {"ranks": (0, 7, 0)},
    10: {"ever_wanted": 0},
    11: {"cash": 30, "gold": 15},
    12: {"ranks": (2, 3, 2)},
    13: {"wanted": 5, "arrests": 0},
    17: {"wanted": 20},
    18: {"hotel": 4, "circled": [0, 4, 1 << 13, 0, 16]},
    20: {"score": 80},
}


@pytest.mark.parametrize("number", CHALLENGES)
def test_challenges_by_counters(number):
    """FT-10.3: 2, 3, 9 to 13, 17, 18 and 20."""
    assert number not in challenges(done())
    assert number in challenges(done(**CHALLENGES[number]))


SITES = {
    4: ["mine 1a", "mine 1b", "mine 2a", "mine 2b", "mine 2c", "mine 3a", "mine 3b", "mine 3c"],
    5: ["trail A", "trail 3", "trail 4", "trail 7", "trail T", "trail K"],
    6: ["town 2", "town 3", "town 6", "town T", "town Q"],
    7: ["badlands 2", "badlands 5", "badlands T", "badlands J"],
    8: [f"cemetery {stone}" for stone in ("TL", "TC", "TR", "ML", "MR", "BL", "BC", "BR")],
}


@pytest.mark.parametrize("number", SITES)
def test_challenges_by_sites(number):
    """FT-10.3: 4 to 8; a whole region is challenge 19 as well."""
    t = done()
    circle(t.sheets[0], *SITES[number][1:])
    assert number not in challenges(t)
    circle(t.sheets[0], SITES[number][0])
    assert number in challenges(t)
    assert (19 in challenges(t)) == (number == 8)


def test_the_challenge_of_six_sites_everywhere():
    """FT-10.3: 1, in all five regions."""
    t = done(circled=[0b1111110, 0b11111100, 0b111111, 0b1111110, 0b11111])
    assert 1 not in challenges(t)
    t.sheets[0].circled[4] |= 1 << 8
    assert 1 in challenges(t)


def test_challenges_against_cowbots():
    """FT-10.3: 14 beaten on easy, 15 on hard, 16 one stolen card at most."""
    for level, number in (("easy", 14), ("hard", 15)):
        t = new_table(1, round=3, cowbot="kid", level=level)
        t.sheets[0].ranks = (0, 0, 0)
        t.cowbot, t.stolen, t.scores = 1, [1], [100]
        for t.rival, won in ((100, False), (99, True)):
            assert (number in challenges(t)) is won
        assert 16 in challenges(t)
        t.stolen = [1, 2]
        assert 16 not in challenges(t)
