"""Poker, pan and work, the sheriff: what follows five turns."""

from __future__ import annotations

import pytest

from lanplay.engine.requests import Choose, Deal, Show
from lanplay.games.fliptown import phases, rules
from lanplay.games.fliptown import questions as q
from tests.fliptown.script import card, cards, new_table, run, stack


def hands(t, *texts):
    for s, text in zip(t.sheets, texts, strict=True):
        s.poker = cards(text)


def test_poker_pays_whatever_the_others_hold():
    """FT-3.1: two pair and a pair of queens both pay."""
    t = new_table(2)
    hands(t, "Qh Qs 8d 8c 3h", "Qd Qc 2h 5s 9d")
    run(t, phases.poker(t))
    assert [(s.cash, s.stars, s.ranks) for s in t.sheets] == [(7, 2, (2,)), (6, 1, (1,))]


def test_hold_em_cards_are_dealt_to_their_seat_and_shown_at_the_end():
    """FT-9.3: after the sheriff card, two each; then they are discarded."""
    t = new_table(2, holdem="each")
    script = run(t, rules.one_round(t))
    deals = script.of(Deal)
    assert [(each.seat, len(each.cards)) for each in deals] == [(0, 2), (1, 2)]
    shown = [card for each in script.of(Show)[:5] for card in each.cards]
    assert not {*deals[0].cards, *deals[1].cards} & set(shown)
    assert script.of(Show)[5].cards == [*deals[0].cards, *deals[1].cards]
    assert len(t.deck) == 52


@pytest.mark.parametrize(
    ("first", "second", "gains"),
    [
        ("Qh Qs 8d 8c 3h", "Qd Qc 2h 5s 9d", [(3, 2), (0, 0)]),
        ("6h 6s Ad 2c 3h", "Kh Ks Qd 2s 3d", [(2, 1), (0, 0)]),
        ("6h 6s Ad 2c 3h", "6d 6c As 2s 3d", [(1, 0), (1, 0)]),
        ("2h 4s 6d 8c Th", "2s 4d 6c 8h 9s", [(0, 0), (0, 0)]),
    ],
)
def test_only_the_best_hand_of_the_table_pays(first, second, gains):
    """FT-9.3, FT-9.10: by the sub-option; perfect ties split, rounded down."""
    t = new_table(2, holdem="best")
    hands(t, first, second)
    run(t, phases.poker(t))
    assert [(s.cash - 4, s.stars) for s in t.sheets] == gains


@pytest.mark.parametrize(("option", "asked"), [("none", 0), ("each", 0), ("best", 1)])
def test_the_cheat_is_not_asked_for_a_hand_that_pays_no_more(option, asked):
    """FT-9.2 (2), FT-9.8: a higher flush pays the same, unless only the table's best hand pays."""
    t = new_table(1, characters=("cheat",), holdem=option)
    hands(t, "2h 5h 9h Jh Kh")
    script = run(t, phases.poker(t))
    assert len(script.questions(q.FliptownCheat)) == asked


def test_the_cheat_makes_a_pair_of_nothing_once():
    """FT-9.2 (2), FT-9.8: if it likes; not asked where nothing would be better."""
    t = new_table(1, characters=("cheat",))
    hands(t, "2h 5s 9d Jc Kh")
    run(t, phases.poker(t), answers={q.FliptownCheat: 1})
    assert (t.sheets[0].cash, t.sheets[0].uses) == (9, 0)
    t = new_table(1, characters=("cheat",))
    hands(t, "Ts Js Qs Ks As")
    assert run(t, phases.poker(t)).asked == []


def test_pans_and_hammers_work():
    """FT-3.2: 1 pan and 3 hammers bring 1 gold and $6."""
    t = new_table(1)
    t.sheets[0].pans, t.sheets[0].hammers = 1, 3
    phases.pan_and_work(t)
    assert (t.sheets[0].gold, t.sheets[0].cash) == (3, 10)


def arrest(t, sheriff, answers=(), **values):
    """Let the sheriff come; ``values`` are fields of seat 0."""
    for name, each in values.items():
        setattr(t.sheets[0], name, each)
    t.sheriff = card(sheriff)
    t.deck = [each for each in t.deck if each != t.sheriff]
    script = run(t, phases.sheriff(t), answers=dict(answers))
    assert t.sheriff is None
    assert card(sheriff) in t.discards
    return script


@pytest.mark.parametrize(
    ("sheriff", "wanted", "arrested"),
    [
        ("6h", 8, 1),
        ("8h", 8, 0),
        ("Ah", 1, 0),
        ("Ah", 2, 1),
        ("Jh", 11, 0),
        ("Qh", 13, 1),
        ("Kh", 13, 0),
    ],
)
def test_the_sheriff_card_against_wanted(sheriff, wanted, arrested):
    """FT-3.3, FT-1.4: as high is safe; A 1, J 11, Q 12, K 13. 8 WANTED against a 6: arrested."""
    t = new_table(1)
    arrest(t, sheriff, wanted=wanted, gold=0)
    assert t.sheets[0].arrests == arrested
    assert t.sheets[0].wanted == wanted


@pytest.mark.parametrize(("round_", "cash", "stars"), [(1, 10, 4), (2, 14, 6), (3, 18, 8)])
def test_the_fine_of_each_round(round_, cash, stars):
    """FT-3.3: in cash or in stars, as the seat chooses if it has both."""
    for answer, left in ((0, (20 - cash, 9)), (1, (20, 9 - stars))):
        t = new_table(1, round=round_)
        script = arrest(t, "Ah", {q.Fine: answer}, wanted=5, gold=0, cash=20, stars=9)
        assert len(script.questions(q.Fine)) == 1
        assert (t.sheets[0].cash, t.sheets[0].stars) == left


@pytest.mark.parametrize(
    ("values", "left"),
    [
        ({"wanted": 5, "cash": 9, "stars": 9}, (9, 5)),
        ({"wanted": 14, "cash": 50, "stars": 9}, (50, 5)),
        ({"wanted": 14, "cash": 50, "stars": 3}, (50, 0)),
        ({"wanted": 5, "cash": 9, "stars": 3}, (9, 0)),
        ({"wanted": 5, "cash": 10, "stars": 3}, (0, 3)),
    ],
)
def test_fines_without_a_choice(values, left):
    """FT-3.3: no cash, 14 WANTED, too few stars."""
    t = new_table(1)
    script = arrest(t, "Ah", gold=0, **values)
    assert script.asked == []
    assert (t.sheets[0].cash, t.sheets[0].stars) == left


def test_a_bribe_costs_a_gold_per_wanted_and_is_safe():
    """FT-3.3, FT-3.4: all who can pay in full decide at once, before the card is turned."""
    t = new_table(3)
    for s, wanted, gold in zip(t.sheets, (5, 3, 0), (6, 2, 9), strict=True):
        s.wanted, s.gold, s.stars = wanted, gold, 9
    script = arrest(t, "2h", {q.Bribe: 1})
    assert [seat for seat, _ in script.questions(q.Bribe)] == [0]
    assert isinstance(script.requests[0], Choose)
    assert [(s.gold, s.stars, s.wanted) for s in t.sheets] == [(1, 9, 5), (2, 5, 3), (9, 9, 0)]


def test_the_preacher_crosses_out_before_the_bribes():
    """FT-9.2 (7), FT-9.8: up to 6, once; none keeps the ability."""
    t = new_table(1, characters=("preacher",))
    script = arrest(t, "Ah", {q.Preach: 6, q.Bribe: 1}, wanted=8, gold=2)
    assert [type(each) for _, each in script.asked] == [q.Preach, q.Bribe]
    assert (t.sheets[0].wanted, t.sheets[0].gold, t.sheets[0].uses) == (2, 0, 0)
    t = new_table(1, characters=("preacher",))
    arrest(t, "Kh", {q.Preach: 0}, wanted=8)
    assert t.sheets[0].uses == 1


def test_the_marshal_draws_an_own_card_when_arrested():
    """FT-9.2 (6), FT-9.8, FT-3.4: after the turn of the card, for that seat alone."""
    for own_card, arrests in (("5d", 0), ("4d", 1)):
        t = new_table(2, characters=("marshal",))
        stack(t, own_card)
        t.sheets[1].wanted, t.sheets[1].gold = 5, 0
        arrest(t, "2h", {q.Redraw: 1}, wanted=5, gold=0)
        assert [s.arrests for s in t.sheets] == [arrests, 1]
        assert card(own_card) in t.discards
    t = new_table(1, characters=("marshal",))
    assert arrest(t, "9h", wanted=5, gold=0).questions(q.Redraw) == []
