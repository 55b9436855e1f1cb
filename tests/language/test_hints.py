"""Every hint names what it advises: the dice, cards, places, players or amounts to pick."""

from __future__ import annotations

from functools import cache

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.dialogue import PickSome
from lanplay.engine.question import picked
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.games.charidice.dice import PLACES, faces
from lanplay.games.charidice.text import die_text
from lanplay.games.dice_town import questions as dt
from lanplay.games.fliptown import questions as ft
from lanplay.language import TAGS, speaking
from lanplay.ui.decision import nothing
from lanplay.ui.hints import spelt
from lanplay_ai.random_agent import RandomAgent
from tests.ai.test_bots import view_of
from tests.dice_town.script import card, claim, give, new_table
from tests.language.reading import PEOPLE, faults, hints_of, texts_of

KINDS = {
    "dice-town": {
        "keep", "play", "cheat", "wanted", "joe", "store", "rob", "take", "keep-loot", "doc",
        "offer", "decide", "doc-order", "winner",
    },
    "charidice": {"demand", "reroll", "score"},
    "fliptown": {"move", "replace", "cheat", "preach", "bribe", "redraw", "fine"},
    "dogs-life": {"act", "steer"},
}  # fmt: skip
"""The questions of each game that leave a choice."""
ENOUGH = 30
"""Questions of one kind that are asked about."""
GAMES = {"dice-town": 8, "charidice": 2, "fliptown": 40, "dogs-life": 2}


def rare():
    """Yield questions of Dice Town that whole games seldom ask, with the views of their seats."""
    joe, wanted, brute = card("joe"), card("wanted"), card("brute")
    cheaters = [card("cheater", which) for which in (0, 1)]
    t = new_table(3)
    t.dollars, t.nuggets = [5, 4, 3], [1, 2, 3]
    give(t, 0, wanted, brute, *cheaters, claim(1), claim(2), claim(3))
    own = (joe, wanted, brute, *cheaters, claim(1), claim(2), claim(3))
    view = view_of(t, 0, "99JQA", own)
    yield view, dt.Winner((0, 1))
    yield view, dt.Winner((1, 2))
    yield view, dt.DeclareJoe(joe, (1, 2))
    yield view, dt.Buy((joe, card("marshal")), (1, 2))
    yield view, dt.DocOrder((1, 2))
    yield view, dt.DocOrder((0, 1, 2))
    yield view, dt.Keep(5, 5, (wanted, brute, *cheaters), "free")
    yield view, dt.Keep(5, 0, (wanted, brute, *cheaters), "one_extra")
    t.dice = [(0, 1, 2, 3, 3), (0, 0, 2, 2, 4), (5, 5, 1, 1, 4)]
    yield view, dt.DiceTownCheat((3, 3), tuple(cheaters))


def asked_in(game):
    """Yield what seats are asked in games of random bots, with all options, as long as it lasts."""
    rules = load(game)
    for number in range(GAMES[game]):
        seats = list(rules.seats)[number % len(rules.seats)]
        options = {name: every[number % len(every)] for name, every in rules.options.items()}
        if game == "fliptown":
            options["characters"] = "random"
        header = Header(game, options, PEOPLE[:seats], b"hints %d" % number)
        agents = [RandomAgent(b"%d %d" % (number, seat)) for seat in range(seats)]
        played = Simulation(rules, header, agents, Chance(b"hints %d" % number))
        while played.request is not None:
            if isinstance(played.request, Choose):
                for seat, question in played.request.questions.items():
                    yield played.views[seat], question
            played.step()
    if game == "dice-town":
        yield from rare()


def followed(dialogue, steps):
    """Return the answer of a dialogue in which these options are picked, wrapped in a tuple."""
    step = next(dialogue)
    for prompt, options in steps:
        assert step.prompt == prompt
        values = tuple(option.value for option in options)
        try:
            step = dialogue.send(values if isinstance(step, PickSome) else values[0])
        except StopIteration as end:
            return (end.value,)
    return None


@cache
def hints(game):
    """Return hints for every kind of question.

    What following them leads to, question, hint, what is picked, and that in words by language.
    """
    adviser, text = ai.adviser(game, bytes(32)), texts_of(game)
    counts, found = dict.fromkeys(KINDS[game], 0), []
    for view, question in asked_in(game):
        if question.only_answer(view) is not None or counts[question.name] >= ENOUGH:
            continue
        counts[question.name] += 1
        hint = adviser.explain(view, question)
        steps = picked(question, view, hint.answer)
        found.append((followed(question.dialogue(view), steps), question, hint, steps, {}))
    for tag in TAGS:
        with speaking(tag):
            for _answer, _question, hint, steps, said in found:
                advice = spelt(steps, lambda message: text.word(message, PEOPLE))
                said[tag] = f"{ai.worded(hint, game, PEOPLE)} {advice}"
    return counts, found


@pytest.mark.parametrize("game", NAMES)
def test_hints_are_asked_for_at_every_kind_of_question(game):
    """Rare ones too: the oracle below has seen all."""
    counts, _ = hints(game)
    assert [name for name, count in counts.items() if not count] == []


@pytest.mark.parametrize("game", NAMES)
def test_what_a_hint_names_leads_to_the_answer(game):
    """Whoever picks what it says, step by step, gives the answer that the bot would give."""
    for answer, question, hint, _steps, _said in hints(game)[1]:
        assert answer == (hint.answer,), question


@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("game", NAMES)
def test_a_hint_names_what_is_to_be_picked(game, tag):
    """All options of all steps, or that there are none, in the person's language; it reads well."""
    text = texts_of(game)
    with speaking(tag):
        for _answer, question, _hint, steps, said in hints(game)[1]:
            assert steps, question
            for prompt, options in steps:
                assert text.word(prompt, PEOPLE) in said[tag]
                labels = [text.word(option.label, PEOPLE) for option in options] or [nothing()]
                assert [each for each in labels if each not in said[tag]] == []
            assert faults(said[tag], tag) == [], said[tag]


@pytest.mark.parametrize("tag", TAGS)
def test_a_hint_to_roll_again_names_the_dice(tag):
    """CH-2.1: exactly those of the mask, or that one stops; a mask was once worded as no dice."""
    rolled = [each for each in hints("charidice")[1] if each[1].name == "reroll"]
    assert len(rolled) == ENOUGH
    with speaking(tag):
        for _answer, question, hint, _steps, said in rolled:
            named = [die_text(faces(question.dice)[place]) for place in PLACES[hint.answer]]
            assert said[tag].endswith(f": {', '.join(named) or nothing()}.")


@pytest.mark.parametrize("game", NAMES)
def test_a_hint_says_what_its_figure_counts(game):
    """No bare number: a chance is a chance, and what is expected are points or bones."""
    unit = {"dogs-life": "bones"}.get(game, "points")
    for _answer, _question, hint, _steps, said in hints(game)[1]:
        assert (hint.worth is not None) == ("Expected" in said["en"])
        if hint.worth is not None:
            assert unit in said["en"].partition("Expected")[2].partition(". ")[0]
        if hint.odds is not None:
            assert "Chance that" in said["en"]
    assert hints_of(game).word


def test_the_questions_that_leave_a_choice_are_all_there():
    """A new kind of question has to be among those that hints are read for."""
    amounts = {
        each.name
        for each in (ft.Replace, ft.FliptownCheat, ft.Preach, ft.Bribe, ft.Redraw, ft.Fine)
    }
    assert KINDS["fliptown"] == amounts | {"move"}
    exported = [getattr(dt, name) for name in dt.__all__]
    every = {each.name for each in exported if isinstance(each, type)}
    assert KINDS["dice-town"] == every - {"denounce"}
