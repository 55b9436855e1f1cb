"""A first game: the coach speaks where something is new, each line once, and falls silent."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from lanplay.check.seen import questions, table_of
from lanplay.games import NAMES, load
from lanplay.games.dice_town.poker import DICE
from lanplay.games.dice_town.text import FACES
from lanplay.games.teaching import lessons_of
from lanplay.language import TAGS, speaking
from lanplay.ui.coach import Coach


@pytest.mark.parametrize("game", NAMES)
def test_the_goal_is_three_sentences_in_every_language(game):
    goals = []
    for tag in TAGS:
        with speaking(tag):
            goals.append(tuple(Coach(game).goal()))
    assert [len(goal) for goal in goals] == [3] * len(TAGS)
    assert len(set(goals)) == len(TAGS)


@pytest.mark.parametrize("game", NAMES)
def test_each_line_comes_once_at_first_sight_and_the_coach_falls_silent(game):
    rules = load(game)
    coach = Coach(game)

    def tips():
        for view, question in questions(table_of(rules, rules.seats[-1], b"tutor")):
            if question.only_answer(view) is None:
                yield coach.tip(view, question)

    said = list(tips())
    lines = [text for text in said if text]
    assert said[0], "the first question is explained"
    assert len(lines) >= 5
    assert max(Counter(lines).values()) == 1
    assert not any("{" in text for text in lines)
    assert not any(tips()), "nothing is new any more"


def test_a_coach_of_a_game_that_was_left_goes_on_with_what_is_at_hand(tmp_path):
    """Goal and lines do not come again, but for that of the last question; whoever ends it has no
    coach there."""
    notes, rules = tmp_path / "game.coach", load("charidice")

    def tips(coach):
        game = questions(table_of(rules, rules.seats[-1], b"tutor"))
        return filter(None, (coach.tip(view, question) for view, question in game))

    first = Coach("charidice", notes)
    assert first.goal()
    *before, last = islice(tips(first), 3)
    again = Coach("charidice", notes)
    assert not again.goal()
    said = [*tips(again)]
    assert last in said
    assert not set(before) & set(said)
    again.end()
    assert not notes.exists()


def test_notes_that_cannot_be_read_make_a_coach_say_things_again(tmp_path, monkeypatch):
    """The game goes on: a fault of the disk costs the person a sentence twice."""
    notes = tmp_path / "game.coach"
    notes.write_text("said\nlast")

    def failing(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(type(notes), "read_text", failing)
    assert not Coach("charidice", notes).goal()


@pytest.mark.parametrize("game", NAMES)
def test_every_line_of_a_coach_has_its_occasion_and_every_occasion_its_line(game):
    rules, lessons, met = load(game), lessons_of(game), set()
    for seed in (b"a", b"b", b"c"):
        for view, question in questions(table_of(rules, rules.seats[-1], seed)):
            for name, values in lessons.tips(view, question):
                met.add(name)
                assert lessons.coach(name, values)
    assert met <= set(lessons._texts["coach"])
    assert len(set(lessons._texts["coach"]) - met) <= 2, set(lessons._texts["coach"]) - met


def test_the_coach_of_charidice_counts_the_rolls_that_are_left():
    """Called after the second roll, it does not say that two more may follow."""
    lessons, said = lessons_of("charidice"), set()
    for view, question in questions(table_of(load("charidice"), 4, b"rolls")):
        named = [name for name, _values in lessons.tips(view, question)]
        if question.name == "reroll":
            said.add((view.table.rolls, "first-roll" in named))
    assert said == {(1, True), (2, False)}


def test_the_coach_of_dice_town_looks_at_what_the_others_show():
    """A face that nobody else shows may be enough once; one that is out of reach is said to be."""
    lessons, said = lessons_of("dice-town"), {}
    for view, question in questions(table_of(load("dice-town"), 4, b"rivals")):
        if question.name != "keep":
            continue
        t, seat = view.table, view.seat
        for name, values in lessons.tips(view, question):
            if name not in ("free", "lost"):
                continue
            face = next(f for f in set(view.cup) if FACES[f] == values["face"])
            rivals = max(dice.count(face) for other, dice in enumerate(t.dice) if other != seat)
            mine = t.dice[seat].count(face) + DICE - len(t.dice[seat])
            assert (rivals == 0) if name == "free" else (mine < rivals)
            said[name] = said.get(name, 0) + 1
    assert said.keys() == {"free", "lost"}
