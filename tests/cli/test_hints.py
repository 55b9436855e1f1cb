"""The command ``hint``: what a person at a table reads."""

from __future__ import annotations

import re

import pytest
import trio

from lanplay.cli.advice import Advice
from lanplay.engine.view import View
from lanplay.games.charidice import questions as q
from lanplay.games.charidice.dice import faces
from lanplay.games.charidice.table import CharidiceTable
from lanplay.games.charidice.text import dice_text, word
from lanplay.language import TAGS, speaking

NAMES = ("Ann", "Bob")
ROLLS = ((1, 2, 3, 4, 5, 6), (6, 6, 1, 2, 3, 3), (1, 1, 1, 2, 4, 5))


class Screen:
    """Keeps what is replied."""

    pause = 0.0

    def __init__(self):
        self.said, self.hinted = [], trio.Event()

    def reply(self, text):
        self.said.append(text)
        if len(self.said) == 2:
            self.hinted.set()


async def hinted(question):
    """Return the hint for a question of Charidice as it is shown."""
    t = CharidiceTable(2)
    t.round, t.first, t.active, t.dice, t.rolls = 1, 0, 0, question.dice, question.rolls
    screen = Screen()
    advice = Advice("charidice", NAMES, screen, lambda message: word(message, NAMES))
    async with advice.asked(View(0, t, None, []), question):
        next(each for each in advice.commands if each.name == "hint").run("")
        with trio.fail_after(60):
            await screen.hinted.wait()
    return screen.said[-1]


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("dice", ROLLS)
async def test_a_hint_to_roll_again_names_the_dice(dice, tag):
    """CH-2.1: it ends with dice of the roll, and with one full stop."""
    with speaking(tag):
        said = await hinted(q.Reroll(dice, 1))
        rolled = dice_text(faces(dice)).split()
    assert ". ." not in said
    named = re.search(r": ([^:]+)\.$", said).group(1).split(", ")
    assert named
    assert {*named} <= {*rolled}


@pytest.mark.parametrize("tag", ["cs", "hu"])
async def test_a_hint_has_decimal_commas(tag):
    """What is expected is written as the language writes it."""
    with speaking(tag):
        said = await hinted(q.Reroll(ROLLS[0], 1))
    assert re.search(r"\d,\d", said)
    assert not re.search(r"\d\.\d", said)
