"""Set-up, flips, steps."""

from __future__ import annotations

import pytest

from lanplay.engine.requests import Choose, Deal, OpenRoll, Round, Show, Shuffle
from lanplay.games import load
from lanplay.games.fliptown import questions as q
from lanplay.games.fliptown import rules
from lanplay.games.fliptown.codes import NO
from lanplay.games.fliptown.deck import draw
from lanplay.games.fliptown.map import ITEMS, MINE
from lanplay.games.fliptown.setup import setup
from tests.fliptown.script import card, cards, circle, new_table, own, run, stack

GAME = load("fliptown")

OFFICE = ("site", "town J")


def test_three_bounties_for_several_seats_none_for_one():
    """FT-1.2: three different ones of the twelve are drawn; one seat plays without."""
    for number in (0, 1, 500, 1319):
        t = GAME.table(2, {})
        script = run(t, setup(t), opens=[number])
        assert [each.sides for each in script.of(OpenRoll)] == [12 * 11 * 10]
        assert len(set(t.bounties)) == 3
        assert set(t.bounties) <= set(range(12))
    t = GAME.table(1, {})
    assert run(t, setup(t)).requests == []
    assert t.bounties == ()


def test_every_draw_of_bounties_is_another():
    """FT-9.7: the 1,320 ways are all there."""
    found = set()
    for number in range(1320):
        t = GAME.table(2, {})
        run(t, setup(t), opens=[number])
        found.add(t.bounties)
    assert len(found) == 1320


def test_characters_are_drawn_at_random_and_none_twice():
    """FT-9.2: by the table option; the start of each replaces the money."""
    t = GAME.table(4, {"characters": "random"})
    run(t, setup(t), opens=[0, 14 * 13 * 12 * 11 - 1])
    characters = [s.character for s in t.sheets]
    assert len(set(characters)) == 4
    assert all(s.uses for s in t.sheets)


def test_one_card_sets_up_a_solo_game():
    """FT-9.5, FT-9.9: suit for the cowbot, rank for the character; two seats have none."""
    t = GAME.table(1, {"cowbot": "card"})
    script = run(t, setup(t), opens=[card("Qd")])
    assert [each.sides for each in script.of(OpenRoll)] == [52]
    assert (t.cowbot, t.sheets[0].character) == (2, 11)
    assert t.sheets[0].cash == 7
    t = GAME.table(2, {"cowbot": "card"})
    run(t, setup(t))
    assert (t.cowbot, t.sheets[0].character) == (-1, -1)


def test_a_game_is_three_rounds_of_five_turns():
    """FT-1.1, FT-2.1: each begins with all 52 cards shuffled and one of them set aside unseen."""
    t = GAME.table(1, {})
    script = run(t, rules.rules(t))
    assert [each.number for each in script.of(Round)] == [1, 2, 3]
    assert [len(each.piles["deck"]) for each in script.of(Shuffle)] == [52] * 3
    assert [len(each.cards) for each in script.of(Show)] == ([3] * 5 + [1]) * 3
    assert len(script.questions(q.Move)) == 15
    assert t.sheets[0].ranks


def test_all_seats_plan_at_once_and_nobody_sees_another():
    """FT-2.2: one choice of all seats, in which each has its own sheet alone."""
    t = new_table(3)
    script = run(t, rules.one_turn(t))
    assert [list(each.questions) for each in script.of(Choose)] == [[0, 1, 2]]
    assert [len(s.poker) for s in t.sheets] == [1, 1, 1]


def test_robbery_cards_are_flipped_in_seat_order_and_a_step_follows():
    """FT-2.7, FT-5: each robbing seat has its own card; who has more to choose goes on."""
    t = new_table(3)
    stack(t, "2s 5h 9d Kc Ah")
    circle(t.sheets[2], "badlands 6", "badlands 7")
    turns = {0: [], 1: [("site", "badlands 5")], 2: [("site", "badlands 5"), ("bonus", "mine 1a")]}
    script = run(t, rules.one_turn(t), turns=turns)
    assert [each.cards for each in script.of(Show)] == [
        list(cards(c)) for c in ("2s 5h 9d", "Kc Ah")
    ]
    assert [list(each.questions) for each in script.of(Choose)] == [[0, 1, 2], [2]]
    assert [(s.stars, s.cash) for s in t.sheets] == [(0, 4), (4, 5), (2, 4)]
    assert t.sheets[2].circled[MINE]
    assert set(t.discards) == set(cards("2s 5h 9d Kc Ah"))


def test_only_who_looks_learns_the_sheriff_card():
    """FT-6.2: several seats may look in one step; each is dealt the card, nobody is shown it."""
    t = new_table(3)
    t.sheriff = t.deck.pop()
    stack(t, "2c Jh 9d")
    looking = [OFFICE, ("next", 16 + 11), ("look", 1), ("office", 0), ("bonus", NO)]
    script = run(t, rules.one_turn(t), turns={0: [*looking], 2: [*looking]})
    assert [(each.cards, each.seat) for each in script.of(Deal)] == [
        ([t.sheriff], 0),
        ([t.sheriff], 2),
    ]
    assert [list(each.questions) for each in script.of(Choose)] == [[0, 1, 2], [0, 2]]
    assert [s.stars for s in t.sheets] == [1, 0, 1]


def test_a_deck_that_runs_out_is_made_anew_of_the_discards():
    """FT-2.8: what is left is drawn first; the cards on the table stay."""
    t = new_table(1)
    t.discards, t.deck = t.deck[3:], t.deck[:3]
    script = run(t, draw(t, 5))
    assert script.result[:3] == [0, 1, 2]
    assert (len(t.deck), t.discards) == (47, [])
    assert script.of(Shuffle)[0].at == (1, "anew", 1)


@pytest.mark.parametrize(
    ("flipped", "bets", "stars"),
    [
        ("2h 3d 4h", ("red-bet",), 2),
        ("2h 3d 4h", ("black-bet",), 0),
        ("2s 3c 4s", ("black-bet", "red-bet"), 2),
        ("2h 3c 4h", ("black-bet", "red-bet"), 0),
    ],
)
def test_the_bank_pays_for_three_cards_of_a_colour(flipped, bets, stars):
    """FT-6 (2), FT-2.6: 1, 2, 3 stars in rounds 1, 2, 3, before anything is changed."""
    t = new_table(1, round=2)
    own(t.sheets[0], *bets)
    stack(t, flipped)
    run(t, rules.one_turn(t))
    assert t.sheets[0].stars == stars


def test_each_flipped_card_of_a_hunted_rank_pays():
    """FT-6 (10), FT-2.6: two jacks pay twice; nothing for what is not hunted."""
    t = new_table(1)
    own(t.sheets[0], "hunt-jack")
    stack(t, "Jh Jd Qc")
    run(t, rules.one_turn(t), turns={0: [("bail", 0), ("bail", 1)]})
    assert (t.sheets[0].cash, t.sheets[0].gold) == (8, 4)


def test_what_is_bought_at_the_bank_pays_from_the_next_turn_on():
    """FT-6 (2, 10): the cards of the same turn do not count."""
    t = new_table(1)
    stack(t, "2c 2s 4s 5c 6s 7c")
    bet = ITEMS.index("black-bet")
    run(t, rules.one_turn(t), turns={0: [("site", "town 2"), ("buy", bet)]})
    assert t.sheets[0].stars == 1
    run(t, rules.one_turn(t))
    assert t.sheets[0].stars == 2


def test_the_mayor_replaces_the_cards_for_all():
    """FT-9.2, FT-2.6: at once after the flip, before the Bank pays; once."""
    t = new_table(2, characters=("mayor",))
    own(t.sheets[1], "red-bet")
    stack(t, "2c 3h 4d 5h 6h 7d 8s")
    script = run(t, rules.one_turn(t), answers={q.Replace: 1})
    assert script.questions(q.Move)[0][1].turn.flipped == cards("5h 6h 7d")
    assert t.sheets[1].stars == 1
    assert len(t.discards) == 6
    assert run(t, rules.one_turn(t)).questions(q.Replace) == []
