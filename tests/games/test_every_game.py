"""What holds for every game, whatever its rules."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.plain import decode, encode
from lanplay.engine.question import answers, choices
from lanplay.engine.record import Header, Record, RecordError
from lanplay.engine.replay import Replay, boundary
from lanplay.engine.requests import Choose, Deal, Round, Shuffle
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.language import TAGS, speaking
from scripts.golden import folder, playthrough

ROOT = Path(__file__).resolve().parents[2]
TABLES = [(name, seats) for name in NAMES for seats in load(name).seats]


def simulation(name, seats, seed=b"every", bot="random", start=None):
    game = load(name)
    options = {option: values[seats % len(values)] for option, values in game.options.items()}
    header = Header(name, options, ("x",) * seats, seed, start)
    agents = [ai.make(bot, seed + b"%d" % seat, name) for seat in range(seats)]
    return Simulation(game, header, agents, Chance(seed))


@cache
def played(name, seats):
    """Return a whole game of random agents."""
    game = simulation(name, seats)
    game.run()
    return game


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_golden_playthrough_is_unchanged(name, seats):
    """A game that a person can read is played again to the letter (scripts/golden.py renews it)."""
    stored = (folder(name) / f"{seats}_seats.txt").read_text(encoding="utf-8")
    assert playthrough(name, seats) == stored


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_is_cited_by_a_test(name):
    """Every rule number of the rules page stands in a test of the game's folder."""
    stem = name.replace("-", "_")
    page = (ROOT / "docs" / "rules" / f"{stem}.md").read_text(encoding="utf-8")
    rules = set(re.findall(r"\*\*([A-Z]{2}-\d+\.\d+)", page))
    tests = (ROOT / "tests" / stem).glob("test_*.py")
    cited = set(re.findall(r"[A-Z]{2}-\d+\.\d+", "".join(p.read_text("utf-8") for p in tests)))
    assert len(rules) >= 10
    assert sorted(rules - cited) == []


@pytest.mark.parametrize("name", NAMES)
def test_an_altered_answer_is_no_record_of_the_game(name):
    """No entry can be left out of a record unnoticed."""
    game = played(name, 3)
    history = tuple(game.referee.history)
    made = Record(game.header, history[:5] + history[6:], game.table.hash())
    with pytest.raises((RecordError, ValueError, TypeError)):
        Replay(load(name), made).run()


def follow(question, view):
    only_answer = question.only_answer(view)
    if only_answer is not None:
        question.check(only_answer[0])
        question.check_own(only_answer[0], view)
    for turn in range(5):
        dialogue = question.dialogue(view)
        try:
            step = next(dialogue)
            while True:
                legal = [choice for choice, _ in zip(choices(step), range(80), strict=False)]
                step = dialogue.send(legal[turn * 7 % len(legal)])
        except StopIteration as end:
            question.check(end.value)
            question.check_own(end.value, view)
            if only_answer is not None:
                assert end.value == only_answer[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_question_can_be_answered_without_the_dice_under_the_cup(name):
    """As a stand-in is asked where hands stay sealed, by every bot; one that does not need them
    can be answered as with them."""
    bots = [ai.make(bot, b"blind", name) for bot in ai.names(name)]
    game = simulation(name, 2, b"blind", "casual")
    seen = {}
    while (request := game.request) is not None:
        for seat, question in request.questions.items() if isinstance(request, Choose) else ():
            view, cup = game.views[seat], game.views[seat].cup
            kind = type(question), getattr(question, "dice", 0), getattr(question, "dollars", 0)
            if cup and seen.setdefault(kind, 0) < 3:
                seen[kind] += 1
                before = list(islice(answers(question, view), 80))
                view.cup = ()
                follow(question, view)
                assert question.needs_cup or list(islice(answers(question, view), 80)) == before
                for bot in bots if question.only_answer(view) is None else ():
                    answer = bot.answer(view, question)
                    question.check(answer)
                    question.check_own(answer, view)
                view.cup = cup
        game.step()
    assert seen or name != "dice-town"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_rounds_are_numbered_and_every_one_can_be_started_from(name, seats):
    """The boundary of each round gives a table like it, plain data that plays on to a result."""
    game = simulation(name, seats)
    rules, header = load(name), game.header
    rounds = []
    while (request := game.request) is not None:
        if isinstance(request, Round):
            rounds.append((request.number, game.table.copy(), len(game.referee.history)))
        game.step()
    assert [number for number, _, _ in rounds] == list(range(1, len(rounds) + 1))
    for number, t, length in rounds[::3]:
        start = decode(encode(rules.snapshot(t)))
        assert boundary(rules, header, game.referee.history[:length]).hash() == t.hash()
        anew = simulation(name, seats, b"anew", start=start)
        while not isinstance(anew.request, Round):
            assert isinstance(anew.request, Shuffle | Deal)
            anew.step()
        assert anew.request.number == number
        assert rules.snapshot(anew.table) == start
        anew.run()
        assert len(rules.result(anew.table).scores) == seats


BOTS = [(name, bot) for name in NAMES for bot in ai.names(name)]


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_the_common_levels(name):
    """Beginner, casual, strong and expert: what a person can name whatever the game."""
    levels = {"random", "beginner", "casual", "strong", "expert"}
    assert levels <= {bot.level for bot in ai.bots(name).values()}
    assert levels <= set(ai.names(name))


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_every_answer_of_a_bot_is_legal_and_hangs_on_its_key_alone(name, bot):
    """The referee refuses nothing in a whole game, and the same game comes again."""
    ends = []
    for _ in range(2):
        game = simulation(name, load(name).seats.start, b"bots", bot)
        game.run()
        ends.append(game.table.hash())
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", NAMES)
def test_hints_are_given_with_reasons(name):
    """The adviser says why, in every language, what it would answer itself."""
    game = simulation(name, 3, b"hints", "strong")
    adviser = ai.adviser(name, b"key")
    asked = 0
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            for seat, question in request.questions.items():
                view = game.views[seat]
                if question.only_answer(view) is None and asked < 60:
                    asked += 1
                    hint = adviser.explain(view, question)
                    question.check(hint.answer)
                    question.check_own(hint.answer, view)
                    assert hint.answer == adviser.answer(view, question)
                    for tag in TAGS:
                        with speaking(tag):
                            assert ai.worded(hint, name, ["a", "b", "c"])
        game.step()
    assert asked
