"""Round, part I: rolling, keeping and paying."""

from __future__ import annotations

import pytest

from lanplay.engine.question import Illegal
from lanplay.engine.requests import Choose, OpenRoll, Roll, Shuffle, Uncover
from lanplay.games import load
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.hand import hand
from lanplay.games.dice_town.rules import one_round, setup
from lanplay.games.dice_town.table import NUGGETS
from tests.dice_town.script import card, dice, give, new_table, run

GAME = load("dice-town")


def keeps(*by_round):
    """Return answers to ``Keep``: per roll, what each seat keeps."""
    rounds = [dict(each) for each in by_round]
    seen = {}

    def answer(seat, ask):
        turn = seen[seat] = seen.get(seat, -1) + 1
        kept = rounds[turn].get(seat, (0,))
        return kept if kept and isinstance(kept[0], tuple) else (tuple(kept), ())

    return {q.Keep: answer}


def test_setup_shuffles_both_decks_and_turns_three_claims():
    """DT-1.1: Store deck and claims are shuffled, three claims lie face up, 16 and 3 remain."""
    t = GAME.table(4, {})
    script = run(t, setup(t))
    assert isinstance(script.requests[0], Shuffle)
    assert set(script.requests[0].piles) == {"store", "claims"}
    assert (len(t.deck), len(t.claims), len(t.row)) == (19, 22, 3)
    assert set(t.row) == set(t.faces)


def test_setup_gives_every_seat_eight_dollars():
    """DT-1.2: $8 a seat, $3 in the Bank, nothing on the Stagecoach, 30 nuggets in the mine."""
    t = GAME.table(5, {})
    assert (t.dollars, t.bank, t.coach, t.mine) == ([8] * 5, 3, 0, NUGGETS)


def test_the_first_sheriff_is_drawn_in_the_open():
    """Components: the starting holder of the badge is drawn at random among all seats."""
    for seat in range(4):
        t = GAME.table(4, {})
        script = run(t, setup(t), opens=[(seat,)])
        (draw,) = [r for r in script.requests if isinstance(r, OpenRoll)]
        assert (draw.count, draw.sides) == (1, 4)
        assert t.sheriff == seat


def test_all_unfinished_seats_roll_at_once_under_their_cups():
    """DT-2.1: one request rolls all dice that are not set aside yet."""
    t = new_table(2)
    rolls = [{0: "99999", 1: "TTTTT"}, {0: "9999", 1: "TTTT"}, {0: "999", 1: "TTT"}]
    rolls += [{0: "99", 1: "TT"}, {0: "9", 1: "T"}]
    script = run(t, hand(t), rolls=rolls)
    requests = [r for r in script.requests if isinstance(r, Roll)]
    assert [dict(r.dice) for r in requests] == [{0: n, 1: n} for n in (5, 4, 3, 2, 1)]


def test_choices_are_made_together_and_only_kept_dice_are_shown():
    """DT-2.2: all seats choose in one secret request; the others' dice are never uncovered."""
    t = new_table(2)
    answers = keeps({0: (1, 3), 1: ()}, {0: (0, 1, 2), 1: (0,)})
    rolls = [{0: "9TJQK", 1: "AAAAA"}, {0: "999", 1: "KQJT9"}, {1: "9TJQ"}]
    script = run(t, hand(t), rolls=rolls, answers=answers)
    choose = next(r for r in script.requests if isinstance(r, Choose))
    shown = next(r for r in script.requests if isinstance(r, Uncover))
    assert set(choose.questions) == {0, 1}
    assert dict(shown.dice) == {0: (1, 3)}
    assert t.dice[0] == dice("TQ999")


@pytest.mark.parametrize(
    ("kept", "cost"), [((), 1), ((0,), 0), ((0, 1), 1), ((0, 1, 2), 2), ((0, 1, 2, 3, 4), 4)]
)
def test_every_die_beyond_the_first_costs_a_dollar(kept, cost):
    """DT-2.3: keeping one is free, each further one $1 to the Stagecoach, none costs $1."""
    t = new_table(2)
    rest = {0: "9" * (5 - len(kept))} if len(kept) < 5 else {}
    rolls = [{0: "99999", 1: "TTTTT"}, rest]
    answers = keeps({0: kept, 1: (0, 1, 2, 3, 4)}, {})
    run(t, hand(t), rolls=rolls, answers=answers)
    assert (t.dollars[0], t.coach) == (8 - cost, cost + 4)


def test_four_queens_cost_three_dollars():
    """Worked case 2 (DT-2.3): rolling QQQQx and keeping four costs $3."""
    assert q.price(4, 0, "free") == 3


def test_what_cannot_be_paid_is_illegal_and_one_die_never_is():
    """DT-2.3: a choice beyond one's dollars is refused with the rule; keeping one never is."""
    ask = q.Keep(dice=5, dollars=0, hand=(), option="free")
    ask.check(((2,), ()))
    for kept in ((), (0, 1)):
        with pytest.raises(Illegal) as caught:
            ask.check((kept, ()))
        assert caught.value.rule == "DT-2.3"


def test_rolling_goes_on_until_all_have_five_dice():
    """DT-2.4: the hand ends when every seat has five dice set aside."""
    t = new_table(3)
    rolls = [dict.fromkeys(range(3), "9" * n) for n in (5, 4, 3, 2, 1)]
    run(t, hand(t), rolls=rolls)
    assert [len(each) for each in t.dice] == [5, 5, 5]


def test_the_first_to_finish_leaves_the_others_one_last_roll():
    """DT-2.5: once a seat is finished the others roll once more, show all and pay nothing."""
    t = new_table(3)
    answers = keeps({0: (0, 1, 2, 3, 4), 1: (0,), 2: ()})
    rolls = [{0: "99999", 1: "TTTTT", 2: "JJJJJ"}, {1: "QQQQ", 2: "AAAAA"}]
    script = run(t, hand(t), rolls=rolls, answers=answers)
    assert t.dice == [dice("99999"), dice("TQQQQ"), dice("AAAAA")]
    assert t.dollars == [4, 8, 7]
    assert len(script.questions(q.Keep)) == 3


def test_a_brute_makes_the_reveal_free():
    """DT-6.1, DT-2.6: with option ``free`` a Brute pays for any number of dice, even none."""
    t = new_table(2)
    brute = card("brute")
    give(t, 0, brute)
    answers = keeps({0: ((0, 1, 2, 3, 4), (brute,)), 1: (0, 1, 2, 3, 4)})
    run(t, hand(t), rolls=[{0: "99999", 1: "TTTTT"}], answers=answers)
    assert t.dollars == [8, 4]
    assert t.discards == [brute]


def test_the_other_brute_makes_one_more_die_free():
    """DT-6.1: with option ``one_extra`` one more die is free, and keeping none still costs $1."""
    assert [q.price(n, 1, "one_extra") for n in range(6)] == [1, 0, 0, 1, 2, 3]
    assert [q.price(n, 1, "free") for n in range(6)] == [0] * 6


def test_a_brute_stopped_by_wanted_sends_back_what_cannot_be_paid():
    """DT-6.1: dice beyond one's dollars go back, last named first, although they were seen."""
    t = new_table(2)
    brute, wanted = card("brute"), card("wanted")
    give(t, 0, brute)
    give(t, 1, wanted)
    t.dollars[0] = 1
    answers = keeps({0: ((4, 2, 0), (brute,)), 1: (0,)}, {}, {}, {}, {})
    answers[q.Stop] = lambda seat, ask: (wanted, brute)
    rolls = [{0: "9TJQK", 1: "TTTTT"}, {0: "999", 1: "TTTT"}]
    rolls += [{0: "99", 1: "TTT"}, {0: "9", 1: "TT"}, {1: "T"}]
    script = run(t, hand(t), rolls=rolls, answers=answers)
    assert t.dice[0][:2] == dice("KJ")
    assert t.dollars[0] == 0
    assert set(t.discards) == {brute, wanted}
    assert len(script.questions(q.Stop)) == 1


def test_a_seat_without_a_dollar_keeps_none_for_free_when_its_brute_is_stopped():
    """DT-6.1: keeping none, made payable by a Brute that is stopped, costs what there is."""
    t = new_table(2)
    brute, wanted = card("brute"), card("wanted")
    give(t, 0, brute)
    give(t, 1, wanted)
    t.dollars[0] = 0
    answers = keeps({0: ((), (brute,)), 1: (0, 1, 2, 3, 4)})
    answers[q.Stop] = lambda seat, ask: (wanted, brute)
    run(t, hand(t), rolls=[{0: "9TJQK", 1: "TTTTT"}, {0: "99999"}], answers=answers)
    assert t.dollars[0] == 0


def test_a_seat_that_revealed_nothing_is_asked_for_no_cheater():
    """DT-2.6: none is asked where no die was revealed, even if a stopped Brute has to be paid."""
    t = new_table(2)
    brute, cheater, wanted = card("brute"), card("cheater"), card("wanted")
    give(t, 0, brute)
    give(t, 0, cheater)
    give(t, 1, wanted)
    t.dollars[0] = 0
    answers = keeps({0: ((), (brute,)), 1: (0, 1, 2, 3, 4)})
    answers[q.Stop] = lambda seat, ask: (wanted, brute)
    answers[q.DiceTownCheat] = lambda seat, ask: ()
    script = run(t, hand(t), rolls=[{0: "9TJQK", 1: "TTTTT"}, {0: "99999"}], answers=answers)
    assert [len(ask.faces) for _, ask in script.questions(q.DiceTownCheat)] == [5]


def test_a_cheater_turns_a_die_just_revealed():
    """DT-6.2, DT-2.6: after a reveal one of one's own dice just shown may be turned to any face."""
    t = new_table(2)
    cheater = card("cheater")
    give(t, 0, cheater)
    answers = keeps({0: (0, 1, 2, 3, 4), 1: (0, 1, 2, 3, 4)})
    answers[q.DiceTownCheat] = lambda seat, ask: ((cheater, 4, 5),)
    script = run(t, hand(t), rolls=[{0: "99999", 1: "TTTTT"}], answers=answers)
    assert t.dice[0] == dice("9999A")
    assert [seat for seat, _ in script.questions(q.DiceTownCheat)] == [0]


def test_a_cheater_stopped_by_wanted_turns_nothing():
    """DT-6.11, DT-6.2: the die stays as it was rolled, and both cards are discarded."""
    t = new_table(2)
    cheater, wanted = card("cheater"), card("wanted")
    give(t, 0, cheater)
    give(t, 1, wanted)
    answers = keeps({0: (0, 1, 2, 3, 4), 1: (0, 1, 2, 3, 4)})
    answers[q.DiceTownCheat] = lambda seat, ask: ((cheater, 4, 5),) if seat == 0 else ()
    answers[q.Stop] = lambda seat, ask: (wanted, cheater)
    run(t, hand(t), rolls=[{0: "99999", 1: "TTTTT"}], answers=answers)
    assert t.dice[0] == dice("99999")
    assert t.discards == [cheater, wanted]


def test_two_brutes_may_be_laid_together():
    """DT-6.1, DT-6.15: with ``one_extra`` each makes one more die free; both are discarded."""
    t = new_table(2, brute="one_extra")
    one, two = card("brute", 0), card("brute", 1)
    give(t, 0, one, two)
    answers = keeps({0: ((0, 1, 2, 3, 4), (one, two)), 1: (0, 1, 2, 3, 4)})
    run(t, hand(t), rolls=[{0: "99999", 1: "TTTTT"}], answers=answers)
    assert t.dollars == [6, 4]
    assert set(t.discards) == {one, two}
    assert [q.price(n, 2, "one_extra") for n in range(6)] == [1, 0, 0, 0, 1, 2]


def test_of_two_brutes_wanted_stops_one():
    """DT-6.1, DT-6.11: the other one still works; what cannot be paid goes back."""
    t = new_table(2, brute="one_extra")
    one, two, wanted = card("brute", 0), card("brute", 1), card("wanted")
    give(t, 0, one, two)
    give(t, 1, wanted)
    t.dollars[0] = 1
    answers = keeps({0: ((0, 1, 2, 3), (one, two)), 1: (0, 1, 2, 3, 4)})
    answers[q.Stop] = lambda seat, ask: (wanted, one) if seat == 1 else None
    run(t, hand(t), rolls=[{0: "9TJQK", 1: "TTTTT"}, {0: "AA"}], answers=answers)
    assert t.dice[0] == dice("9TJAA")
    assert t.dollars[0] == 0


def test_the_cheater_serves_after_the_last_roll_too():
    """DT-2.6: the dice of the last roll may be turned, the ones set aside before may not."""
    t = new_table(2)
    cheater = card("cheater")
    give(t, 0, cheater)
    answers = keeps({0: (0,), 1: (0, 1, 2, 3, 4)})
    answers[q.DiceTownCheat] = lambda seat, ask: ((cheater, 0, 5),) if len(ask.faces) == 4 else ()
    run(t, hand(t), rolls=[{0: "99999", 1: "TTTTT"}, {0: "JJJJ"}], answers=answers)
    assert t.dice[0] == dice("9AJJJ")


def test_both_copies_may_be_played_in_one_window():
    """DT-6.15: a seat may play both its Cheaters; nobody answers a Cheater with a Cheater."""
    t = new_table(2)
    one, two = card("cheater", 0), card("cheater", 1)
    give(t, 0, one, two)
    answers = keeps({0: (0, 1, 2, 3, 4), 1: (0, 1, 2, 3, 4)})
    answers[q.DiceTownCheat] = lambda seat, ask: ((one, 0, 5), (two, 1, 5))
    script = run(t, hand(t), rolls=[{0: "99999", 1: "TTTTT"}], answers=answers)
    assert t.dice[0] == dice("AA999")
    assert len(script.questions(q.DiceTownCheat)) == 1


def test_all_dice_go_back_after_the_round():
    """DT-3.10: at the end of a round nobody has dice set aside."""
    t = new_table(2)
    t.row = [t.claims.pop(0) for _ in range(3)]
    answers = keeps({0: (0, 1, 2, 3, 4), 1: (0, 1, 2, 3, 4)})
    run(t, one_round(t), rolls=[{0: "99999", 1: "TTTTT"}], answers=answers)
    assert t.dice == [(), ()]
