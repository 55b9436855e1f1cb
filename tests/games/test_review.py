"""A game looked at again: what luck and decisions changed adds up, and a blunder has its price."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.question import answers
from lanplay.engine.record import Header, Record, RecordError
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load, manifest
from lanplay.games.charidice.questions import Score
from lanplay.games.charidice.sets import dice_set
from lanplay.ui.retrospect import retrospect
from lanplay.ui.review import balance, review
from lanplay_ai.values import ValuedPosition
from tests.replaying.test_stepping import simulated

BOTS = ("expert", "beginner", "random")


class Watched:
    """A bot whose answers may be changed."""

    def __init__(self, bot, blunder=None):
        self.bot, self.blunder = bot, blunder

    def answer(self, view, question):
        answer = self.bot.answer(view, question)
        return self.blunder(view, question, answer) if self.blunder else answer


def played(game, bots=BOTS, luck=b"review", blunder=None):
    """Return the rules, the record and the winners of a game; the first bot may blunder."""
    rules = load(game)
    options = {name: values[0] for name, values in rules.options.items()}
    agents = [ai.make(bot, luck + b"%d" % seat, game) for seat, bot in enumerate(bots)]
    agents[0] = Watched(agents[0], blunder)
    header = Header(game, options, bots, luck)
    play = Simulation(rules, header, agents, Chance(luck))
    play.run()
    record = Record(header, tuple(play.referee.history), play.table.hash())
    return rules, record, rules.result(play.table).winners


def first_shares(rules, record):
    play = Simulation(rules, record.header, [None] * len(record.header.seats), Chance(b""))
    values = manifest(rules.name).values.load()
    return values.shares(ValuedPosition(play.table, play.request, []))


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
    """Of each seat, whoever played and whether hidden faces are known: the share of the win."""
    rules, record, won = played(game, BOTS[1:])
    first = first_shares(rules, record)
    if not seeded:
        record = replace(record, header=replace(record.header, seed=None))
    steps = list(review(rules, record, seats=(-1,)))
    assert [step.place for step in steps] == sorted({step.place for step in steps})
    assert sum(first) == pytest.approx(1)
    for seat, even in enumerate(first):
        found = balance(seat, even, steps)
        share = (seat in won) / len(won)
        parts = found.even + found.luck + found.own + found.shared + found.others
        assert parts == pytest.approx(share, abs=1e-9)
    assert all(sum(step.gains) == pytest.approx(0, abs=1e-9) for step in steps)
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
    assert all(each.cost == 0 for each in own if each.answer == each.best)
    assert sum(each.cost for each in lots) > 0.002
    dear = {type(each.question).__name__ for each in lots if each.cost > 0.001}
    assert dear & {"Reroll", "Act"}
    assert all(each.instead for each in lots)


def test_giving_away_the_win_in_the_last_turn_costs_all_of_it():
    """CH-4: exact in Charidice's last turn: the set that wins against the worst one."""

    def worst(view, question, answer):
        if isinstance(question, Score) and view.table.round == 7:
            every = [dice_set(question.dice, each) for each in answers(question, view) if each]
            return min((each for each in every if each), key=lambda each: each.worth).mask
        return answer

    rules, record, won = played("charidice", ("strong", "casual"), b"w2", worst)
    steps = [step for step in review(rules, record, seats=(0,)) if step.round == 7]
    [(step, thrown)] = [
        (step, each)
        for step in steps
        for each in step.decisions
        if isinstance(each.question, Score)
    ]
    assert won == (1,)
    assert thrown.cost == pytest.approx(1, abs=1e-4)
    assert step.gains == pytest.approx((-1, 1), abs=1e-4)


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


@pytest.mark.parametrize(("game", "together"), [("fliptown", True), ("charidice", False)])
def test_decisions_made_at_once_with_others_are_told_where_there_are_any(game, together):
    rules, record, _won = played(game, ("beginner", "random"))
    *_, told = islice(retrospect(rules, record, ("Ann", "Bo")), 3)
    assert ("made at once with others" in told) == together


def test_luck_and_decisions_are_told_in_words():
    """Of each seat what adds up to its end; then at most three decisions, dearest first."""
    rules, record, won = played("fliptown", BOTS[1:])
    told = list(retrospect(rules, record, ("Ann", "Bo")))
    ends = [line.rpartition(": ")[2] for line in told if "at first" in line]
    assert ends == [f"{100 * (seat in won) // len(won)} at the end." for seat in range(2)]
    sums = [sum(map(int, re.findall(r"[+-]?\d+", line))) for line in told if "at first" in line]
    assert sums == [2 * 100 * (seat in won) // len(won) for seat in range(2)], "to the point"
    costs = [int(line.split()[2]) for line in told if " %: " in line and "Better" in line]
    assert 3 < len(costs) <= 6
    assert costs[:3] == sorted(costs[:3], reverse=True)
    ways = [line.partition(" %: ")[2].split(" Better: ") for line in told if " %: " in line]
    assert all(a.split(";")[0] != b.split(";")[0] for a, b in ways), "told from where they part"
    assert any(a.startswith("… ") and b.startswith("… ") for a, b in ways)
