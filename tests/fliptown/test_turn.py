"""One seat's turn: cards, changes, sites, buildings, bonus actions, abilities."""

from __future__ import annotations

import pytest

from lanplay.engine.question import Illegal
from lanplay.games.fliptown.asks import ABILITY, BAIL, LOOK, NO, PLAN
from lanplay.games.fliptown.ending import silver
from lanplay.games.fliptown.map import CEMETERY, GUNS, ITEMS, MINE, TOWN
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.turn import BY_JOKER, BY_PANS, JOKER, Turn, follow
from lanplay.games.fliptown.visits import robbed
from tests.fliptown.script import at, cards, go_on, sheet, visit, walk

GOODS = ("cash", "gold", "stars", "wanted", "pans", "hammers")
RULEBOOK = GUNS["rulebook"]


def goods(s):
    """Return what a sheet has, zeros left out."""
    return {name: getattr(s, name) for name in GOODS if getattr(s, name)}


def bare(**values):
    """Return a sheet without money."""
    return sheet(**{"cash": 0, "gold": 0, **values})


def item(name):
    return ITEMS.index(name)


def items(*names):
    return sum(1 << item(name) for name in names)


def reached(made, region):
    """Return the places of a region that the plan offered, with their prices."""
    found = made.offered("site").items()
    return {option % 16: price for option, price in found if option // 16 == region != NO}


def test_a_seat_starts_with_four_dollars_two_gold_and_the_centre_stone():
    """FT-1.2: $4, 2 gold, the centre tombstone circled."""
    s = sheet()
    assert goods(s) == {"cash": 4, "gold": 2}
    assert s.circled == [0, 0, 0, 0, 1 << 4]


def test_tools_stop_at_four_and_counters_do_not():
    """FT-1.3: more pans and hammers than four bring nothing; gold and the like have no limit."""
    s = bare(pans=3, hammers=4, gold=100)
    s.gain("pans", 2)
    s.gain("hammers", 1)
    s.gain("gold", 100)
    assert (s.pans, s.hammers, s.gold) == (4, 4, 200)


@pytest.mark.parametrize(
    ("flipped", "site"),
    [
        ("2h 5s 9d", "trail 5"),
        ("2s 5h 9d", "badlands 5"),
        ("2d 5h 9c", "mine 1a"),
        ("2c 5h 9d", "town 5"),
        ("2c 5h 9d", "cemetery BR"),
    ],
)
def test_the_suit_card_names_the_region_and_the_value_card_the_place(flipped, site):
    """FT-2.3: heart Trail, spade Badlands, diamond Mine, club Town; or the Cemetery."""
    s = sheet()
    walk(s, flipped, ("site", site))
    region, place = divmod(at(site), 16)
    assert s.circled[region] >> place & 1
    assert s.poker == cards(flipped)[2:]


def test_any_card_may_have_any_part():
    """FT-2.2: suit, value and poker card are the seat's choice among the three."""
    s = sheet()
    walk(s, "9d 2h 5s", ("suit-card", 1), ("value-card", 2), ("site", "trail 5"))
    assert s.cash == 4 + 12
    assert s.poker == cards("9d")


def test_a_circled_place_cannot_be_visited_again_but_buildings_can():
    """FT-2.4: target 5 and room 1a are gone, the Store is not."""
    s = bare(circled=["badlands 5", "mine 1a", "town 5"])
    assert reached(walk(s, "2s 5h 9d"), 1) == {}
    assert 0 not in reached(walk(s, "2d 5h 9c"), MINE)
    assert reached(walk(s, "2c 5h 9d"), TOWN) == {5: 0}


def test_a_seat_may_forgo_its_action():
    """FT-2.4: nothing happens but the poker card."""
    s = sheet()
    walk(s, "2c 5h 9d", ("site", NO))
    assert goods(s) == {"cash": 4, "gold": 2}
    assert s.poker == cards("9d")


def test_two_gold_make_the_suit_card_any_suit():
    """FT-2.5: the region changes with it, for 2 gold; with less it cannot."""
    s = sheet()
    made = walk(s, "2c 5h 9d", ("suit", 0), ("site", "trail 5"))
    assert made.offered("suit") == {3: 0, 0: 2, 1: 2, 2: 2}
    assert goods(s) == {"cash": 16}
    assert not [ask for ask in walk(sheet(gold=1), "2c 5h 9d").asks if ask.what == "suit"]


def test_one_gold_moves_the_value_card_by_one():
    """FT-2.5: a 9 becomes a 6 or a queen for 3 gold, nothing farther."""
    made = walk(sheet(gold=3), "2c 9h 5d")
    assert reached(made, TOWN) == {6: 3, 7: 2, 8: 1, 9: 0, 10: 1, 11: 2, 12: 3}
    s = sheet(gold=3)
    walk(s, "2c 9h 5d", ("site", "town 6"))
    assert s.gold == 0


def test_there_is_no_way_around_the_corner():
    """FT-2.5, FT-1.4: an ace is 1 and far from the king."""
    assert reached(walk(sheet(gold=2), "2c Ah 5d"), TOWN) == {1: 0, 2: 1, 3: 2}
    assert reached(walk(sheet(gold=2), "2c Kh 5d"), TOWN) == {11: 2, 12: 1, 13: 0}


def test_a_suit_may_be_changed_for_a_visit_to_the_cemetery():
    """FT-2.9: it costs the same and counts."""
    s = sheet()
    walk(s, "2c 9h 5d", ("suit", 1), ("site", "cemetery TL"))
    assert (s.counted, s.wanted) == (1, 1)
    assert s.gold == 0


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
    assert {option // 16 for option in made.asks[-1].options if option != NO} == {region}


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
    from lanplay.games.fliptown.map import NAMES

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


def test_the_undertaker_and_the_shovel():
    """FT-6 (A), FT-6.1: first no WANTED for stones, then a star each; a third visit is in vain."""
    s = bare()
    made = visit(s, "town A")
    assert made.asks[1].what == "bonus"
    assert made.asks[1].options[1] // 16 == MINE
    visit(s, "cemetery TL")
    assert goods(s) == {}
    made = visit(s, "town A")
    assert len(made.asks) == 1
    visit(s, "cemetery BR")
    assert goods(s) == {"stars": 1}
    assert len(visit(s, "town A").asks) == 1


@pytest.mark.parametrize(
    ("building", "region"),
    [("A", 2), ("4", 4), ("5", 0), ("7", 1), ("8", 4), ("9", 0), ("J", 2), ("K", 1)],
)
def test_gables_with_a_bonus(building, region):
    """FT-6: eight gables bring a bonus action on the first visit only."""
    s = bare()
    visit(s, f"town {building}")
    assert (s.bonuses, s.stars) == (1 << region, 0)
    s.bonuses = 0
    visit(s, f"town {building}")
    assert s.bonuses == 0


@pytest.mark.parametrize("building", "236TQ")
def test_gables_with_a_star(building):
    """FT-6: five gables bring a star on the first visit only, used and paid or not."""
    s = bare()
    visit(s, f"town {building}")
    visit(s, f"town {building}")
    assert goods(s) == {"stars": 1}


def test_gable_or_effect_first_as_the_seat_likes():
    """FT-6, FT-2.10: at the Hotel without money, chickens first pay for the night."""
    s = bare()
    made = visit(s, "town 7", ("bonus", "badlands 3"))
    robbed(s, made.pause, cards("Kh")[0], RULEBOOK, None)
    go_on(s, Turn(cards("2h 3s 4d"), 1, RULEBOOK), ("hotel", 1))
    assert (s.hotel, s.cash, silver(s)) == (1, 0, 2)
    rich = bare()
    rich.cash = 2
    made = visit(rich, "town 7", ("next", 16 + 7), ("hotel", 1), ("bonus", "badlands 2"))
    assert made.pause == 2
    assert rich.hotel == 1


def test_four_nights_in_the_hotel_and_no_fifth():
    """FT-6 (7): $2 a night; 2, 7, 14, 23 silver stars, of which only the last counts."""
    s = bare(circled=["town 7"])
    s.cash = 20
    for stars in (2, 7, 14, 23):
        visit(s, "town 7", ("hotel", 1))
        assert silver(s) == stars
    assert len(visit(s, "town 7").asks) == 1
    assert s.cash == 12


@pytest.mark.parametrize(
    ("building", "ware", "price", "brings"),
    [
        ("2", "red-bet", 4, {}),
        ("2", "black-bet", 4, {}),
        ("4", "work-horse", 3, {"hammers": 1, "stars": 1}),
        ("4", "trail-horse", 4, {}),
        ("5", "store-pan", 3, {"pans": 1, "stars": 1}),
        ("5", "pickaxe", 2, {"stars": 1}),
        ("5", "bandana", 1, {}),
        ("9", "pistol", 3, {}),
        ("T", "hunt-jack", 0, {}),
        ("T", "hunt-queen", 0, {}),
        ("T", "hunt-king", 0, {}),
    ],
)
def test_what_is_bought_once_for_its_price(building, ware, price, brings):
    """FT-6: each ware, its price and what it brings; not for less, not twice, one per visit."""
    name = f"town {building}"
    s = bare(circled=[name])
    s.cash = price
    made = visit(s, name, ("buy", item(ware)))
    assert made.offered("buy")[item(ware)] == price
    assert [ask.what for ask in made.asks].count("buy") == 1
    assert goods(s) == brings
    assert s.items == items(ware)
    s.cash = 99
    assert item(ware) not in visit(s, name).offered("buy")
    if price:
        poor = bare(circled=[name])
        poor.cash = price - 1
        offers = [ask for ask in visit(poor, name).asks if ask.what == "buy"]
        assert all(item(ware) not in ask.options for ask in offers)


def test_the_rifle_follows_the_pistol():
    """FT-6 (9): $4, on a later visit, with the pistol."""
    s = bare(circled=["town 9"])
    s.cash = 10
    assert list(visit(s, "town 9").offered("buy")) == [NO, item("pistol")]
    visit(s, "town 9", ("buy", item("pistol")))
    visit(s, "town 9", ("buy", item("rifle")))
    assert s.cash == 3


def test_the_rulebooks_store():
    """FT-6: suit 7c, value 5s: a bandana for $1 and a Trail bonus, the first time only."""
    s = sheet()
    made = walk(s, "7c 5s 9d", ("site", "town 5"), ("next", 16 + 5), ("buy", item("bandana")))
    assert (s.cash, s.items, s.bonuses) == (3, items("bandana"), 1)
    assert made.asks[-1].what == "bonus"


def test_amounts_in_town():
    """FT-6 (3, 6, Q, K): Hideout up to 4, Church $1 each up to 8, Saloon $2 a star, Club 1 gold."""
    s = sheet(cash=30, gold=20, wanted=20, circled=["town 3", "town 6", "town Q", "town K"])
    assert max(visit(s, "town 3", ("hideout", 4)).offered("hideout")) == 4
    assert max(visit(s, "town 6", ("church", 8)).offered("church")) == 8
    assert (s.wanted, s.cash) == (8, 22)
    assert max(visit(s, "town Q", ("saloon", 8)).offered("saloon")) == 8
    assert (s.stars, s.cash) == (8, 6)
    assert max(visit(s, "town K", ("club", 8)).offered("club")) == 8
    assert (s.stars, s.gold) == (16, 12)
    assert max(visit(s, "town Q").offered("saloon")) == 3


def test_the_land_office_sells_shapes_on_free_squares():
    """FT-6 (8): $4, $6, $8; the stars of the squares; 7 more for all nine."""
    s = bare(circled=["town 8"])
    s.cash = 18
    offers = visit(s, "town 8").offered("land")
    by_price = [list(offers.values()).count(price) for price in (4, 6, 8)]
    assert by_price == [12, 6, 16]
    visit(s, "town 8", ("land", 0b000000111))
    assert goods(s) == {"cash": 12, "stars": 5}
    made = visit(s, "town 8", ("land", 0b000111000))
    assert all(not mask & 0b111 for mask in made.offered("land") if mask != NO)
    visit(s, "town 8", ("land", 0b111000000))
    assert goods(s) == {"stars": 5 + 4 + 5 + 7}
    assert len(visit(s, "town 8").asks) == 1


def test_the_look_ends_a_step_and_then_a_star_or_two_wanted():
    """FT-6 (J), FT-6.2, FT-2.7: the seat chooses after it has seen; or it does not look."""
    turn = Turn(cards("2h 3s 4d"), 1, RULEBOOK)
    for wanted, pick, left in ((3, 1, (1, 0)), (1, 1, (0, 0)), (3, 0, (3, 1))):
        s = bare(circled=["town J"], wanted=wanted)
        assert visit(s, "town J", ("look", 1)).pause == LOOK
        go_on(s, turn, ("office", pick))
        assert (s.wanted, s.stars) == left
    s = bare(circled=["town J"])
    visit(s, "town J", ("look", 1))
    assert go_on(s, turn).asks == []
    assert s.stars == 1
    s = bare(circled=["town J"], wanted=3)
    visit(s, "town J", ("look", NO))
    assert (s.wanted, s.stars) == (3, 0)


def test_hunted_ranks_are_paid_before_the_plan_at_choice():
    """FT-2.6, FT-6 (10), FT-6.2: $4, 2 gold or 2 WANTED; the gold can be used at once."""
    s = bare(wanted=1)
    picks = [("bail", 0), ("bail", 1), ("bail", 2)]
    made = walk(s, "Jh Jd 4c", *picks, ("suit", 1), pool=(BAIL, BAIL, BAIL, PLAN))
    assert (s.cash, s.gold, s.wanted) == (4, 0, 0)
    assert made.asks[3].what == "suit-card"
    made = walk(bare(), "Jh Jd 4c", pool=(BAIL, PLAN))
    assert made.asks[0].options == (0, 1)


def test_bonus_actions_are_open_chain_and_come_in_any_order():
    """FT-8.1, FT-2.10: any value; what comes of them joins those that wait."""
    s = bare(circled=["cemetery TL", "cemetery BL"])
    made = visit(
        s,
        "trail 3",
        ("bonus", "cemetery ML"),
        ("bonus", "mine 1b"),
    )
    assert goods(s) == {"stars": 1, "wanted": 1, "cash": 4, "gold": 5, "pans": 1}
    assert s.bonuses == 1 << CEMETERY | 1 << MINE
    assert made.pause is None
    both = bare(circled=["cemetery TL", "cemetery TR", "cemetery BL"])
    both.pool = []
    made = walk(both, "2h 3s 4d", ("next", 3), ("bonus", "town Q"), pool=(1, 3))
    assert made.asks[0].options == (1, 3)


def test_a_declined_bonus_lapses_but_was_gained():
    """FT-8.1: nothing happens; bounty 12 counts it."""
    s = bare()
    visit(s, "trail 9", ("bonus", NO))
    assert s.bonuses == 1 << TOWN
    assert s.pool == []


def test_an_impossible_bonus_is_not_offered():
    """FT-8.2: at the end of the Trail there is no stop left."""
    s = bare(circled=["trail K"])
    assert len(visit(s, "town 5").asks) == 1
    assert s.bonuses == 1


def test_a_bonus_in_the_mine_needs_an_edge():
    """FT-8.1, FT-7: any value, but only rooms below circled ones."""
    s = bare(circled=["mine 1a"])
    made = visit(s, "mine 2b")
    assert set(made.offered("bonus")) == {NO, *map(at, ("mine 1b", "mine 2a", "mine 2b"))}


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
    assert reached(made, TOWN) == {1: 1, 2: 0, 3: 1, 4: 1, 5: 0, 6: 1, 7: 1, 8: 0, 9: 1}
    assert (s.gold, s.uses) == (1, 0)
    s = sheet("prospector", pans=1, gold=3)
    made = walk(s, "2c 5h 9d", ("site", "town 7"), ("way", BY_PANS))
    assert made.offered("way") == {0: 2, BY_PANS: 1}
    assert (s.gold, s.uses) == (2, 0)


def test_a_joker_stands_for_a_suit_or_a_value():
    """FT-9.2, FT-9.8: two of them, for nothing."""
    s = sheet("wild-card")
    walk(s, "2c 5h 9d", ("suit", JOKER), ("site", "trail K"))
    assert (s.uses, s.counted, s.stars) == (0, 0, 6)
    s = sheet("wild-card", gold=9)
    made = walk(s, "2c 5h 9d", ("suit", 3), ("site", "town K"), ("way", BY_JOKER))
    assert made.offered("way") == {0: 8, BY_JOKER: 0}
    assert (s.uses, s.gold) == (1, 9)


def test_an_answer_is_exactly_the_options_of_the_turn():
    """FT-2.7: too few, too many and impossible options are refused, and change nothing."""
    turn = Turn(cards("2c 5h 9d"), 1, RULEBOOK)
    s = sheet()
    s.pool = [PLAN]
    good = walk(s.copy(), "2c 5h 9d", ("site", "town 5")).answer
    before = s.plain()
    for wrong in (good[:-1], (*good, 0), (7, *good[1:]), None, [1], (None,), (True,)):
        with pytest.raises(Illegal):
            follow(s.copy(), turn, wrong)
    follow(s.copy(), turn, good)
    assert s.plain() == before
    assert isinstance(s, Sheet)
