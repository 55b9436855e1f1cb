"""The golden screens: ``python -m tests.charidice.screens`` writes them anew."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path

import trio

from lanplay.engine.game import Result
from lanplay.games.charidice import GAME
from tests.tui.gallery import Gallery
from tests.tui.harness import NAMES, asked_in, game_of, scene_of

FOLDER = Path(__file__).parent / "screens"


@asynccontextmanager
async def _deciding(person, kind, seats=4, first=1, keys=()):
    """Show a table at which a question is open in round ``first`` or later, after some keys."""
    played = game_of(3, seats, GAME.name)
    while played.table.round < first:
        played.step()
    view, question = asked_in(played, kind)
    table = person.table(NAMES[:seats], GAME)
    table.sees(lambda: scene_of(played, view))
    for message in played.table.log[-30:]:
        table.happened(message)
    person.stage.push(table)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.answer, view, question)
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        for key in keys:
            table.press(key)
        yield person
        nursery.cancel_scope.cancel()


def reroll(person):
    return _deciding(person, "reroll", 4, 3, ("1", "4"))


def score(person):
    return _deciding(person, "score", 2, 5)


def one_by_one(person):
    """The last option: the dice of a set picked one by one."""
    return _deciding(person, "score", 3, 7, (*["down"] * 8, "enter", "1", "2"))


def demand(person):
    return _deciding(person, "demand")


@asynccontextmanager
async def watching(person):
    played = game_of(4, 3, GAME.name)
    while not (played.table.demanded and played.table.rolls == 2):
        played.step()
    table = person.table(NAMES[:3], GAME)
    table.sees(lambda: scene_of(played))
    person.stage.push(table)
    yield person


@asynccontextmanager
async def result(person):
    played = game_of(3, 4, GAME.name)
    table = person.table(NAMES[:4], GAME)
    table.sees(lambda: scene_of(played, played.views[0]))
    while played.request is not None:
        played.step()
        for message in played.table.log:
            table.happened(message)
        played.table.log.clear()
    person.stage.push(table)
    async with trio.open_nursery() as nursery:
        ended = GAME.result(played.table)
        nursery.start_soon(table.over, Result(ended.scores, ended.winners), True)
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        yield person
        nursery.cancel_scope.cancel()


SCREENS = {
    "reroll": reroll,
    "score": score,
    "one-by-one": one_by_one,
    "demand": demand,
    "watching": watching,
    "result": result,
}
"""Every screen by name: an asynchronous context in which it is shown."""


GALLERY = Gallery(FOLDER, SCREENS)

if __name__ == "__main__":
    GALLERY.write()
