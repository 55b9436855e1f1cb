"""A game looked at again: what luck and decisions changed adds up, and a blunder has its price."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import reduce
from itertools import islice
from operator import add

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.question import answers
from lanplay.engine.record import Header, Record, RecordError
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.games.charidice.questions import Score
from lanplay.games.charidice.sets import dice_set
from lanplay.ui.retrospect import retrospect
from lanplay.ui.review import balance, review
from lanplay_ai.values import Worth
from tests.replaying.test_stepping import simulated

BOTS = ("expert", "beginner", "random")


class Watched:
    """A bot whose answers may be changed."""

    def __init__(self, bot, blunder=None):
        self.bot, self.blunder = bot, blunder

    def answer(self, view, question):
        answer = self.bot.answer(view, question)
        return self.blunder(view, question, answer) if self.blunder else answer


def played(game, bots=BOTS, luck=b"review", blunder=None, **chosen):
    """Return the rules, the record and the result of a game; the first bot may blunder."""
    rules = load(game)
    options = {name: values[0] for name, values in rules.options.items()} | chosen
    agents = [ai.make(bot, luck + b"%d" % seat, game) for seat, bot in enumerate(bots)]
    agents[0] = Watched(agents[0], blunder)
    header = Header(game, options, bots, luck)
    play = Simulation(rules, header, agents, Chance(luck))
    play.run()
    record = Record(header, tuple(play.referee.history), play.table.hash())
    return rules, record, rules.result(play.table)


@pytest.mark.parametrize("game", NAMES)
def test_a_record_of_another_seed_is_refused_before_anything_is_told(game):
    """It holds for a replay; what its seed gives is not what was played."""
    rules, record, _ = played(game, BOTS[1:])
    other = replace(record, header=replace(record.header, seed=b"y" * 32))
    with pytest.raises(RecordError, match="another state"):
        next(review(rules, other))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seeded", [True, False])
@pytest.mark.parametrize("game", NAMES)
def test_luck_and_decisions_add_up_to_the_result(game, seeded):
    """Of each seat, whoever played and whether hidden faces are known: the share and the score."""
    rules, record, end = played(game, BOTS[1:])
    if not seeded:
        record = replace(record, header=replace(record.header, seed=None))
    steps = list(review(rules, record, seats=(-1,)))
    assert [step.place for step in steps] == sorted({step.place for step in steps})
    assert sum(each.share for each in steps[0].gains) == pytest.approx(1)
    for seat in range(2):
        whole = reduce(add, balance(seat, steps).values())
        assert whole.share == pytest.approx(end.share(seat), abs=1e-9)
        assert whole.points == pytest.approx(end.scores[seat], abs=1e-9)
    for step in steps[1:]:
        assert sum(each.share for each in step.gains) == pytest.approx(0, abs=1e-9)
    assert not any(step.decisions for step in steps)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("game", ["charidice", "dogs-life"])
def test_who_decides_as_the_best_bot_pays_nothing_and_who_draws_lots_does(game):
    """The same answer costs nothing; of what was drawn by lot, the best is told in words."""
    decisions = []
    for luck in (b"review", b"review 2"):  # costs are estimates: one game may come out lucky
        rules, record, _ = played(game, luck=luck)
        steps = review(rules, record, seats=(0, 2))
        decisions += [d for step in steps for d in step.decisions]
    own = [each for each in decisions if each.seat == 0]
    lots = [each for each in decisions if each.seat == 2]
    assert own
    assert all(each.cost == Worth() for each in own if each.answer == each.best)
    assert sum(each.cost.share for each in lots) > 0.002
    dear = {type(each.question).__name__ for each in lots if each.cost.share > 0.001}
    assert dear & {"Reroll", "Act"}
    assert all(each.instead for each in lots)


def worst(view, question, answer):
    """The set that scores least, in Charidice's last turn."""
    if isinstance(question, Score) and view.table.round == 7:
        every = [dice_set(question.dice, each) for each in answers(question, view) if each]
        return min((each for each in every if each), key=lambda each: each.worth).mask
    return answer


def test_giving_away_the_win_in_the_last_turn_costs_all_of_it():
    """CH-4: exact in Charidice's last turn: the set that wins against the worst one."""

    rules, record, end = played("charidice", ("strong", "casual"), b"w2", worst)
    steps = [step for step in review(rules, record, seats=(0,)) if step.round == 7]
    [(step, thrown)] = [
        (step, each)
        for step in steps
        for each in step.decisions
        if isinstance(each.question, Score)
    ]
    assert end.winners == (1,)
    assert thrown.cost.share == pytest.approx(1, abs=1e-4)
    assert [each.share for each in step.gains] == pytest.approx([-1, 1], abs=1e-4)


def test_own_hands_are_known_from_what_was_seen():
    """Of a game between laptops, whose record has no seed: the same prices as with it."""
    record, seen = simulated(seats=3)
    rules, public = load("dice-town"), replace(record, header=replace(record.header, seed=None))
    seen.seats = (1,)

    def first(*how):
        steps = islice(review(rules, *how), 20)
        return [d.best for step in steps for d in step.decisions if d.seat == 1]

    assert first(public, (1,)) == []
    assert first(public, (1,), seen) == first(record, (1,)) != []


def test_what_was_decided_by_cards_that_were_not_seen_is_not_priced():
    """Somebody else stood in for the seat, and saw them: the rest of the game is told."""
    record, seen = simulated(seats=3)
    rules, public = load("dice-town"), replace(record, header=replace(record.header, seed=None))
    seen.seats = (1,)
    for card in [*seen.cards[1]][::2]:
        del seen.cards[1][card]
    assert len([*islice(review(rules, public, (1,), seen), 130)]) == 130


@pytest.mark.parametrize(("game", "together"), [("fliptown", True), ("charidice", False)])
def test_decisions_made_at_once_with_others_are_told_where_there_are_any(game, together):
    rules, record, _won = played(game, ("beginner", "random"))
    *_, told = islice(retrospect(rules, record, ("Ann", "Bo")), 3)
    assert ("made at once with others" in told) == together


def numbers(line):
    return [float(each) for each in re.findall(r"[+-]?\d+(?:\.\d+)?", line)]


def test_luck_and_decisions_are_told_in_words():
    """Of each seat what adds up to its end, twice; then at most three decisions, dearest first."""
    rules, record, end = played("fliptown", BOTS[1:])
    told = list(retrospect(rules, record, ("Ann", "Bo")))
    ends = [line.rpartition(": ")[2] for line in told if "at first" in line]
    shares = [round(100 * end.share(seat)) for seat in range(2)]
    assert ends == [f"{each} at the end." for each in (*shares, *end.scores)]
    sums = [sum(numbers(line)) for line in told if "at first" in line]
    assert sums == pytest.approx([2 * each for each in (*shares, *end.scores)]), "to the point"
    dear = [line for line in told if " points): " in line and "Better" in line]
    costs = [numbers(line)[1:3] for line in dear]
    assert 3 < len(costs) <= 6
    assert costs[0][0] >= costs[1][0] >= costs[2][0]
    assert costs[0][1] > 1, "a chance drawn by lot costs points, too"
    ways = [line.partition(" points): ")[2].split(" Better: ") for line in dear]
    assert all(a.split(";")[0] != b.split(";")[0] for a, b in ways), "told from where they part"
    assert any(a.startswith("… ") and b.startswith("… ") for a, b in ways)


def test_who_plays_alone_is_told_of_points():
    """Nobody else can win; what cost at least half a point is told."""
    rules, record, end = played("fliptown", ("random",))
    heading, line, *dear = retrospect(rules, record, ("Ann",))
    assert "in points" in heading
    assert line.endswith(f": {end.scores[0]} at the end.")
    assert numbers(dear[1])[2] >= numbers(dear[2])[2] >= 0.5


@pytest.mark.parametrize(("bot", "wins"), [("random", False), ("strong", True)])
def test_a_game_against_a_cowbot_may_be_lost_by_all(bot, wins):
    """FT-9.4: its share of the win is nobody's, and all adds up."""
    rules, record, end = played("fliptown", (bot,), cowbot="bart", level="easy")
    assert bool(end.winners) == wins
    parts = balance(0, list(review(rules, record, seats=(-1,))))
    assert 0.2 < parts["even"].share < 1
    whole = reduce(add, parts.values())
    assert whole.share == pytest.approx(float(wins), abs=1e-9)
    assert whole.points == pytest.approx(end.scores[0], abs=1e-9)


def test_points_of_a_set_in_the_last_turn_of_charidice_are_exact():
    """CH-4: what scores most costs nothing in points, and another set what it scores less."""

    rules, record, _end = played("charidice", ("strong", "casual"), b"w2", worst)
    [thrown] = [
        each
        for step in review(rules, record, seats=(0,))
        for each in step.decisions
        if step.round == 7 and isinstance(each.question, Score)
    ]
    scored, best = (
        dice_set(thrown.question.dice, each).worth for each in (thrown.answer, thrown.best)
    )
    assert thrown.cost.points >= best - scored > 0
