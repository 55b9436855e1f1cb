"""Who sits where."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from lanplay.errors import UserError
from lanplay.tournament.plan import make_plan
from lanplay.tournament.schedule import (
    circles,
    deal_size,
    deals_for,
    line_ups,
    neighbours,
    orbits,
    tables,
)


def plan_of(entrants, seats, **more):
    return make_plan("dice-town", ["random"] * entrants, seats=seats, **more)


def test_a_deal_is_the_rotations_of_a_line_up():
    """In a deal everybody sits once in every seat, and left neighbours stay the same."""
    games = line_ups(plan_of(4, 4), 0)
    assert len(games) == 4
    for seat in range(4):
        assert {game[seat] for game in games} == {0, 1, 2, 3}
    assert len({frozenset(neighbours(game)) for game in games}) == 1


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_neighbours_are_balanced_over_deals(seats):
    """Around the circles of a table each ordered pair sits side by side equally often."""
    met = Counter(pair for circle in circles(seats) for pair in neighbours(circle))
    assert len(met) == seats * (seats - 1)
    assert len(set(met.values())) == 1


@pytest.mark.parametrize(("entrants", "seats"), [(5, 4), (6, 3), (7, 5), (8, 5)])
def test_a_round_robin_has_every_table_once(entrants, seats):
    """All sets of entrants come once before any comes again."""
    plan = plan_of(entrants, seats)
    count = comb(entrants, seats)
    met = [frozenset(line_ups(plan, deal)[0]) for deal in range(2 * count)]
    assert len(set(met[:count])) == count
    assert met[:count] == met[count:]


@pytest.mark.parametrize(("entrants", "seats"), [(5, 4), (8, 5), (9, 3)])
def test_a_part_of_a_round_robin_is_fair(entrants, seats):
    """At any moment no entrant has been at many more tables than another, and soon none."""
    played = Counter(dict.fromkeys(range(entrants), 0))
    gaps = []
    for table in orbits(entrants, seats):
        played.update(table)
        gaps.append(max(played.values()) - min(played.values()))
    assert max(gaps) <= seats
    assert gaps[entrants - 1] == gaps[-1] == 0


def test_a_gauntlet_is_the_tables_of_the_first_entrant():
    """The first entrant sits at every table; the others meet it equally often."""
    met = tables(plan_of(6, 4, schedule="gauntlet"))
    assert all(0 in table for table in met)
    assert len(met) == comb(5, 3) == len(set(map(frozenset, met)))


def test_in_a_field_all_candidates_have_the_same_luck():
    """One deal has every candidate in every seat, the last entrant in all other seats."""
    plan = plan_of(3, 4, schedule="field")
    games = line_ups(plan, 5)
    assert len(games) == deal_size(plan) == 8
    for candidate in (0, 1):
        mine = [game for game in games if candidate in game]
        assert {game.index(candidate) for game in mine} == {0, 1, 2, 3}
        assert all(sorted(game)[1:] == [2, 2, 2] for game in mine)


def test_all_orders():
    """With all orders a deal has every order of its table once."""
    games = line_ups(plan_of(3, 3, orders="all"), 0)
    assert len(games) == len(set(games)) == 6


def test_single_games_go_round():
    """Without duplicate deals the line-up still moves on by a seat from deal to deal."""
    plan = plan_of(4, 4, orders="single")
    games = [line_ups(plan, deal) for deal in range(8)]
    assert all(len(deal) == 1 for deal in games)
    for seat in range(4):
        assert Counter(deal[0][seat] for deal in games) == {0: 2, 1: 2, 2: 2, 3: 2}


def test_games_are_rounded_up_to_whole_deals():
    """So many deals as it takes."""
    plan = plan_of(4, 4)
    assert [deals_for(plan, games) for games in (1, 4, 5, 1000)] == [1, 1, 2, 250]


@pytest.mark.parametrize(
    ("entrants", "more", "hint"),
    [
        (1, {}, "two entrants"),
        (3, {"seats": 4}, "cannot fill 4 seats"),
        (3, {"seats": 9}, "2 to 5"),
        (30, {"seats": 5}, "gauntlet"),
        (3, {"seats": 3, "seed": -1}, "from 0"),
        (3, {"seats": 3, "options": {"brute": "no"}}, "one_extra"),
    ],
)
def test_what_cannot_be_is_told(entrants, more, hint):
    """A tournament that cannot be is refused with what would be right."""
    with pytest.raises(UserError, match=hint):
        tables(make_plan("dice-town", ["random"] * entrants, **more))


def test_entrants_of_one_name_are_numbered():
    """A bot that enters again gets a number."""
    plan = make_plan("dice-town", ["random", "steady", "random", "random"])
    assert plan.labels == ("random", "steady", "random#2", "random#3")


def test_tables_of_one_seat():
    """Everybody sits alone; in a field all of them under the same luck, the last one too."""
    plan = make_plan("fliptown", ["random", "casual", "strong"], seats=1)
    assert [line_ups(plan, deal) for deal in range(3)] == [((0,),), ((1,),), ((2,),)]
    field = make_plan("fliptown", ["random", "casual"], seats=1, schedule="field")
    assert line_ups(field, 5) == ((0,), (1,))
    assert line_ups(make_plan("fliptown", ["random"], seats=1), 0) == ((0,),)
    with pytest.raises(UserError):
        make_plan("fliptown", ["random"], seats=2)
