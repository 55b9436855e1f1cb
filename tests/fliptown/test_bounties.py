"""The twelve bounties."""

from __future__ import annotations

import pytest

from lanplay.games.fliptown import bounties, rules
from tests.fliptown.script import at, circle, new_table, own, run, sheet, stack


def met(number, s):
    return bounties.MET[number - 1](s)


BOUNTIES = {
    1: [f"{r} {p}" for r in ("trail", "badlands", "town") for p in "2345"]
    + [f"mine {room}" for room in ("1a", "1b", "2a", "2b")],
    2: ["trail 3", "trail 6", "trail 9", "trail Q"],
    4: ["town 2", "town 3", "town 6", "town T", "town Q"],
    6: ["badlands 2", "badlands 7", "badlands 8", "badlands K"],
    7: [f"cemetery {stone}" for stone in ("TL", "TC", "TR", "BL", "BR")],
}


@pytest.mark.parametrize("number", BOUNTIES)
def test_bounties_for_sites(number):
    """FT-9.1: 1, 2, 4, 6 and 7 need every one of these sites."""
    s = sheet(circled=BOUNTIES[number])
    assert met(number, s)
    for name in BOUNTIES[number]:
        region, place = divmod(at(name), 16)
        less = s.copy()
        less.circled[region] &= ~(1 << place)
        assert not met(number, less), name


def test_bounties_for_tools_gold_and_outlaws():
    """FT-9.1: 3 five pans and hammers, 5 nine gold of the Mine, 8 Trail K or two outlaws."""
    assert met(3, sheet(pans=4, hammers=1))
    assert not met(3, sheet(pans=4))
    assert met(5, sheet(mined=9))
    assert not met(5, sheet(mined=8))
    assert met(8, sheet(circled=["trail K"]))
    s = sheet(circled=["trail Q"])
    own(s, "hunt-jack")
    assert not met(8, s)
    own(s, "hunt-king")
    assert met(8, s)


def test_bounties_for_what_is_owned_and_bonus_actions():
    """FT-9.1, FT-9.7: 10 four of seven, 12 a bonus action of each region."""
    s = sheet(pans=1, hammers=3)
    own(s, "bandana", "work-horse", "rifle", "shovel")
    assert not met(10, s)
    for name in ("trail-horse", "undertaker", "pickaxe", "pistol"):
        more = s.copy()
        own(more, name)
        assert met(10, more), name
    assert met(12, sheet(bonuses=31))
    assert not met(12, sheet(bonuses=30))


@pytest.mark.parametrize(
    ("number", "kind", "enough"), [(9, "wanted", 9), (11, "cash", 30), (11, "gold", 15)]
)
def test_bounties_for_sums_held_for_a_moment(number, kind, enough):
    """FT-9.1: checked after every gain, whatever is spent then."""
    s = sheet(cash=0, gold=0)
    s.gain(kind, enough - 1)
    assert not met(number, s)
    s.gain(kind, 1)
    setattr(s, kind, 0)
    assert met(number, s)


def test_seven_for_the_first_in_the_same_turn_four_for_later_ones():
    """FT-9.1, FT-9.7: once per seat."""
    t = new_table(3)
    t.bounties = (2, 4, 0)
    t.sheets[0].pans = t.sheets[2].pans = 4
    t.sheets[0].hammers = t.sheets[2].hammers = 1
    bounties.settle(t)
    assert [s.stars for s in t.sheets] == [7, 0, 7]
    t.sheets[1].pans, t.sheets[1].hammers = 4, 2
    bounties.settle(t)
    bounties.settle(t)
    assert [s.stars for s in t.sheets] == [7, 4, 7]


def test_each_phase_after_the_turns_is_a_turn_of_its_own():
    """FT-9.1: $30 by poker in phase 4 comes before $30 by work in phase 5."""
    t = new_table(2)
    t.bounties = (10, 3, 4)
    t.sheets[0].cash, t.sheets[1].cash, t.sheets[1].hammers = 25, 25, 4
    circle(t.sheets[0], "trail K")
    stack(t, "2h 2c 3d Ts 4c 5c Js 6c 7d Qs 8c 9h Ks Tc Jd As")
    turns = {1: [("suit-card", 2), ("value-card", 0)] * 5}
    run(t, rules.one_round(t), turns=turns)
    assert t.sheets[0].ranks == (9,)
    assert t.sheets[1].ranks == (0,)
    assert [s.stars for s in t.sheets] == [9 + 7, 4]
