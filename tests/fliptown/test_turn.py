"""One seat's turn: cards, changes, bonus actions, answers."""

from __future__ import annotations

import pytest

from lanplay.engine.question import Illegal
from lanplay.games.fliptown.asks import Ask, Turn, take
from lanplay.games.fliptown.codes import NO, PLAN
from lanplay.games.fliptown.map import CEMETERY, MINE, STONES, TOWN
from lanplay.games.fliptown.questions import Move
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.turn import TurnWalk, follow
from lanplay.games.fliptown.visits import crossing
from tests.fliptown.script import (
    RULEBOOK,
    at,
    bare,
    cards,
    goods,
    reached,
    sheet,
    visit,
    walk,
)


def test_a_seat_starts_with_four_dollars_two_gold_and_the_centre_stone():
    """FT-1.2: $4, 2 gold, the centre tombstone circled."""
    s = sheet()
    assert goods(s) == {"cash": 4, "gold": 2}
    assert s.circled == [0, 0, 0, 0, 1 << 4]


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
    assert made.asks[0].values == (1, 3)


def test_a_declined_bonus_lapses_but_was_gained():
    """FT-8.1: nothing happens; bounty 12 counts it."""
    s = bare()
    visit(s, "trail 9", ("bonus", NO))
    assert s.bonuses == 1 << TOWN
    assert s.pool == []


@pytest.mark.parametrize("place", ["town 3", "town 6", "town Q"])
def test_doing_nothing_is_the_last_choice(place):
    """FT-2.4: whoever takes the first option of everything forgoes no action and no effect."""
    s = sheet(wanted=3, cash=8, gold=0)
    made = walk(s, "2c 5h 9d", ("site", "town 5"), ("bonus", "trail 9"), ("bonus", place))
    asks = [ask for ask in made.asks if NO in ask.values]
    assert {"site", "bonus", "buy"} < {ask.what for ask in asks}
    assert all(ask.values[-1] == NO != ask.values[0] for ask in asks if ask.what != "next")


def test_the_cheapest_site_is_the_first_choice():
    """FT-2.3, FT-2.5: what the value card names, then what gold leads to, then the tombstones."""
    offered = walk(sheet(gold=3), "2c 8h 9d").offered("site")
    assert next(iter(offered)) == at("town 8")
    prices = [price for where, price in offered.items() if 0 <= where < at("cemetery TL")]
    assert prices == sorted(prices) == [0, 1, 1, 2, 2, 3, 3]
    assert [*offered][7:] == [*map(at, (f"cemetery {n}" for n in STONES if n != "MC")), NO]


def test_what_is_crossed_out_for_nothing_is_offered_whole_first():
    """FT-4, FT-6 (3): up to so many WANTED, the most first; none crossed out is not told."""
    s = bare()
    s.wanted = 5
    assert next(iter(visit(s, "town 3").offered("hideout"))) == 4
    s, told = bare(), []
    s.wanted = 5
    stage, turn = crossing(6), Turn(cards("2c 5h 9d"), 1, RULEBOOK)
    assert stage.ask(s, turn).values == (5, 4, 3, 2, 1, 0)
    assert stage.use(s, turn, 0, told) is None
    assert told == []


def test_a_fifth_hammer_is_not_told_as_gained():
    """FT-1.3: beyond four of a tool nothing is gained, and nothing said."""
    s, told = bare(), []
    s.hammers = 4
    take(s, "hammers", 1, told)
    take(s, "gold", 1, told)
    assert [message.id for message in told] == ["gains-gold"]


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


def test_a_twin_of_a_walk_goes_its_own_way():
    """FT-2.7: what one of two walks takes from the same choice on, the other knows nothing of."""
    s = sheet()
    s.pool = [PLAN]
    walk = TurnWalk(s, Turn(cards("2c 5h 9d"), 1, RULEBOOK))
    walk.take(0)
    before, twin = s.plain(), walk.after(1)
    while twin.ask is not None:
        twin.take(twin.ask.values[0])
    assert s.plain() == before != twin.sheet.plain()
    assert walk.ask.what == "value-card"
    walk.take(2)
    assert s.poker == cards("5h") != twin.sheet.poker


def test_a_walk_of_one_task_stops_before_the_next():
    """FT-8.1: the bonus action that a stop gives is another task; then the turn is at its end."""
    s, turn = bare(gold=8), Turn(cards("2h 3s 4d"), 1, RULEBOOK)
    s.pool = [TOWN]
    walk = TurnWalk(s, turn, task=True)
    walk.take(at("town 5"))
    assert (walk.ask, walk.going, walk.pause) == (None, True, None)
    assert TurnWalk(bare(), turn, task=True).going is False


def test_a_choice_is_worded_once_and_only_for_readers():
    """FT-2.5: its values come without words; the prices are told with the options."""
    ask = Ask("site", (at("town 5"), NO), (2, 0))
    assert ask.legal() == (at("town 5"), NO)
    assert [option.label.id for option in ask.options] == ["site-gold", "forgo"]
    assert ask.options is ask.options


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


def test_a_dialogue_that_was_sent_what_it_did_not_offer_gives_no_legal_answer():
    """FT-2.7: an answer put together by a dialogue is checked like any other."""
    s = sheet()
    s.pool = [PLAN]
    for first in (1, True):
        question = Move(s, Turn(cards("4h 7s 9d"), 1, RULEBOOK))
        dialogue = question.dialogue(None)
        next(dialogue)
        step = dialogue.send(first)
        try:
            while True:
                step = dialogue.send(step.options[0].value)
        except StopIteration as end:
            answer = end.value
        if first is True:
            with pytest.raises(Illegal):
                question.check(answer)
        else:
            question.check(answer)
            assert question.outcome(answer)[0].poker
