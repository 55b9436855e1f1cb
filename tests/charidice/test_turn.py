"""Turns, gifts, the greatest gift and the end, with scripted dice."""

from __future__ import annotations

import pytest

from lanplay.engine.requests import Choose, OpenRoll, Round
from lanplay.games import load
from lanplay.games.charidice import questions as q
from lanplay.games.charidice.dice import ALL
from lanplay.games.charidice.rules import ending, rules, turn
from lanplay.games.charidice.table import COLUMNS, ROUNDS
from tests.charidice.script import new_table, run

GAME = load("charidice")

EQUAL = "222266"
"""Rolled, its first four dice are 2 2 2 2 and its last two 6 6, all equal ones of other colours."""
TWOS = 0b001111


def sheet(t, seat):
    """Return the entries of a seat's four columns."""
    return [t.column(name, seat) for name in COLUMNS]


def test_every_seat_is_active_once_a_round_in_order():
    """CH-1.1: seven rounds, each from the first seat on."""
    t = GAME.table(3, {})
    script = run(rules(t))
    active = [seat for seat, _ in script.questions(q.Score)]
    assert active == [0, 1, 2] * ROUNDS
    assert [r.number for r in script.requests if isinstance(r, Round)] == list(range(1, 8))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_seat_is_drawn(seats):
    """CH-1.1: an open die with as many sides as seats says who begins every round."""
    t = GAME.table(seats, {})
    part = rules(t)
    draw = next(part)
    assert (draw.count, draw.sides) == (1, seats)
    assert isinstance(part.send((seats - 1,)), Round)
    assert t.order() == [seats - 1, *range(seats - 1)]


def test_with_two_seats_each_gives_to_the_other():
    """CH-1.1: the neighbour on either side is the same."""
    t = new_table(2)
    assert (t.left(0), t.left(1)) == (1, 0)


def test_a_seat_may_stop_after_the_first_roll():
    """CH-2.1: then it scores what lies there."""
    t = new_table()
    script = run(turn(t, 0), [EQUAL], reroll=[0], score=[TWOS])
    assert [request.count for request in script.requests if isinstance(request, OpenRoll)] == [6]
    assert sheet(t, 0) == [[8], [15], [], [24]]


def test_two_rolls_may_follow_and_no_third():
    """CH-2.1: after the third roll nothing is asked but what to score."""
    t = new_table()
    script = run(turn(t, 0), ["111111", "22", "3"], reroll=[0b11, 0b100], score=[1])
    assert [request.count for request in script.requests if isinstance(request, OpenRoll)] == [
        6,
        2,
        1,
    ]
    assert t.dice == (2, 2, 3, 1, 1, 1)
    assert [ask.rolls for _, ask in script.questions(q.Reroll)] == [1, 2]


def test_a_die_set_aside_may_be_rolled_again_later():
    """CH-2.1: what was kept after the first roll is rolled after the second."""
    t = new_table()
    run(turn(t, 0), ["111111", "22222", "6"], reroll=[ALL - 1, 1], score=[1])
    assert t.dice == (6, 2, 2, 2, 2, 2)


def test_rolls_are_open_and_each_has_a_slot_of_its_own():
    """CH-2.1: every roll of a game is an open one, and no slot of chance is used twice."""
    t = GAME.table(4, {})
    script = run(rules(t), reroll=lambda seat, ask: ALL)
    rolls = [request for request in script.requests if isinstance(request, OpenRoll)]
    assert len(rolls) == 1 + 3 * 4 * ROUNDS
    assert len({request.at for request in rolls}) == len(rolls)
    kinds = {type(request) for request in script.requests}
    assert kinds == {Choose, OpenRoll, Round}


def test_points_bonus_and_gift_are_entered():
    """CH-2.3, CH-2.4, CH-3.1: columns 1, 2 and 4 of the giver, column 3 of the next seat."""
    t = new_table()
    run(turn(t, 1), [EQUAL], score=[TWOS])
    assert [sheet(t, seat) for seat in range(3)] == [
        [[], [], [], []],
        [[8], [15], [], [24]],
        [[], [], [24], []],
    ]


def test_the_last_seat_gives_to_the_first():
    """CH-3.1: the next seat of the last one is the first, in the last round too."""
    t = new_table(3)
    t.round = ROUNDS
    run(turn(t, 2), [EQUAL], score=[0b110000 | 0b1])
    assert t.given[2] == t.received[0] == [6]


def test_giving_nothing_is_entered_too():
    """CH-3.1: with all dice scored the gift is 0."""
    t = new_table()
    run(turn(t, 0), ["444444"], score=[ALL])
    assert sheet(t, 0) == [[24], [60], [], [0]]
    assert t.received[1] == [0]


# -- the greatest gift ---------------------------------------------------------------------------


def test_the_greatest_gift_doubles_in_both_columns():
    """CH-3.2: 5s and 6s having been doubled already: 2 and 5 count 12, as greatest gift 24."""
    t = new_table()
    script = run(turn(t, 0), ["333325"], demand=[1], score=[TWOS])
    assert t.given[0] == t.received[1] == [24]
    assert t.greatest == [True, False, True]
    assert script.questions(q.Score)[0][1].factor == 2


def test_the_demand_is_asked_after_the_first_and_the_second_roll_before_the_rerolls():
    """CH-3.2: of the seat that receives, before the active seat says whether it rolls again."""
    t = new_table()
    script = run(turn(t, 0), reroll=[1, 1])
    kinds = [(seat, type(ask)) for seat, ask in script.asked]
    assert kinds == [
        (1, q.Demand),
        (0, q.Reroll),
        (1, q.Demand),
        (0, q.Reroll),
        (0, q.Score),
    ]


def test_who_stops_after_the_first_roll_is_asked_no_second_time():
    """CH-3.2: there is no second roll after which it could be demanded."""
    t = new_table()
    assert len(run(turn(t, 0), reroll=[0]).questions(q.Demand)) == 1


def test_it_can_be_demanded_after_the_second_roll():
    """CH-3.2: before the third roll is early enough."""
    t = new_table()
    run(turn(t, 0), ["333325", "5"], reroll=[0b100000, 0], demand=[0, 1], score=[TWOS])
    assert t.given[0] == [24]


def test_it_is_demanded_once_a_game():
    """CH-3.2: whoever has used it is not asked again; the others still are."""
    t = GAME.table(3, {})
    script = run(rules(t), demand=lambda seat, ask: 1, reroll=lambda seat, ask: 0)
    assert [seat for seat, _ in script.questions(q.Demand)] == [1, 2, 0]
    assert t.greatest == [False] * 3


def test_it_is_used_up_by_a_gift_of_nothing():
    """CH-3.2: a demand counts even if all dice are scored."""
    t = new_table()
    run(turn(t, 0), ["444444"], demand=[1], score=[ALL])
    assert t.given[0] == [0]
    assert not t.greatest[1]


def test_it_counts_for_one_turn_only():
    """CH-3.2: the next gift counts once again."""
    t = new_table()
    run(turn(t, 0), ["333325"], demand=[1], score=[TWOS])
    run(turn(t, 1), ["333325"], score=[TWOS])
    assert t.given[1] == [12]


# -- the end -------------------------------------------------------------------------------------


def ended(*given, **columns):
    """Return a table at its end, with a gift for each seat."""
    t = new_table(len(given))
    for seat, gift in enumerate(given):
        t.given[seat], t.received[t.left(seat)] = [gift], [gift]
    for name, entries in columns.items():
        setattr(t, name, [[entry] for entry in entries])
    ending(t)
    return t


@pytest.mark.parametrize(
    ("given", "charity"),
    [
        ((30, 20, 10), [20, 0, 0]),
        ((60, 20, 10), [20, 0, 0]),
        ((61, 60, 10), [30, 0, 0]),
        ((10, 40, 40), [0, 20, 20]),
        ((70, 70), [30, 30]),
        ((0, 0, 0), [20, 20, 20]),
    ],
)
def test_the_most_given_gets_the_charity_bonus(given, charity):
    """CH-4.1: 20, above 60 30; every seat tied for the most gets it, at 0 too."""
    assert ended(*given).charity == charity


def test_the_fourth_worked_case():
    """CH-4.2: 126 + 75 + 22 with the most given, at most 60: 223 + 20 = 243."""
    t = ended(30, 22, points=(100, 126), bonuses=(0, 75), received=(0, 22), given=(10, 30))
    assert t.scores[1] == 243


def test_what_was_given_counts_in_no_other_way():
    """CH-4.1, CH-4.2: column 4 scores nothing but the bonus."""
    t = ended(9, 8, points=(1, 1), bonuses=(0, 0), received=(0, 0))
    assert t.scores == [21, 1]


def test_the_most_points_win_and_ties_share():
    """CH-4.2: every seat with the most points is a winner."""
    t = ended(0, 0, 0, points=(5, 9, 9), bonuses=(0, 0, 0), received=(0, 0, 0))
    result = GAME.result(t)
    assert result.winners == (1, 2)
    assert result.scores == (25, 29, 29)
