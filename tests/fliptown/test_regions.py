"""Trail, Badlands, Mine and Cemetery: what is reached, what it brings."""

from __future__ import annotations

import pytest

from lanplay.games.fliptown.codes import NO
from lanplay.games.fliptown.ending import silver
from lanplay.games.fliptown.map import CEMETERY, GUNS, MINE, NAMES, TOWN
from lanplay.games.fliptown.visits import robbed
from tests.fliptown.script import (
    RULEBOOK,
    at,
    bare,
    cards,
    goods,
    items,
    reached,
    sheet,
    visit,
    walk,
)


def test_tools_stop_at_four_and_counters_do_not():
    """FT-1.3: more pans and hammers than four bring nothing; gold and the like have no limit."""
    s = bare(pans=3, hammers=4, gold=100)
    s.gain("pans", 2)
    s.gain("hammers", 1)
    s.gain("gold", 100)
    assert (s.pans, s.hammers, s.gold) == (4, 4, 200)


@pytest.mark.parametrize(
    ("stop", "brings"),
    [
        ("A", {"stars": 2}),
        ("2", {"pans": 1}),
        ("3", {"stars": 1}),
        ("4", {"stars": 3, "wanted": 1}),
        ("5", {"cash": 12}),
        ("6", {}),
        ("7", {"stars": 4, "wanted": 1}),
        ("8", {"gold": 8}),
        ("9", {}),
        ("T", {"stars": 5, "wanted": 2}),
        ("J", {}),
        ("Q", {}),
        ("K", {"stars": 6, "wanted": 3}),
    ],
)
def test_what_each_stop_of_the_trail_brings(stop, brings):
    """FT-4: the goods of all thirteen stops."""
    s = bare()
    visit(s, f"trail {stop}")
    assert goods(s) == brings


@pytest.mark.parametrize(("stop", "region"), [("3", 4), ("6", 1), ("9", 3), ("Q", 2)])
def test_four_stops_bring_a_bonus_action(stop, region):
    """FT-4: Cemetery, Badlands, Town, Mine."""
    s = bare()
    made = visit(s, f"trail {stop}")
    assert s.bonuses == 1 << region
    assert {option // 16 for option in made.asks[-1].values if option != NO} == {region}


def test_the_value_reaches_every_stop_up_to_it_and_none_behind():
    """FT-4: with a 7 and stop 3 circled, stops 4 to 7."""
    s = bare(circled=["trail 3"])
    assert reached(walk(s, "4h 7c Qd"), 0) == dict.fromkeys(range(4, 8), 0)


def test_a_stop_on_the_way_may_be_taken():
    """FT-4: the rulebook's example: suit 4h, value 7c, stop 3: a star and the Cemetery."""
    s = bare()
    made = walk(s, "4h 7c Qd", ("site", "trail 3"), ("bonus", "cemetery BR"))
    assert goods(s) == {"stars": 1, "wanted": 1}
    assert made.asks[-1].what == "bonus"
    assert reached(walk(s, "4h 2c Qd"), 0) == {}


def test_the_trail_crosses_out_up_to_six_and_gives_the_tool_named():
    """FT-4.1: none is possible too; a pan may be named by whoever has four."""
    s = bare(wanted=8)
    made = visit(s, "trail J", ("cross", 6))
    assert made.offered("cross").keys() == set(range(7))
    assert s.wanted == 2
    s = bare(pans=4)
    visit(s, "trail 2", ("tool", 0))
    assert (s.pans, s.hammers) == (4, 0)
    visit(bare(), "trail 2", ("tool", 1))


def test_the_trail_horse_adds_up_to_six():
    """FT-6 (4), FT-2.9: a 3 reaches stop 9, and every one before it."""
    s = bare(items=items("trail-horse"))
    assert reached(walk(s, "4h 3c Qd"), 0) == dict.fromkeys(range(1, 10), 0)


@pytest.mark.parametrize(
    ("target", "wanted", "stars", "cash"),
    [
        (2, 1, 2, 1),
        (3, 1, 2, 2),
        (4, 1, 2, 3),
        (5, 2, 4, 1),
        (6, 2, 4, 3),
        (7, 2, 4, 5),
        (8, 3, 6, 2),
        (9, 3, 6, 4),
        (10, 3, 6, 7),
        (11, 4, 8, 3),
        (12, 4, 8, 6),
        (13, 4, 8, 10),
    ],
)
def test_a_robbery_pays_by_its_card(target, wanted, stars, cash):
    """FT-5, FT-5.1: WANTED at once; all of it with a card as high, else half the stars."""
    for card, part in ((target, 1), (target - 1, 2)):
        s = bare()
        made = visit(s, f"badlands {'A23456789TJQK'[target - 1]}")
        assert made.pause == target
        assert goods(s) == {"wanted": wanted}
        assert robbed(s, target, card - 1, RULEBOOK, None) == (part == 1)
        assert (s.wanted, s.stars) == (wanted, stars // part)
        assert s.cash == (cash if part == 1 else 0)


def test_an_ace_robs_nothing():
    """FT-5: no target has the value of an ace."""
    assert reached(walk(bare(), "2s Ah 9d"), 1) == {}


def test_the_rulebooks_robbery():
    """FT-5: suit As, value 9d, robbery card 2d: 3 WANTED and 3 stars."""
    s = bare()
    walk(s, "As 9d 4c", ("site", "badlands 9"))
    assert not robbed(s, 9, cards("2d")[0], RULEBOOK, None)
    assert goods(s) == {"wanted": 3, "stars": 3}


@pytest.mark.parametrize(
    ("owned", "guns", "card", "success"),
    [
        ((), "rulebook", "7h", False),
        (("pistol",), "rulebook", "6h", False),
        (("pistol",), "rulebook", "7h", True),
        (("pistol", "rifle"), "rulebook", "4h", False),
        (("pistol", "rifle"), "rulebook", "5h", True),
        (("pistol",), "english", "6h", True),
        (("pistol", "rifle"), "english", "3h", True),
    ],
)
def test_guns_add_to_the_robbery_card(owned, guns, card, success):
    """FT-5: pistol +2, rifle +4 instead; +3 and +6 by the table option."""
    s = bare(items=items(*owned))
    assert robbed(s, 9, cards(card)[0], GUNS[guns], None) is success


def test_the_bandana_takes_one_wanted_off():
    """FT-5: one less per robbery."""
    s = bare(items=items("bandana"))
    visit(s, "badlands K")
    assert s.wanted == 3


@pytest.mark.parametrize(
    ("before", "last", "region"),
    [("23", "4", CEMETERY), ("57", "6", MINE), ("89", "T", TOWN), ("QK", "J", 0)],
)
def test_three_targets_of_a_kind_bring_its_bonus(before, last, region):
    """FT-5: the third one, failed or not."""
    s = bare(circled=[f"badlands {each}" for each in before])
    made = visit(s, f"badlands {last}")
    robbed(s, made.pause, cards("Ah")[0], RULEBOOK, None)
    assert s.pool == [region]


@pytest.mark.parametrize(
    ("room", "source", "brings"),
    [
        ("1a", (), {"hammers": 1, "gold": 1}),
        ("1b", (), {"pans": 1, "gold": 1}),
        ("2a", ("1a",), {"gold": 1}),
        ("2b", ("1b",), {"gold": 1}),
        ("2c", ("1b",), {"gold": 1}),
        ("3a", ("2a",), {"stars": 1, "wanted": 1, "gold": 6}),
        ("3b", ("2a",), {"stars": 2, "wanted": 1, "gold": 4}),
        ("3c", ("2b",), {"stars": 3, "wanted": 1, "gold": 2}),
        ("3d", ("2c",), {"stars": 4, "wanted": 1}),
        ("4a", ("3a",), {"wanted": 1}),
        ("4b", ("3a",), {"wanted": 2}),
        ("4c", ("3b",), {"wanted": 3}),
        ("4d", ("3c",), {"wanted": 2}),
        ("4e", ("3d",), {"wanted": 1}),
    ],
)
def test_what_each_room_of_the_mine_brings(room, source, brings):
    """FT-7: the goods of all fourteen rooms."""
    s = bare(circled=[f"mine {each}" for each in source])
    visit(s, f"mine {room}")
    assert goods(s) == brings
    assert s.mined == brings.get("gold", 0)


EDGES = {
    "": ("1a " * 7 + "1b " * 6).split(),
    "1a": ("2a " * 4 + "2b " * 3 + "- " * 6).split(),
    "1b": ("- " * 7 + "2b " * 3 + "2c " * 3).split(),
    "2a": ("3a " * 3 + "3b " * 2 + "- " * 8).split(),
    "2b": ("- " * 5 + "3b " * 2 + "3c " * 2 + "- " * 4).split(),
    "2c": ("- " * 9 + "3c " * 2 + "3d " * 2).split(),
    "3a": ("4a " * 2 + "4b " * 2 + "- " * 9).split(),
    "3b": ("- " * 4 + "4b " * 2 + "4c " * 2 + "- " * 5).split(),
    "3c": ("- " * 8 + "4c 4c4d 4d " + "- " * 2).split(),
    "3d": ("- " * 10 + "4d 4d4e 4e").split(),
}


@pytest.mark.parametrize("source", EDGES)
def test_every_edge_of_the_mine_has_its_values(source):
    """FT-7: from each room, each value leads to the rooms of the table and no others."""
    for value, rooms in enumerate(EDGES[source], 1):
        s = bare(circled=["mine 1a", "mine 1b", f"mine {source}"] if source else ())
        made = walk(s, f"2d {'A23456789TJQK'[value - 1]}h 9c", ("suit-card", 0))
        found = {NAMES[room] for room in reached(made, MINE)}
        wanted = {rooms[at : at + 2] for at in range(0, len(rooms), 2)} - {"-"}
        from_above = {"1a": EDGES["1a"], "1b": EDGES["1b"]} if source else {}
        above = {rest[value - 1] for rest in from_above.values()} - {"-", source}
        assert found == (wanted | above), value


def test_the_pickaxe_is_worth_exactly_two():
    """FT-6 (5), FT-2.5: from a room that takes A to 3 a 5 leads down, a 4 only by gold."""
    s = bare(circled=["mine 1a", "mine 1b", "mine 2a", "mine 2b"], items=items("pickaxe"))
    assert 5 in reached(walk(s, "2d 5h 9c"), MINE)
    far = bare(circled=["mine 1a", "mine 1b", "mine 2a", "mine 3b"], items=items("pickaxe"))
    assert 5 not in reached(walk(far, "2d 7h 9c"), MINE)
    assert reached(walk(sheet(gold=2, circled=["mine 1a", "mine 1b", "mine 2a"],
                              items=items("pickaxe")), "2d 6h 9c"), MINE)[5] == 1  # fmt: skip


def test_row_four_pays_silver_at_the_end():
    """FT-7: circled stones (the centre too), buildings, rooms, stops and targets."""
    s = bare(
        circled=["cemetery TL", "town 2", "town 3", "trail 2", "trail 5", "trail 6", "badlands 4"]
    )
    for room, stars in (("4a", 2), ("4b", 2), ("4d", 3), ("4e", 1), ("4c", 1)):
        one = s.copy()
        one.circled[MINE] = 1 << at(f"mine {room}") % 16
        assert silver(one) == stars, room


@pytest.mark.parametrize(
    ("stones", "brings"),
    [
        ("TL TC", {}),
        ("TC TR", {"stars": 2}),
        ("ML MC", {"cash": 4}),
        ("MC MR", {"gold": 2}),
        ("BL BC", {"stars": 2}),
        ("BC BR", {}),
        ("TL ML", {"gold": 4, "cash": 4}),
        ("TC MC", {"hammers": 1}),
        ("TR MR", {"gold": 2}),
        ("ML BL", {"cash": 4}),
        ("MC BC", {"pans": 1}),
        ("MR BR", {"cash": 8, "gold": 2}),
    ],
)
def test_neighbouring_stones_pay_what_lies_between(stones, brings):
    """FT-8: each pair once, when both are circled; every visit costs 1 WANTED."""
    first, second = stones.split()
    s = bare(items=items("undertaker"))
    for stone in (first, second):
        if stone != "MC":
            visit(s, f"cemetery {stone}")
    whole = dict(brings)
    for stone in (first, second):
        extra = {"TC": ("hammers", 1), "ML": ("cash", 4), "MR": ("gold", 2), "BC": ("pans", 1)}
        if stone in extra:
            whole.setdefault(*extra[stone])
    assert goods(s) == whole


@pytest.mark.parametrize(
    ("stones", "region"), [("TL TC", 1), ("BC BR", 3), ("TR MR", 0), ("ML BL", 2)]
)
def test_four_pairs_of_stones_bring_a_bonus_action(stones, region):
    """FT-8: Badlands, Town, Trail, Mine."""
    first, second = stones.split()
    s = bare(circled=[f"cemetery {first}"])
    visit(s, f"cemetery {second}")
    assert s.bonuses == 1 << region


def test_the_rulebooks_stones():
    """FT-8: bottom right gives a Town bonus and 1 WANTED; then middle right 2 gold and $8."""
    s = bare(circled=["cemetery BC"])
    visit(s, "cemetery BR")
    assert (goods(s), s.bonuses) == ({"wanted": 1}, 1 << TOWN)
    visit(s, "cemetery MR")
    assert goods(s) == {"wanted": 2, "gold": 2, "cash": 8}
