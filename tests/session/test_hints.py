"""The command ``hint``: what a person at a table reads."""

from __future__ import annotations

import re

import pytest
import trio
import trio.testing

from lanplay.engine.agent import Hint
from lanplay.engine.question import Phrase
from lanplay.engine.view import View
from lanplay.games.charidice import questions as q
from lanplay.games.charidice.dice import faces
from lanplay.games.charidice.table import CharidiceTable
from lanplay.games.charidice.text import dice_text, word
from lanplay.language import TAGS, speaking
from lanplay.session.controllers import PersonSeat
from lanplay.session.events import Asked
from lanplay.session.habits import PersonHabits
from lanplay.session.hints import hinted
from lanplay.session.standing import StandingOrders
from lanplay.ui.hints import hint_text

NAMES = ("Ann", "Bob")
ROLLS = ((1, 2, 3, 4, 5, 6), (6, 6, 1, 2, 3, 3), (1, 1, 1, 2, 4, 5))


async def hint(question):
    """Return the hint for a question of Charidice as it is shown."""
    t = CharidiceTable(2)
    t.round, t.first, t.active, t.dice, t.rolls = 1, 0, 0, question.dice, question.rolls
    asked = Asked(0, question, View(0, t, None, []))
    with trio.fail_after(60):
        found = await hinted("charidice", asked)
    return hint_text(found, "charidice", NAMES, lambda message: word(message, NAMES))


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("dice", ROLLS)
async def test_a_hint_to_roll_again_names_the_dice(dice, tag):
    """CH-2.1: it ends with dice of the roll, and with one full stop."""
    with speaking(tag):
        said = await hint(q.Reroll(dice, 1))
        rolled = dice_text(faces(dice)).split()
    assert ". ." not in said
    named = re.search(r": ([^:]+)\.$", said).group(1).split(", ")
    assert named
    assert {*named} <= {*rolled}


@pytest.mark.parametrize("tag", ["cs", "hu"])
async def test_a_hint_has_decimal_commas(tag):
    """What is expected is written as the language writes it."""
    with speaking(tag):
        said = await hint(q.Reroll(ROLLS[0], 1))
    assert re.search(r"\d,\d", said)
    assert not re.search(r"\d\.\d", said)


async def test_a_hint_is_no_slip(monkeypatch):
    """A bot that slips now and then, by its key, is asked with other keys what it really thinks."""

    class Slips:
        def __init__(self, game, key):
            self.key = key

        def explain(self, view, question):
            reason = "stop" if self.key[0] == 5 else "by-lot"
            return Hint(question.only_answer(view) or (), Phrase(reason))

    monkeypatch.setattr("lanplay_ai.adviser", Slips)
    t = CharidiceTable(2)
    t.dice = ROLLS[0]
    asked = Asked(0, q.Reroll(ROLLS[0], 1), View(0, t, None, []))
    assert (await hinted("charidice", asked)).hint.reason.id == "stop"


async def test_whoever_has_answered_is_asked_no_more():
    """A hint asked for in that moment was taken by nobody any more, and ended the program."""
    standing = StandingOrders({}, "charidice", PersonHabits())
    person = PersonSeat(0, lambda: None, lambda event: None, standing)
    question = q.Reroll(ROLLS[0], 1)
    seen = []

    async def thinks():
        try:
            await trio.sleep_forever()
        finally:
            seen.append(person.asked)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.answer, Asked(0, question, View(0, CharidiceTable(2), None, [])))
        await trio.testing.wait_all_tasks_blocked()
        person.nursery.start_soon(thinks)
        await trio.testing.wait_all_tasks_blocked()
        person.give(0)
    assert seen == [None]
