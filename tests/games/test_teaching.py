"""What games teach: every key stands for something, and every option of a card has its effect."""

from __future__ import annotations

import re

import pytest

from lanplay.check.seen import phrases, questions, table_of
from lanplay.engine.question import Phrase
from lanplay.games import NAMES, load
from lanplay.games.dice_town.cards import STORE
from lanplay.games.teaching import Lessons, lessons_of
from lanplay.language import TAGS, speaking

CELLS = 66
"""What an effect may take beside the name of its option."""


def texts(game: str) -> dict[str, dict[str, str]]:
    return dict(lessons_of(game)._texts)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("game", NAMES)
def test_an_effect_is_a_line_and_no_rule_in_plain_words_cites_a_number_or_ours(game, tag):
    with speaking(tag):
        lessons = lessons_of(game)
        for name, text in texts(game)["plain"].items():
            question = type("Q", (), {"name": name, "values": lambda self: {}})()
            said = lessons.plain(question)
            assert said
            assert not re.search(r"[A-Z]{2}-\d|\*\*|\|", said), text
        for name in texts(game)["effects"]:
            said = Lessons(texts(game), lambda label: label.id).effect(Phrase(name))
            assert 0 < len(said) <= CELLS, said


@pytest.mark.parametrize("game", NAMES)
def test_every_question_of_a_game_has_its_rule_in_plain_words(game):
    rules = load(game)
    for seed in (b"plain", b"words"):
        for view, question in questions(table_of(rules, rules.seats[-1], seed)):
            step = next(question.dialogue(view), None)
            assert lessons_of(game).plain(question, step and step.prompt), question


def test_every_store_card_tells_its_effect():
    """DT-6."""
    lessons = lessons_of("dice-town")
    for face in range(len(STORE)):
        assert lessons.effect(Phrase("card", {"card": face}))


@pytest.mark.parametrize("game", NAMES)
def test_no_text_is_taught_that_nothing_leads_to(game):
    """Keys of effects are ids of the game's options, or kinds, things and buildings of theirs."""
    from lanplay.games.wording import words_of

    known = set(words_of(game).WORDING.templates) | set(STORE) | {"equipment"}
    for name in texts(game)["effects"]:
        assert name in known or re.fullmatch(r"(item|building)-\d+", name), name


def test_phrases_of_a_question_are_what_its_effects_are_found_by():
    game = load("dice-town")
    seen = set()
    for view, question in questions(table_of(game, 4, b"effects")):
        for phrase in phrases(view, question):
            if lessons_of("dice-town").effect(phrase):
                seen.add(phrase.id)
    assert "card" in seen
