"""A hint can be taken step by step with one key, and stays until the question is answered."""

from __future__ import annotations

from itertools import islice

import pytest
import trio

from lanplay.engine.question import answers
from lanplay.games import load
from lanplay.ui.decision import Decision
from tests.tui.harness import NAMES, Person, asked_in, game_of, scene_of

KINDS = {"fliptown": "move", "dice-town": "keep", "charidice": "reroll", "dogs-life": "act"}


@pytest.mark.parametrize("game", KINDS)
async def test_one_key_takes_a_hint_step_by_step_and_enter_gives_it(game):
    """It leads back from wherever one was; before the last step nothing is given.

    To who has gone another way it says that, and not why it leads where it does.
    """
    played = game_of(3, name=game)
    view, question = asked_in(played, KINDS[game], 0)
    wanted = list(islice(answers(question, view), 30))[-1]
    path = tuple(question.path(view, wanted))
    person, given = Person(), []
    table = person.table(NAMES[:4], load(game))
    table.sees(lambda: scene_of(played, view))
    person.stage.push(table)

    async def ask():
        given.append(await table.answer(view, question))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        nursery.start_soon(person.stage.run)
        await person.press("enter" if game == "fliptown" else "down")
        table.advised("Because.", question, path)
        while not given and table._asked.decision.step is not None:
            strayed = table._asked.advised_next()[2]
            assert ("Because." in person.text()) != strayed
            assert ("The hint goes another way." in person.text()) == strayed
            await person.press("h")
        if not given:
            assert table._asked.decision.answer == wanted
            await person.press("enter")
        assert given == [wanted]
        assert "Because." not in person.text()
        nursery.cancel_scope.cancel()


def test_who_strays_is_led_back_and_what_cannot_be_picked_is_not():
    played = game_of(3, name="fliptown")
    view, question = asked_in(played, "move", 0)
    every = [tuple(question.path(view, each)) for each in islice(answers(question, view), 400)]
    first = every[0]
    other = every[-1]
    decision = Decision(view, question)
    while decision.follow(first):
        pass
    assert decision.follow(other) or decision.ready
    while decision.follow(other):
        pass
    assert decision.ready
    assert tuple(question.path(view, decision.answer)) == other
    assert not decision.follow(other)
