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
from lanplay.engine.question import Illegal, Phrase, Pick, answers, choices
from lanplay.engine.record import Header, Record, RecordError, from_bytes
from lanplay.engine.redeal import HIDDEN
from lanplay.engine.replay import Replay, boundary
from lanplay.engine.requests import Choose, Deal, Mix, OpenRoll, Roll, Round, Shuffle
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.games.wording import summary_of, words_of
from lanplay.language import TAGS, speaking
from scripts.golden import folder, playthrough

ROOT = Path(__file__).resolve().parents[2]
TABLES = [(name, seats) for name in NAMES for seats in load(name).seats]
ODD = (None, True, -1, 2**63, (), (1,), ((),), (0, 0), ((0,), ()), 1.5, "1", b"1")


def simulation(name, seats, seed=b"every", bot="random", start=None):
    game = load(name)
    options = {option: values[seats % len(values)] for option, values in game.options.items()}
    header = Header(name, game.version, options, ("x",) * seats, seed, start)
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


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_game_replays_from_its_public_record(name, seats):
    """The answers and what was shown lead to the same state, without any hidden face."""
    game = played(name, seats)
    made = Record(game.header, tuple(game.referee.history), game.table.hash())
    replay = Replay(load(name), from_bytes(made.to_bytes()))
    replay.run()
    assert replay.table.hash() == game.table.hash()
    assert load(name).result(replay.table) == load(name).result(game.table)


@pytest.mark.parametrize("name", NAMES)
def test_an_altered_answer_is_no_record_of_the_game(name):
    """No entry can be left out of a record unnoticed."""
    game = played(name, 3)
    history = tuple(game.referee.history)
    made = Record(game.header, history[:5] + history[6:], game.table.hash())
    with pytest.raises((RecordError, ValueError, TypeError)):
        Replay(load(name), made).run()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_event_and_every_question_has_words(name, seats):
    """In every language: events, questions, prompts, options, notes and reasons of whole games."""
    words, summary = words_of(name), summary_of(name)
    names = [f"seat {seat}" for seat in range(seats)]
    game = simulation(name, seats, b"words")
    game.table.log = []
    messages = []
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            for seat, question in request.questions.items():
                view = game.views[seat]
                if question.only_answer(view) is None:
                    messages += worded(view, question)
                    assert all(summary.situation(view, names))
        game.step()
    messages += game.table.log
    for tag in TAGS:
        with speaking(tag):
            for message in messages:
                line = words.word(message, names)
                assert line
                assert "{" not in line


def worded(view, question):
    """Yield what is to be put into words of the first step of a question."""
    yield Phrase(f"ask-{question.name}", question.values())
    dialogue = question.dialogue(view)
    try:
        step = next(dialogue)
    except StopIteration:
        return
    yield step.prompt
    for option in step.options:
        yield option.label
        if option.why_not is not None:
            yield option.why_not.message
    if not isinstance(step, Pick):
        every = tuple(option.value for option in step.options)
        for some in (every, every[:1], ()):
            for found in (step.note(some), step.why_not(some)):
                if found is not None:
                    yield found if isinstance(found, Phrase) else found.message


@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_answered_is_judged(name):
    """Any answer of a modified program is legal, or refused with a rule and words for why."""
    words = words_of(name)
    game = simulation(name, 3, b"odd")
    kinds = {}
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            kinds |= {type(question): question for question in request.questions.values()}
        game.step()
    assert len(kinds) > 1
    for question in kinds.values():
        for answer in ODD:
            try:
                question.check(answer)
            except Illegal as illegal:
                assert re.fullmatch(r"[A-Z]{2}-\d+\.\d+", illegal.rule)
                assert words.word(illegal.message, ["a", "b", "c"])


@pytest.mark.parametrize("name", NAMES)
def test_every_path_of_a_dialogue_ends_in_a_legal_answer(name):
    """What a screen offers is legal; a sole answer is legal too."""
    game = simulation(name, 2, b"paths")
    seen = {}
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            for seat, question in request.questions.items():
                if seen.setdefault(type(question), 0) < 3:
                    seen[type(question)] += 1
                    follow(question, game.views[seat])
        game.step()
    assert seen


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


@pytest.mark.parametrize("name", NAMES)
def test_no_slot_of_chance_is_used_twice(name):
    """No two rolls share a slot, under a cup or open, and no two shuffles or mixes."""
    game = simulation(name, 4, b"slots")
    dice, cards = [], []
    while (request := game.request) is not None:
        if isinstance(request, Roll | OpenRoll):
            dice.append(request.at)
            assert isinstance(request, Roll) or request.sides <= 1 << 16
        elif isinstance(request, Shuffle | Mix):
            cards.append(request.at)
        game.step()
    assert len(set(dice)) == len(dice)
    assert len(set(cards)) == len(cards)
    assert len(dice) + len(cards) > 3


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


@pytest.mark.parametrize("name", NAMES)
def test_an_impossible_start_is_refused(name):
    """What a stranger says of a boundary is checked: every field left out, doubled or altered."""
    rules = load(name)
    options = {option: values[0] for option, values in rules.options.items()}
    game = simulation(name, 3)
    while not (isinstance(game.request, Round) and game.request.number == 2):
        game.step()
    start = rules.snapshot(game.table)
    rules.table(3, options, start)
    wrong = [None.__class__, (), {}, 7, "x", {**start, "more": 1}]
    for field in start:
        wrong.append({other: start[other] for other in start if other != field})
        odds = [odd for odd in (-2, (), "x", None, (HIDDEN,) * 99, (1.5,)) if odd != start[field]]
        wrong += [{**start, field: odd} for odd in odds]
    for each in wrong:
        with pytest.raises(ValueError):
            rules.table(3, options, each)


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_is_independent(name):
    """A copied table has the same state and shares nothing that changes."""
    game = simulation(name, 3, b"copy")
    for _ in range(40):
        game.step()
    twin = game.table.copy()
    before = twin.hash()
    assert before == game.table.hash()
    game.run()
    assert twin.hash() == before != game.table.hash()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("wrong", ["seats", "option"])
def test_a_table_that_cannot_be_is_refused(name, wrong):
    """Another number of seats, or an option that the game does not have."""
    rules = load(name)
    seats, options = (99, {}) if wrong == "seats" else (rules.seats.start, {"no-such": "x"})
    with pytest.raises(ValueError, match=name):
        rules.table(seats, options)


BOTS = [(name, bot) for name in NAMES for bot in ai.names(name)]


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_the_common_levels(name):
    """Beginner, casual, strong and expert: what a person can name whatever the game."""
    levels = {"random", "beginner", "casual", "strong", "expert"}
    assert levels <= {bot.level for bot in ai.bots(name).values()}
    assert levels <= set(ai.names(name))


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
