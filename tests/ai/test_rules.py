"""The rules of the Dice Town bots: sense in bribes, cards, robberies and at the Doc."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.poker import ACE, KING, NINE
from lanplay_ai.deciding import by_lot
from lanplay_ai.dice_town.hand_rules import keep
from lanplay_ai.dice_town.loot import best_drawn
from lanplay_ai.dice_town.multisets import code, multisets, reachable
from lanplay_ai.dice_town.outlook import expected, far_keep
from lanplay_ai.dice_town.profiles import PROFILES
from lanplay_ai.dice_town.sheriff_rules import net_worth, offer
from lanplay_ai.random_agent import RandomAgent
from tests.ai.test_bots import view_of
from tests.dice_town.script import card, claim, dice, give, new_table

STRONG, EXPERT = PROFILES["strong"], PROFILES["expert"]


def said(name, view, question):
    """Return a bot's answer, which must be legal."""
    answer = ai.make(name, b"key", "dice-town").answer(view, question)
    question.check(answer)
    question.check_own(answer, view)
    return answer


def a_tie(sheriff):
    """Return a tie of seats 0 and 1 for the Bank with $12 in it."""
    t = new_table(3, ["TT9JQ", "TTJKA", "99999"])
    t.bank, t.sheriff = 12, sheriff
    t.obtained = [True] * 3
    return t, q.SheriffOffer("bank", (0, 1), 8, 0, ())


def test_a_bribe_is_less_than_the_place_is_worth():
    """DT-4.2: something is offered for a rich Bank, and less than lies in it."""
    t, ask = a_tie(sheriff=2)
    dollars, nuggets, cards = said("strong", view_of(t), ask)
    assert 0 < dollars < 12
    assert (nuggets, cards) == (0, ())


def test_nothing_is_offered_to_a_sheriff_that_is_tied_itself():
    """DT-4.1: it would take the place for itself unless it is offered more than that is worth."""
    t, ask = a_tie(sheriff=1)
    assert said("strong", view_of(t), ask) == (0, 0, ())


def test_the_banker_bribes_more_and_the_beginner_never():
    """The levels and characters differ in what they offer."""
    t, _ = a_tie(sheriff=2)
    ask = q.SheriffOffer("bank", (0, 1), 20, 0, ())
    banker = ai.make("banker", b"", "dice-town").answer(view_of(t), ask)
    assert banker[0] > said("strong", view_of(t), ask)[0]
    beginner = PROFILES["beginner"]
    assert beginner.bribe == 0


def test_the_sheriff_gives_the_place_to_the_best_offer_or_to_the_weakest():
    """DT-4.1: a bribe decides; without one the place goes where it does least harm."""
    t = new_table(3, ["99999", "TTJQK", "TTJQK"])
    t.sheriff, t.bank, t.nuggets = 0, 4, [0, 12, 2]
    assert said("strong", view_of(t), q.Decide("bank", (1, 2), {})) == 2
    offers = {1: (6, 0, ()), 2: (1, 0, ())}
    assert said("strong", view_of(t), q.Decide("bank", (1, 2), offers)) == 1


def test_an_action_card_is_worth_less_when_the_game_is_nearly_over():
    """DT-6, DT-7.2: early Corruption is kept rather than equipment 2, in the last round not."""
    t = new_table(3)
    corruption, equipment = card("corruption"), card("equipment", 1)
    view = view_of(t, own=[corruption, equipment])
    ask = q.Buy((corruption, equipment), (1, 2))
    assert said("strong", view, ask) == (corruption, None, None)
    t.mine = 1
    assert said("strong", view, ask) == (equipment, None, None)


def test_wanted_is_kept_for_a_card_that_matters():
    """DT-6.11: Dynamite is stopped, Even Split is not worth it."""
    t = new_table(2)
    wanted = card("wanted")
    give(t, 0, wanted)
    view = view_of(t, own=[wanted])
    assert said("strong", view, q.Stop((card("dynamite"),), (wanted,))) == (wanted, 6)
    assert said("strong", view, q.Stop((card("split"),), (wanted,))) is None


def test_the_hand_with_known_good_claims_is_robbed():
    """DT-3.5: among hands of one size the one that is known to hold a five is robbed."""
    t = new_table(3)
    give(t, 1, claim(1), claim(2))
    give(t, 2, claim(5), claim(1, 1))
    assert said("strong", view_of(t), q.Rob((1, 2), 1)) == 2


def test_the_best_of_some_cards_drawn_blindly():
    """Of 1, 2, 3 the best of one drawn is 2 on the average, of two 8/3, of three 3."""
    assert best_drawn([1, 2, 3], 1) == pytest.approx(2)
    assert best_drawn([1, 2, 3], 2) == pytest.approx(8 / 3)
    assert best_drawn([1, 2, 3], 3) == pytest.approx(3)
    assert best_drawn([], 0) == 0


def test_a_cheater_makes_a_full_hand_better():
    """DT-6.2: one die short of the most nines of a rich Mine, the odd die becomes a nine."""
    t = new_table(2, ["9999K", "99999"])
    t.row = [claim(5), claim(4), claim(3)]
    cheater = card("cheater")
    give(t, 0, cheater)
    t.sheriff = 0
    ((played, place, face),) = said(
        "strong", view_of(t, own=[cheater]), q.DiceTownCheat(dice("9999K"), (cheater,))
    )
    assert (played, place, face) == (cheater, 4, NINE)


@pytest.mark.parametrize(("aside", "reason"), [("9999K", "cheat"), ("999K", "cheat-wait")])
def test_a_cheater_is_kept_until_all_five_dice_are_set_aside(aside, reason):
    """DT-6.2: what counts is how many dice are set aside, not how many were revealed just now."""
    t = new_table(2, [aside, "99999"])
    t.row = [claim(5), claim(4), claim(3)]
    cheater = card("cheater")
    give(t, 0, cheater)
    t.sheriff = 0
    view, ask = view_of(t, own=[cheater]), q.DiceTownCheat(dice("9K"), (cheater,))
    hint = ai.adviser("dice-town", b"key").explain(view, ask)
    assert (hint.reason.id, bool(hint.answer)) == (reason, reason == "cheat")


def test_the_doc_is_visited_for_what_the_dice_allow_and_others_have():
    """DT-3.8: with a king and an ace, nuggets of the others or their dollars, whichever is more."""
    t = new_table(4, ["KAJQ9"])
    ask = q.Consolation((KING, ACE), ())
    t.nuggets, t.dollars = [0, 1, 1, 1], [8, 0, 1, 0]
    assert said("strong", view_of(t), ask) == (ACE, ())
    t.nuggets, t.dollars = [0, 0, 0, 1], [8, 4, 4, 4]
    assert said("strong", view_of(t), ask) == (KING, ())


def test_worth_of_fewer_dice_is_the_mean_over_the_next_one():
    """Rolled once: what four dice are worth is the mean of the six hands that they may become."""
    t = new_table(2, ["99JK", "TT"])
    view, held = view_of(t, 0, "A"), dice("99JK")
    number = multisets().number[code(held)]
    hands = reachable(number)[-1]
    worths = expected(view, EXPERT)
    assert len(hands) == 6
    assert worths[number] == pytest.approx(sum(worths[hand] for hand in hands) / 6)


def test_the_expert_lets_a_poor_hand_go_to_the_doc():
    """DT-3.8: where all others have nuggets, an ace that wins nothing is kept for the Doc."""
    t = new_table(4, ["TJK", "JJJJ", "TTTT", "KKKK"])
    t.nuggets, t.bank = [0, 5, 5, 5], 3
    view, ask = view_of(t, 0, "9A"), q.Keep(2, 8, (), "free")
    places, _ = far_keep(view, ask, 0, replace(EXPERT, claim=0.0))
    assert 1 in places


@pytest.mark.parametrize("name", ["miner", "banker", "sheriff", "mayor"])
def test_characters_have_plans_of_their_own(name):
    """Of all first rolls a character keeps some otherwise than strong does."""
    t = new_table(3)
    t.row, t.bank = [claim(4), claim(2), claim(3)], 6
    give(t, 1, claim(3, 1))
    ask, others = q.Keep(5, 8, (), "free"), 0
    for cup in combinations_with_replacement("9TJQKA", 5):
        view = view_of(t, 0, "".join(cup))
        plain, own = (keep(p, view, ask) for p in (STRONG, PROFILES[name]))
        others += plain != own
    assert others > 5


def test_beginners_blunder_and_the_strong_do_not():
    """A level's blunders are drawn from its key and the view alone."""
    t = new_table(2)
    view, ask = view_of(t, 0, "999JQ"), q.Keep(5, 8, (), "free")
    answers = {ai.make("beginner", b"%d" % key, "dice-town").answer(view, ask) for key in range(60)}
    assert len(answers) > 2
    assert (
        len({ai.make("strong", b"%d" % key, "dice-town").answer(view, ask) for key in range(60)})
        == 1
    )
    bot = ai.make("beginner", b"7", "dice-town")
    assert [bot.answer(view, ask) for _ in range(9)] == [bot.answer(view, ask)] * 9


@pytest.mark.parametrize("blunders", [0, 1, 8, 1_000])
def test_of_a_thousand_lots_as_many_are_blunders_as_the_level_says(blunders, monkeypatch):
    t = new_table(2)
    view, ask, chance = view_of(t, 0, "999JQ"), q.Keep(5, 8, (), "free"), Chance(b"key")
    lots = iter(range(1_000))
    monkeypatch.setattr(Chance, "below", lambda *_: next(lots))
    monkeypatch.setattr(RandomAgent, "answer", lambda *_: ())
    made = [by_lot(chance, blunders, view, ask) for _ in range(1_000)]
    assert len(made) - made.count(None) == blunders


@pytest.mark.parametrize("bank", [2, 5, 12, 30])
@pytest.mark.parametrize("rival", [0, 3, 8])
def test_the_expert_bids_the_least_that_wins_the_tie_if_others_bid_half(bank, rival):
    """DT-4.2: every dearer and every cheaper offer is tried out on a Sheriff that is an expert."""
    t, ask = a_tie(sheriff=2)
    t.bank, t.dollars, t.nuggets[0] = bank, [8, rival, 8], 3
    t.nuggets[1] = 0
    ask = q.SheriffOffer("bank", (0, 1), 8, 3, ())
    theirs = q.SheriffOffer("bank", (0, 1), rival, 0, ())
    half = offer(replace(EXPERT, bid_limit=0.0), view_of(t, 1), theirs)
    bid, worth = said("expert", view_of(t), ask), net_worth(t, "bank", 0, EXPERT)

    def wins(own):
        return said("expert", view_of(t, 2), q.Decide("bank", (0, 1), {0: own, 1: half})) == 0

    def cost(own):
        return own[0] + 2 * own[1]

    every = [(dollars, nuggets, ()) for dollars in range(9) for nuggets in range(4)]
    enough = [own for own in every if wins(own) and cost(own) / 2 <= 0.9 * worth]
    assert cost(bid) == min(map(cost, enough), default=0)
    assert wins(bid) or not enough
