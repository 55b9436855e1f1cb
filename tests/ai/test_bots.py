"""Bots: legal, deterministic, sensible."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations_with_replacement, product

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.poker import ACE, KING, NINE, TEN
from lanplay_ai.dice_town.keeping import best_keep, keeps
from lanplay_ai.dice_town.kept import Kept
from lanplay_ai.dice_town.multisets import code, multisets
from lanplay_ai.dice_town.odds import (
    WEIGHTS,
    additions,
    binomial,
    halls,
    levels,
    majority,
    place_of,
)
from lanplay_ai.dice_town.profiles import PROFILES
from tests.dice_town.script import card, claim, dice, give, new_table

GAME = load("dice-town")

TABLES = [
    (seats, {"claim_row": claims, "brute": brute})
    for seats, claims, brute in product((2, 3, 4, 5), ("recycle", "slide"), ("free", "one_extra"))
]


def play(bots, options=None, seed=b"bots"):
    chosen = options or {name: values[0] for name, values in GAME.options.items()}
    header = Header(GAME.name, chosen, tuple(bots), seed)
    agents = [ai.make(bot, seed + b"%d" % seat, "dice-town") for seat, bot in enumerate(bots)]
    game = Simulation(GAME, header, agents, Chance(seed))
    game.run()
    return game


def view_of(t, seat=0, cup="", own=()):
    view = View(seat, t, Header("dice-town", {}, ("x",) * t.seats), [])
    view.cup = dice(cup)
    view.own = {one: one for one in own}
    return view


def steady(view, question):
    answer = ai.make("steady", b"key", "dice-town").answer(view, question)
    question.check(answer)
    question.check_own(answer, view)
    return answer


@pytest.mark.sweep(3)
@pytest.mark.parametrize("bot", ai.names("dice-town"))
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_every_answer_is_legal(bot, seats, options):
    """Whole games at all tables: the referee refuses no answer of any bot."""
    assert GAME.result(play([bot] * seats, options).table).winners


def test_unknown_bots_are_refused_with_the_known_ones():
    """The error names the bots there are."""
    with pytest.raises(ValueError, match="random, steady"):
        ai.make("nobody", b"", "dice-town")


def test_steady_beats_random():
    """In 40 games from every seat in turn, one steady bot wins most against three random ones."""
    wins = 0
    for number in range(40):
        bots = ["random"] * 4
        bots[number % 4] = "steady"
        game = play(bots, seed=b"duel %d" % number)
        wins += number % 4 in GAME.result(game.table).winners
    assert wins >= 36


def test_the_same_seed_gives_the_same_game_under_any_hash_seed():
    """Two processes with different PYTHONHASHSEED end in one state."""
    program = "from tests.ai.test_bots import play; print(play(['steady'] * 4).table.hash().hex())"
    ends = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(ends) == 1


def test_hidden_faces_change_no_answer():
    """With the same view and other faces behind it, every keep of a hand stays the same."""
    one, two = new_table(3, ["", "99", "TT"]), new_table(3, ["", "99", "TT"])
    for t, kinds in ((one, ("brute", "joe")), (two, ("wanted", "marshal"))):
        for seat, kind in enumerate(kinds, 1):
            give(t, seat, card(kind))
        t.faces = {}
    question = q.Keep(5, 8, (), "free")
    views = [view_of(t, 0, "99JKA") for t in (one, two)]
    assert steady(views[0], question) == steady(views[1], question)


def test_odds_of_a_majority_are_those_of_all_outcomes():
    """The table agrees with counting every outcome of two rivals' dice."""
    rivals = [(1, 2), (0, 3)]
    for mine in range(1, 6):
        won = tied = 0
        for rolls in product(range(6), repeat=5):
            best = max(1 + rolls[:2].count(0), rolls[2:].count(0))
            won += best < mine
            tied += best <= mine
        assert majority(sum(WEIGHTS[rival] for rival in rivals), 0.5, True)[mine] == pytest.approx(
            (won + tied) / 2 / 6**5
        )


def test_rivals_are_told_apart_by_the_sum_of_their_weights():
    """Different sets of up to four rivals have different keys."""
    pairs = [(shown, come) for shown in range(6) for come in range(6 - shown)]
    sets = [s for n in range(1, 4) for s in combinations_with_replacement(pairs, n)]
    keys = {sum(WEIGHTS[pair] for pair in each) for each in sets}
    assert len(keys) == len(sets)


def gain(place):
    """Return what a second die adds, one to come, against a rival who shows one and has no more."""
    return additions(levels(place, WEIGHTS[1, 0], 0.5), 1)[place_of(1, 1)]


def test_expected_takes_follow_from_the_binomial():
    """With one die to come against a rival who shows one: two beat it, one ties half."""
    odds = binomial(1)
    one, two = odds[0] * 0.5 + odds[1], 1
    bank, mine = (0.0, 1.0, 1.0, 1.0, 1.0, 1.0), (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
    assert gain(bank) == pytest.approx(two - one)
    one, two = odds[0] * 0.5 + odds[1] * 2, odds[0] * 2 + odds[1] * 3
    assert gain(mine) == pytest.approx(two - one)


def test_the_hall_is_worth_most_to_the_best_hand():
    """Five aces are worth three claims, five different faces against four rivals nearly none."""
    best, worst = [multisets().number[code(dice(each))] for each in ("AAAAA", "9TJQA")]
    assert halls(4)[best] == pytest.approx((1, 1, 1), abs=0.01)
    assert max(halls(4)[worst]) < 0.05


def ways(faces, dollars=5):
    """Return the places that every way to keep some dice keeps, as bits."""
    found = keeps(dice(faces), dollars)
    alike = [way[2] for _, ways in found.alike for way in ways]
    return alike + [way[2] for way in found.mixed]


def test_every_different_keep_is_considered_once():
    """Of 9 9 J some can be kept in five different ways, each named by its first places."""
    assert sorted(ways("99J")) == [0b001, 0b011, 0b100, 0b101, 0b111]


def test_ways_that_cost_too_much_are_not_considered():
    """DT-2.3: of 9 9 J two dice may be kept for a dollar, and one for none."""
    assert sorted(ways("99J", 1)) == [0b001, 0b011, 0b100, 0b101]
    assert sorted(ways("99J", 0)) == [0b001, 0b100]


def test_the_last_die_may_be_rolled_again():
    """DT-2.3: keeping none is weighed where no other die is left to keep."""
    assert ways("9") == [0, 1]


def test_a_seat_without_money_keeps_one_die():
    """DT-2.3: whatever is best, only what can be paid is considered."""
    t = new_table(2)
    t.dollars[0] = 0
    ask = q.Keep(5, 0, (), "free")
    assert len(best_keep(view_of(t, 0, "99999"), ask, 0, PROFILES["strong"])[0]) == 1


def test_five_of_a_kind_is_not_rolled_again():
    """DT-2.2: of five nines at least four are kept when there is money for them."""
    t = new_table(2)
    t.row = [claim(3), claim(2), claim(4)]
    assert len(steady(view_of(t, 0, "99999"), q.Keep(5, 8, (), "free"))[0]) >= 4


def test_the_bank_is_worth_its_dollars():
    """DT-3.2: tens are kept when the Bank is rich and nobody else shows one."""
    t = new_table(2)
    t.bank = 16
    (kept, _) = steady(view_of(t, 0, "TT9JQ"), q.Keep(5, 8, (), "free"))
    assert {0, 1} <= set(kept)


def test_what_a_round_is_about_is_not_taken_for_that_of_another_table_or_round():
    """DT-3.2: asked by turns at a table with a rich Bank and a poor one, each gets its own keep."""
    rich, poor = new_table(2), new_table(2)
    rich.bank, poor.bank = 16, 0
    ask = q.Keep(5, 8, (), "free")
    kept = [steady(view_of(t, 0, "TT9JQ"), ask) for t in (rich, poor, rich, poor)]
    assert kept[:2] == kept[2:]
    assert kept[0] != kept[1]
    poor.round, poor.bank = poor.round + 1, 16
    assert steady(view_of(poor, 0, "TT9JQ"), ask) != kept[1]


def test_dynamite_is_kept_for_a_mine_with_enough_in_it():
    """DT-6.3: with nothing more to gain the card stays in the hand."""
    t = new_table(2, ["99TTT", "JJJJJ"])
    dynamite = card("dynamite")
    give(t, 0, dynamite)
    ask = q.Play("dynamite", (dynamite,))
    assert steady(view_of(t, 0, own=[dynamite]), ask) == dynamite
    t.mine = 2
    assert steady(view_of(t, 0, own=[dynamite]), ask) is None


def test_the_sheriff_defends_its_badge_with_the_marshal():
    """DT-6.6: the Marshal is played by the Sheriff, not for another."""
    t = new_table(2)
    marshal = card("marshal")
    give(t, 0, marshal)
    ask = q.Play("marshal", (marshal,))
    assert steady(view_of(t, 0, own=[marshal]), ask) == marshal
    t.sheriff = 1
    assert steady(view_of(t, 0, own=[marshal]), ask) is None


def test_a_tie_goes_to_oneself_or_to_the_better_bribe():
    """DT-4.1: the own place counts against what is offered."""
    t = new_table(3, ["999JJ", "999QQ", "TTTTT"])
    t.sheriff = 0
    assert steady(view_of(t), q.Decide("mine", (0, 1), {1: (1, 0, ())})) == 0
    assert steady(view_of(t), q.Decide("mine", (0, 1), {1: (8, 2, ())})) == 1


def test_nervous_joe_goes_to_the_richest():
    """DT-6.8: a visit to an empty purse brings nothing."""
    t = new_table(3)
    t.dollars = [8, 1, 6]
    joe = card("joe")
    assert steady(view_of(t, own=[joe]), q.DeclareJoe(joe, (1, 2))) == 2


def test_the_doc_gives_what_is_worth_most():
    """DT-3.8: nuggets of four others beat their last dollars."""
    t = new_table(5, ["KAKAK"])
    t.nuggets, t.dollars = [0, 3, 3, 3, 3], [0, 1, 0, 0, 0]
    assert steady(view_of(t), q.Consolation((KING, ACE), ())) == (ACE, ())


def test_the_best_claims_are_fenced():
    """DT-3.8: wire goes around the two most valuable claims."""
    t = new_table(2, ["99999"])
    t.nuggets = [0, 0]
    own = [claim(1), claim(5), claim(4)]
    give(t, 0, *own)
    answer = steady(view_of(t, own=own), q.Consolation((NINE,), tuple(own)))
    assert answer == (NINE, (claim(5), claim(4)))
    assert TEN == 1


def test_a_thief_takes_claims_first():
    """DT-3.5: a claim is worth more than a Store card on the average."""
    t = new_table(2)
    for store, claims, taken in ((3, 0, 2), (3, 1, 1), (3, 2, 0), (3, 3, 0)):
        t.hands[1], t.deeds[1] = list(range(100, 100 + store)), list(range(200, 200 + claims))
        assert steady(view_of(t), q.Take(1, store, claims, 2)) == taken


def test_tables_that_are_full_begin_anew():
    """A limit bounds what is kept; what is asked for again is made again, the same."""
    made = []
    squares = Kept(lambda n: made.append(n) or n * n, limit=3)
    asked = [1, 2, 3, 1, 4, 1]
    assert [squares[n] for n in asked] == [n * n for n in asked]
    assert made == [1, 2, 3, 4, 1]
    assert len(squares) == 2
