"""The fourteen characters."""

from __future__ import annotations

from itertools import product

import pytest

from lanplay.engine.question import answers
from lanplay.games.fliptown.asks import Turn
from lanplay.games.fliptown.codes import ABILITY, BY_ABILITY, BY_JOKER, BY_PANS, JOKER, NO, PLAN
from lanplay.games.fliptown.map import BADLANDS, PLACES, TOWN, TRAIL, site
from lanplay.games.fliptown.questions import Move
from lanplay.games.fliptown.reach import reach
from tests.fliptown.script import (
    RULEBOOK,
    cards,
    goods,
    items,
    reached,
    sheet,
    walk,
)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("trailblazer", {"cash": 3, "gold": 4}),
        ("cheat", {"cash": 7, "gold": 1}),
        ("prospector", {"cash": 3, "gold": 5, "pans": 1}),
        ("settler", {"cash": 7, "gold": 2}),
        ("bandit", {"cash": 7, "gold": 6, "wanted": 4}),
        ("marshal", {"cash": 5, "gold": 2, "stars": 2}),
        ("preacher", {"cash": 3, "gold": 3}),
        ("miner", {"cash": 1, "gold": 5}),
        ("ranch-hand", {"cash": 5, "gold": 1, "hammers": 1}),
        ("grave-robber", {"cash": 3, "gold": 1}),
        ("man-in-black", {"cash": 3, "gold": 4, "wanted": 6, "stars": 1}),
        ("baroness", {"cash": 7, "gold": 1}),
        ("mayor", {"cash": 3, "gold": 1, "stars": 3}),
        ("wild-card", {"cash": 4}),
    ],
)
def test_what_each_character_starts_with(name, start):
    """FT-9.2: instead of $4 and 2 gold; the Grave Robber has the shovel."""
    s = sheet(name)
    assert goods(s) == start
    assert s.items == (items("shovel") if name == "grave-robber" else 0)
    assert s.uses == (2 if name == "wild-card" else 1)


@pytest.mark.parametrize(
    ("name", "region"),
    [
        ("trailblazer", 0),
        ("bandit", 1),
        ("miner", 2),
        ("settler", 3),
        ("grave-robber", 4),
        ("man-in-black", 2),
    ],
)
def test_characters_with_a_bonus_action(name, region):
    """FT-9.2: once, before or after the plan; it counts as gained."""
    for picks in ([], [("site", NO)]):
        s = sheet(name)
        choose = [("region", region)] if name == "man-in-black" else []
        made = walk(s, "2c 5h 9d", *picks, ("next", ABILITY), *choose)
        assert s.bonuses == 1 << region
        assert s.uses == 0
        assert [ask.what for ask in made.asks].count("bonus") == 1


def test_the_baroness_and_the_ranch_hand():
    """FT-9.2, FT-9.8: gold equal to WANTED; 2 WANTED per hammer; not offered without any."""
    s = sheet("baroness", wanted=5)
    walk(s, "2c 5h 9d", ("next", ABILITY), ("suit", 3))
    assert (s.gold, s.uses) == (6, 0)
    s = sheet("ranch-hand", wanted=5, hammers=2)
    walk(s, "2c 5h 9d", ("next", ABILITY), ("cross", 4))
    assert (s.wanted, s.uses) == (1, 0)
    for name in ("baroness", "ranch-hand"):
        assert walk(sheet(name), "2c 5h 9d").asks[0].what == "suit-card"


def test_the_prospector_moves_the_value_by_its_pans():
    """FT-9.2, FT-9.8: up or down by all of them, more for gold, once."""
    s = sheet("prospector", pans=3, gold=1)
    made = walk(s, "2c 5h 9d", ("site", "town 8"))
    assert reached(made, TOWN) == {
        4: 1,
        5: 0,
        6: 1,
        **{
            place: BY_ABILITY + price
            for place, price in ((1, 1), (2, 0), (3, 1), (7, 1), (8, 0), (9, 1))
        },
    }
    assert (s.gold, s.uses) == (1, 0)
    s = sheet("prospector", pans=1, gold=3)
    made = walk(s, "2c 5h 9d", ("site", "town 7"), ("way", BY_PANS))
    assert made.offered("way") == {0: 2, BY_PANS: 1}
    assert (s.gold, s.uses) == (2, 0)


@pytest.mark.parametrize("pans", range(5))
@pytest.mark.parametrize("gold", [0, 1, 3, 12])
def test_the_prospector_reaches_what_is_near_enough_to_either_shifted_value(pans, gold):
    """FT-2.5: for every value card, just the places within so many steps, each at its price."""
    s = sheet("prospector", pans=pans, gold=gold)
    for value, way in product(range(1, 14), (-pans, pans)):
        sites, prices = reach(s, BADLANDS, value + way, gold)
        steps = {place: abs(place - value - way) for place in PLACES[BADLANDS]}
        near = {site(BADLANDS, place): each for place, each in steps.items() if each <= gold}
        assert dict(zip(sites, prices, strict=True)) == near


def test_the_prospector_may_be_dealt_an_ace_with_four_pans_and_no_gold():
    """FT-2.5: a value shifted below every place reaches nothing, and is no fault."""
    s = sheet("prospector", pans=4, gold=0)
    s.pool = [PLAN]
    for suit in "hscd":
        aces = [f"A{each}" for each in "hscd" if each != suit][:2]
        turn = Turn(cards(f"6{suit} {aces[0]} {aces[1]}"), 1, RULEBOOK)
        assert list(answers(Move(s, turn), None))


@pytest.mark.parametrize(
    ("value", "pans", "gold", "price"),
    [
        ("8", 4, 0, {9: 0, 12: 0}),
        ("9", 4, 0, {10: 0, 13: 0}),
        ("T", 4, 0, {}),
        ("T", 4, 1, {12: 1, 13: 1}),
        ("J", 3, 1, {13: 1}),
    ],
)
def test_the_prospector_pays_for_what_lies_beyond_the_king(value, pans, gold, price):
    """FT-2.5, FT-9.8: on the Trail too the end value lies within A-K: a 14 goes down for gold."""
    s = sheet("prospector", pans=pans, gold=gold)
    found = reached(walk(s, f"2h {value}c 9d"), TRAIL)
    by_pans = {place: each - BY_ABILITY for place, each in found.items() if each >= BY_ABILITY}
    assert by_pans.items() >= price.items()
    assert bool(by_pans) == bool(price)


def test_a_joker_stands_for_a_suit_or_a_value():
    """FT-9.2, FT-9.8: two of them, for nothing."""
    s = sheet("wild-card")
    walk(s, "2c 5h 9d", ("suit", JOKER), ("site", "trail K"))
    assert (s.uses, s.counted, s.stars) == (0, 0, 6)
    s = sheet("wild-card", gold=9)
    made = walk(s, "2c 5h 9d", ("suit", 3), ("site", "town K"), ("way", BY_JOKER))
    assert made.offered("way") == {0: 8, BY_JOKER: 0}
    assert (s.uses, s.gold) == (1, 9)
