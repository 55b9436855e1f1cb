"""The Town: gables, wares and what the buildings do."""

from __future__ import annotations

import pytest

from lanplay.games.fliptown.asks import Turn
from lanplay.games.fliptown.codes import BAIL, LOOK, NO, PLAN
from lanplay.games.fliptown.ending import silver
from lanplay.games.fliptown.map import MINE
from lanplay.games.fliptown.visits import robbed
from tests.fliptown.script import (
    RULEBOOK,
    bare,
    cards,
    go_on,
    goods,
    item,
    items,
    sheet,
    visit,
    walk,
)


def test_the_undertaker_and_the_shovel():
    """FT-6 (A), FT-6.1: first no WANTED for stones, then a star each; a third visit is in vain."""
    s = bare()
    made = visit(s, "town A")
    assert made.asks[1].what == "bonus"
    assert made.asks[1].values[1] // 16 == MINE
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
        assert all(item(ware) not in ask.values for ask in offers)


def test_the_rifle_follows_the_pistol():
    """FT-6 (9): $4, on a later visit, with the pistol."""
    s = bare(circled=["town 9"])
    s.cash = 10
    assert list(visit(s, "town 9").offered("buy")) == [item("pistol"), NO]
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
    assert made.asks[0].values == (0, 1)
