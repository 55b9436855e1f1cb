"""The bots of Charidice: the optimum of a turn is one, demands pay, plans look at the game."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.games.charidice.dice import ALL, DICE, MASKS, NUMBERS
from lanplay.games.charidice.questions import Demand, Reroll, Score
from lanplay.games.charidice.rules import ending, winners
from lanplay.games.charidice.table import ROUNDS
from lanplay.tournament.outcome import from_csv
from lanplay.tournament.plan import make_plan
from lanplay.tournament.playing import Task
from lanplay.tournament.playing import play as play_deals
from lanplay_ai.charidice.beginner import most_alike
from lanplay_ai.charidice.demands import added, demands, pays, waiting
from lanplay_ai.charidice.last_round import PRICE, last_shares
from lanplay_ai.charidice.optimum import (
    average,
    best_kept,
    expected,
    followed,
    optimum,
    outcomes,
)
from lanplay_ai.charidice.players import Priced
from lanplay_ai.charidice.prospects import CharidiceProspects, fitted
from lanplay_ai.charidice.rolls import numbers, offers, rolls, turn, turned
from lanplay_ai.charidice.turns import BestTurn, kept_states
from tests.charidice.script import all_sets, new_table

GAME = load("charidice")

SOME = [dice for number, dice in enumerate(rolls()) if number % 1999 == 7]


def view_of(t, seat=0):
    return View(seat, t, Header(GAME.name, {}, ("x",) * t.seats), [])


def play(*bots, seed=b"bots"):
    header = Header(GAME.name, {}, bots, seed)
    agents = [ai.make(bot, seed + b"%d" % seat, GAME.name) for seat, bot in enumerate(bots)]
    game = Simulation(GAME, header, agents, Chance(seed))
    game.run()
    return game


# -- the optimum of a turn -----------------------------------------------------------------------


@pytest.mark.parametrize("price", [-0.75, 0.0, 0.5, 2.0])
def test_the_offers_of_a_roll_hold_its_best_set_at_any_price(price):
    """CH-2.2: what the bots look at is legal, and nothing better is left out."""
    for dice in SOME:
        sets, step = offers(numbers()[dice])
        known = {each.mask: each for each in all_sets(dice)}
        for worth, gift, mask in sets:
            found = known[turn(mask, step)]
            assert (found.worth, found.gift) == (worth, gift)
        best = max(each.worth - price * each.gift for each in known.values())
        assert max(worth - price * gift for worth, gift, _ in sets) == best


def test_a_kept_state_is_worth_the_mean_over_its_free_dice():
    """CH-2.1: against every way the free dice may fall, one by one."""
    values = [float((number * 7919) % 101) for number in range(len(rolls()))]
    worth = expected(values)
    for dice, mask in product(SOME[:4], (0b1, 0b101, 0b11010, 0)):
        free = [place for place in range(DICE) if mask >> place & 1]
        mean = 0.0
        for fallen in product(NUMBERS, repeat=len(free)):
            rolled = list(dice)
            for place, number in zip(free, fallen, strict=True):
                rolled[place] = number
            mean += values[numbers()[tuple(rolled)]] / 6 ** len(free)
        kept = [0 if place in free else number for place, number in enumerate(dice)]
        assert worth[state(kept)] == pytest.approx(mean)


def state(kept):
    """Return the number of a kept state."""
    number = 0
    for digit in kept:
        number = number * 7 + digit
    return number


def test_the_best_dice_to_roll_again_are_the_best_of_all_choices():
    """CH-2.1: of all 64 choices none is worth more, for all 6^6 rolls of an arbitrary worth."""
    values = [float((number * 7919) % 101) for number in range(len(rolls()))]
    worth = expected(values)
    kept, best = best_kept(worth)
    for dice in SOME:
        number = numbers()[dice]
        every = [
            worth[state([0 if mask >> p & 1 else n for p, n in enumerate(dice)])] for mask in MASKS
        ]
        assert best[number] == pytest.approx(max(every), abs=1e-5)
        assert worth[kept[number]] == best[number]


@pytest.mark.parametrize("price", [-0.5, 0.0, 0.5])
def test_a_turn_brings_its_optimum_at_a_price(price):
    """Exactly, over all rolls: what the bot's own answers bring is the optimum, to 0.01 %."""
    bot = Priced(price)
    t = new_table()
    view = view_of(t)
    free = [[place for place in range(DICE) if mask >> place & 1] for mask in MASKS]

    def kept(made):
        states = []
        for dice in rolls():
            again = free[bot.answer(view, Reroll(dice, made))]
            states.append(state([0 if place in again else n for place, n in enumerate(dice)]))
        return states

    known = {}
    values = []
    sets = turned()
    for number, dice in enumerate(rolls()):
        if sets.place[number] not in known:
            mask = bot.answer(view, Score(dice, 1))
            found = next(each for each in all_sets(dice) if each.mask == mask)
            known[sets.place[number]] = found.worth - price * found.gift
        values.append(known[sets.place[number]])
    brought = average(followed(followed(values, kept(2)), kept(1)))
    best = optimum(price).value
    assert abs(brought - best) <= 0.0001 * best


def test_the_outcomes_of_a_turn_at_a_price_have_its_value_on_average():
    """All there may be, by their chances, make what the turn is worth."""
    likely = outcomes(PRICE)
    assert sum(likely.values()) == pytest.approx(1)
    mean = sum((points - PRICE * gift) * chance for (points, gift), chance in likely.items())
    assert mean == pytest.approx(optimum(PRICE).value, abs=1e-4)


def test_the_best_turn_at_a_price_is_the_optimum_at_that_price():
    """CH-2.1: two ways to reckon it, over all rolls and over one roll for all its turns."""
    at_a_price = BestTurn({(w, g): w - 0.5 * g for w, g in kept_states().outcomes})
    known = optimum(0.5)
    assert at_a_price.worth == pytest.approx(known.value, abs=1e-4)
    for dice in SOME:
        for made in (1, 2):
            again, worth = at_a_price.again(dice, made)
            number = numbers()[dice]
            assert worth == pytest.approx(known.worth[made - 1][number], abs=1e-4)
            worths = at_a_price.rerolls(dice, made)
            assert worths[known.again[made - 1][number]] == pytest.approx(worth, abs=1e-4)
            assert worths[again] == max(worths)


# -- the last round -------------------------------------------------------------------------------


def test_in_a_last_turn_the_expert_gets_the_best_share_of_the_win():
    """CH-4: against an oracle of its own, in undecided last turns."""
    from tests.charidice.last_turns import LastTurn, last_turns

    turns = [LastTurn(*each) for each in last_turns(range(12), b"ci")]
    undecided = [each for each in turns if each.undecided]
    assert len(undecided) >= 2
    for each in undecided[:2]:
        assert each.of("expert") >= 0.999 * each.best


def test_what_a_turn_before_the_last_wins_is_what_the_last_one_leaves():
    """CH-4: two seats, one to play; its outcomes one by one, the game ended by its rules."""
    t = new_table(2)
    t.round = ROUNDS
    t.greatest = [False, False]
    for seat, (points, given) in enumerate([(200, 40), (204, 45)]):
        t.points[seat] = [points, *[0] * (ROUNDS - 2)]
        t.given[seat] = [given, *[0] * (ROUNDS - 2)]
    brought = [(30, 0), (30, 6), (42, 0), (24, 20)]
    found = last_shares(t, 0, brought)
    for points, gift in brought:
        share = 0.0
        for (theirs, back), chance in outcomes(PRICE).items():
            end = t.copy()
            for seat, more, gives in ((0, points, gift), (1, theirs, back)):
                end.points[seat].append(more)
                end.given[seat].append(gives)
                end.received[1 - seat].append(gives)
            ending(end)
            share += chance * (0 in winners(end)) / len(winners(end))
        assert found[points, gift] == pytest.approx(share, abs=0.03)


def test_prospects_are_shares_and_meet_the_rules_at_the_end():
    """Before the end they add up to one; at the end the winners have it all (CH-4.2)."""
    t = play("strong", "casual", "beginner", seed=b"prospects").table
    t.charity = []
    won = winners(t)
    assert CharidiceProspects(t).shares() == [(seat in won) / len(won) for seat in range(3)]
    before = new_table(3)
    assert CharidiceProspects(before).shares() == pytest.approx([1 / 3] * 3)
    before.points[1].append(60)
    assert sum(CharidiceProspects(before).shares()) == pytest.approx(1)


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [2, 4])
def test_prospects_are_fitted_to_games_that_go_as_those_of_the_rules(seats):
    """What is scored and given away in many games side by side is what ``strong`` brings home."""
    np = pytest.importorskip("numpy")
    from scripts.prospects import Games

    tables = [play(*["strong"] * seats, seed=b"side by side %d" % n).table for n in range(100)]
    games = Games(seats, 4000, np.random.default_rng(1))
    games.play(0, seats * ROUNDS)
    for found, column in (
        (games.scores, [t.total(seat) for t in tables for seat in range(seats)]),
        (games.given, [sum(t.given[seat]) for t in tables for seat in range(seats)]),
    ):
        error = np.std(column) / len(column) ** 0.5
        assert found.mean() == pytest.approx(np.mean(column), abs=3 * error)


def test_after_a_turn_the_share_is_that_of_the_table_it_leaves():
    """What the bot plays for and what a position is worth are one thing, but for the gifts to come
    of the seat that looks."""
    fit = replace(fitted(4), own=0.0)
    t = new_table(4)
    t.round = 3
    for seat in range(4):
        t.points[seat], t.given[seat] = [30 + seat, 20], [9, 4 * seat]
    found = CharidiceProspects(t, 2, fit).after(2, [(40, 12)])
    t.points[2].append(40)
    t.given[2].append(12)
    t.received[3].append(12)
    assert found[40, 12] == pytest.approx(CharidiceProspects(t, fit=fit).shares()[2], abs=1e-8)


def test_who_looks_expects_to_give_away_more_than_others_do():
    """It plays for charity; its neighbour receives what it gives."""
    t, fit = new_table(4), replace(fitted(4), own=2.0)
    t.greatest = [False] * 4
    found = CharidiceProspects(t, 2, fit)
    usual, more = ROUNDS * fit.gift, (ROUNDS - 1) * (fit.gift + fit.own)
    assert found.given == pytest.approx([usual, usual, more, usual])
    points = ROUNDS * fit.points
    assert found.scores == pytest.approx(
        [points + usual, points + usual, points - fit.points + usual, points + more]
    )


# -- demands -------------------------------------------------------------------------------------


def last_turn(given, *others):
    """Return the table of the last turn of a game, with what all have given before."""
    t = new_table(1 + len(others))
    t.round = ROUNDS
    t.given[0] = [given, *[0] * (ROUNDS - 2)]
    for seat, each in enumerate(others, 1):
        t.given[seat] = [each, *[0] * (ROUNDS - 1)]
    return t


def test_a_demand_is_worth_less_the_fewer_turns_are_left():
    """CH-3.2: waiting brings what the turns to come bring; in the last one any gift will do."""
    later = demands().later
    assert list(later) == sorted(later)
    assert later[0] == 0
    for dice in SOME:
        assert pays(numbers()[dice], 2, 1)


def test_a_demand_is_made_when_it_brings_more_than_waiting():
    """CH-3.2: sixes lying about that are not wanted are worth demanding, a run is not."""
    rich = max(range(len(rolls())), key=lambda number: added(number, 2))
    poor = min(range(len(rolls())), key=lambda number: added(number, 2))
    assert added(rich, 2) > 10 > 1 > added(poor, 2)
    assert pays(rich, 2, ROUNDS)
    assert pays(rich, 1, ROUNDS) == (added(rich, 1) >= waiting(rich, 1, ROUNDS))
    assert not pays(poor, 2, ROUNDS)


# -- the players ---------------------------------------------------------------------------------


def test_the_plan_changes_when_the_gift_is_to_count_double():
    """CH-3.2: a warned giver may roll other dice again, and deducts both what it gives."""
    t = new_table(2)
    t.pass_on(0)
    bot = Priced(1.0)
    before = [bot.answer(view_of(t), Reroll(dice, 2)) for dice in SOME]
    t.demanded = True
    after = [bot.answer(view_of(t), Reroll(dice, 2)) for dice in SOME]
    assert before != after
    assert after == [optimum(2.0).again[1][numbers()[dice]] for dice in SOME]


def test_one_bot_can_advise_every_seat():
    """What it has planned for one seat and turn is not used for another."""
    t = last_turn(30, 50, 300)
    t.pass_on(0)
    bot = ai.make("expert", b"", GAME.name)
    question = Reroll((6, 6, 5, 4, 4, 1), 1)
    bot.answer(view_of(t, 0), question)
    t.given[2] = t.given[2][:-1]
    for seat in (2, 0):
        fresh = ai.make("expert", b"", GAME.name)
        assert bot.answer(view_of(t, seat), question) == fresh.answer(view_of(t, seat), question)


def test_the_giver_gives_and_the_miser_does_not():
    """CH-4.1: of four players the giver has given most and the miser least, game after game."""
    for number in range(3):
        t = play("giver", "casual", "miser", "casual", seed=b"%d" % number).table
        given = [sum(column) for column in t.given]
        assert given[0] > given[2]


def test_the_beginner_keeps_what_it_has_most_of():
    """Equal numbers or one colour, whichever are more."""
    assert most_alike((3, 3, 3, 3, 1, 2)) == 0b001111
    assert most_alike((1, 6, 5, 4, 3, 2)) == ALL
    bot = ai.make("beginner", b"", GAME.name)
    view = view_of(new_table())
    assert bot.answer(view, Reroll((3, 3, 3, 3, 1, 2), 1)) == 0
    assert bot.answer(view, Demand(2, (1,) * 6, 1)) == 1
    assert bot.answer(view, Score((3, 3, 3, 3, 3, 3), 1)) == ALL


@pytest.mark.parametrize("bot", ["casual", "strong", "expert", "giver", "miser"])
def test_a_reason_goes_with_every_answer(bot):
    """Whoever plays by the optimum can say why; the answer is the one it gives."""
    t = new_table(4)
    t.pass_on(0)
    player = ai.make(bot, b"", GAME.name)
    for dice in SOME[:6]:
        for question in (Demand(0, dice, 1), Reroll(dice, 2), Score(dice, 1)):
            seat = 1 if isinstance(question, Demand) else 0
            hint = player.explain(view_of(t, seat), question)
            assert hint.answer == player.answer(view_of(t, seat), question)
            assert ai.worded(hint, GAME.name, ["a", "b", "c", "d"])


def test_stronger_levels_win_more():
    """Over a few hundred games against beginners each level wins more than its share."""
    for bot in ("casual", "strong"):
        wins = 0
        for number in range(60):
            bots = ["beginner", "beginner"]
            bots.insert(number % 3, bot)
            game = play(*bots, seed=b"level %d" % (number // 3))
            wins += number % 3 in GAME.result(game.table).winners
        assert wins > 25


def test_strong_scores_more_than_casual():
    """Over 300 deals of two, each played from both seats, the better level leads."""
    plan = make_plan(GAME.name, ["strong", "casual"], seed=7, seats=2)
    rows = from_csv("".join(play_deals(Task(plan, 0, 300)).rows).splitlines())
    leads = 0
    for game in rows:
        seat = game.line_up.index(0)
        leads += game.scores[seat] - game.scores[1 - seat]
    assert leads > 0
