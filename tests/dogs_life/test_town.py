"""The town: what it has, how it hangs together, where the van can go."""

from __future__ import annotations

from importlib.resources import files
from itertools import pairwise

import pytest

import lanplay.games.dogs_life
from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP, neighbours
from lanplay.games.dogs_life.table import BIN_MARKERS
from lanplay.games.dogs_life.town import NOWHERE, TOWN, Town
from tests.dogs_life.script import at
from tests.dogs_life.town_facts import MEASURES, faults, uneven

TEXT = files(lanplay.games.dogs_life).joinpath("town.toml").read_text("utf-8")


def test_the_town_is_as_it_should_be():
    """DL-1.4, DL-1.6: counts, entrances, ways, distances from the dens."""
    assert list(faults(TOWN)) == []


def test_the_town_has_what_the_page_says():
    """DL-1.4: spaces, buildings and features."""
    assert len(TOWN.spaces) == 96
    assert len(TOWN.building) + len(TOWN.houses) == 37
    assert (len(TOWN.bins), len(TOWN.lamps), len(TOWN.fountains)) == (20, 15, 8)
    assert len(TOWN.bins) > BIN_MARKERS
    doors = {place: len(building.doors) for place, building in TOWN.building.items()}
    assert [doors[place] for place in TOWN.dens] == [1] * 6
    assert sorted(doors[place] for place in TOWN.addresses) == [1] * 6 + [2] + [3] * 5
    assert sorted(doors[place] for place in TOWN.restaurants) == [1] * 6 + [2] * 5
    assert (doors[TOWN.kiosk], doors[TOWN.pound]) == (4, 1)


def test_the_whole_town_fits_on_a_screen():
    """DL-1.4: at most 60 columns, two for half a cell, and 22 lines."""
    cells = [cell for place in range(TOWN.size) for cell in TOWN.cells(place)]
    cells += [cell for house in TOWN.houses for cell in house.cells]
    assert len(cells) == len(set(cells))
    assert 2 * (max(x for x, _ in cells) + 2) <= 60
    assert max(y for _, y in cells) < 22


def test_spaces_with_a_common_side_are_neighbours():
    """DL-1.4, DL-3.2 a: both ways, in the order of the sides."""
    for place in TOWN.streets:
        around = neighbours(TOWN.spaces[place].cell)
        for side, other in enumerate(TOWN.sides[place]):
            if other == NOWHERE:
                assert around[side] not in [space.cell for space in TOWN.spaces]
            else:
                assert TOWN.spaces[other].cell == around[side]
                assert TOWN.sides[other][(side + 3) % 6] == place


def test_a_building_is_entered_where_its_entrances_are():
    """DL-1.4, DL-3.2 a: from the spaces that name it, and left to them."""
    bank = at("1")
    assert set(TOWN.walk[0][bank]) == {at("J11"), at("K12")}
    for place in TOWN.streets:
        assert (bank in TOWN.walk[0][place]) == (TOWN.spaces[place].door == "1")


def test_nobody_goes_into_the_pound_or_another_den():
    """DL-3.2 a: of one's own will; whoever is in the pound can leave it."""
    for den, walk in enumerate(TOWN.walk):
        goals = {goal for around in walk for goal in around}
        assert TOWN.pound not in goals
        assert goals & set(TOWN.dens) == {TOWN.dens[den]}
        assert walk[TOWN.pound] == (at("I9"),)


def test_dens_and_pound_are_beside_nothing():
    """DL-3.2 k, DL-3.3, DL-3.8: no attack and no van reaches a dog there."""
    for place, around in enumerate(TOWN.beside):
        assert not {*TOWN.dens, TOWN.pound} & set(around)
        assert all(place in TOWN.beside[other] for other in around)
    assert all(TOWN.beside[den] == () for den in (*TOWN.dens, TOWN.pound))
    assert set(TOWN.beside[TOWN.kiosk]) == set(TOWN.building[TOWN.kiosk].doors)


def test_the_kiosk_is_a_short_cut():
    """DL-1.4: through the middle of the town it is nearer than round about."""
    there, back = at("H6"), at("H10")
    assert TOWN.distances(0, there)[back] == 2
    sides = [[other for other in around if other != NOWHERE] for around in TOWN.sides]
    far = {there: 0}
    for here in far_first(sides, far):
        assert far[here] >= 0
    assert far[back] > 2


def far_first(sides, far):
    edge = list(far)
    for here in edge:
        yield here
        for other in sides[here]:
            if other not in far:
                far[other] = far[here] + 1
                edge.append(other)


def test_no_den_is_better_placed():
    """DL-1.6: within 15 % of the mean by every measure; a narrower bound finds differences."""
    assert uneven(TOWN) == {}
    assert "home from the pound" in uneven(TOWN, 0.05)
    assert set(uneven(TOWN, 0.0)) <= set(MEASURES)


def changed(*changes):
    """Return the text of the town with parts of its data replaced, each once."""
    head, text = TEXT.split("van =", 1)
    text = "van =" + text
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return head + text


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ([("ug", ".g")], "19 bins"),
        ([("iK", ".K"), ("iK", ".K")], "13 lamp posts"),
        ([("o6", ".6"), ("o8", ".8")], "6 fountains"),
        ([(".D  #9", ".   #9")], "no entrance"),
        ([(".P", ". ")], "pound"),
        ([("iK", "i ")] * 2, "few entrances"),
        (
            [("      .   i   .4", "              .4"), ("      .   u   .2", "          u   .2")],
            "no way",
        ),
        ([("J11", "A9"), ("I11", "B9")], "not beside the pound"),
        ([("I11", "A9")], "neighbouring"),
        ([("ui  .e", "u   .e")], "no entrance"),
        ([(".E  .   ui", ".E  o   ui")], "fountain"),
    ],
)
def test_a_town_with_a_fault_is_found_out(changes, why):
    """DL-1.4: too few things, buildings without entrances, no way, a van that is elsewhere."""
    found = list(faults(Town(changed(*changes))))
    assert any(why in each for each in found), found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('van = "J11"', 'van = "Z1"'),
        ('van = "J11"', "van = 3"),
        ("came", "gone"),
        ("u12 ", "x11 "),
        ("              #E ", "               #E"),
        ("ui  .e", "u8  .e"),
        ("#X", "#K"),
        ("#Y", "#Q"),
        ("            #E", "          #E  "),
    ],
)
def test_what_is_no_plan_is_refused(old, new):
    """DL-1.4: unknown signs and names, cells askew, entrances without a side, parts apart."""
    with pytest.raises(ValueError, match=r"\w"):
        Town(changed((old, new)))


@pytest.mark.parametrize("place", TOWN.streets, ids=lambda place: TOWN.key(place))
def test_the_van_turns_by_one_side_at_most(place):
    """DL-3.9: on every space, by whichever side it came in."""
    sides = TOWN.sides[place]
    entries = [side for side, other in enumerate(sides) if other != NOWHERE]
    assert entries
    for side in entries:
        straight = {sides[(side + turn) % 6] for turn in (2, 3, 4)} - {NOWHERE}
        ways = TOWN.ways[place, sides[side]]
        assert set(ways) == (straight or {sides[side]})
        assert len(ways) == len(set(ways)) > 0
        assert all(way in TOWN.streets for way in ways)


def test_the_van_turns_round_at_a_dead_end_only():
    """DL-3.9: where no street lies straight ahead or one side off, it goes back."""
    turned = {key for key, ways in TOWN.ways.items() if key[1] in ways}
    assert turned
    for place, came in turned:
        side = TOWN.sides[place].index(came)
        assert all(TOWN.sides[place][(side + turn) % 6] == NOWHERE for turn in (2, 3, 4))


@pytest.mark.parametrize("most", range(1, 7))
def test_drives_are_legal_and_reach_every_end(most):
    """DL-3.3, DL-3.9: what is offered is what stepping along the table reaches."""
    for (place, came), ways in sorted(TOWN.ways.items())[::7]:
        drives = TOWN.drives(place, came, most)
        assert all(TOWN.is_drive(place, came, path) for path in drives)
        assert all(1 <= len(path) <= most for path in drives)
        ends = {(place, came)}
        reached = set()
        for _ in range(most):
            ends = {(there, here) for here, before in ends for there in TOWN.ways[here, before]}
            reached |= ends
        found = [tuple((came, place, *path)[-1:-3:-1]) for path in drives]
        assert len(found) == len(set(found))
        assert set(found) == reached
        assert [path for path in drives if len(path) == 1] == [(way,) for way in ways]


def test_a_drive_follows_the_streets():
    """DL-3.3: no leaps, no reversing where the way goes on."""
    path = TOWN.drives(TOWN.van, TOWN.came, 6)[-1]
    for here, there in pairwise((TOWN.van, *path)):
        assert there in TOWN.sides[here]
    assert not TOWN.is_drive(TOWN.van, TOWN.came, (TOWN.came,))
    assert not TOWN.is_drive(TOWN.van, TOWN.came, (path[0], 10_000))


def test_places_have_names():
    """DL-1.4: every place has a name or key of its own."""
    keys = [TOWN.key(place) for place in range(TOWN.size)]
    assert len(set(keys)) == TOWN.size
    assert [at(key) for key in keys] == list(range(TOWN.size))
    kinds = {TOWN.feature[at(key)] for key in ("A9", "B10", "D6")}
    assert kinds == {BIN, LAMP, FOUNTAIN}
