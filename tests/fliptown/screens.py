"""The golden screens: ``python -m tests.fliptown.screens`` writes them anew."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path

import trio

from lanplay.engine.game import Result
from lanplay.games.fliptown import GAME
from lanplay.games.fliptown.asks import PLAN
from tests.tui.gallery import Gallery
from tests.tui.harness import NAMES, asked_in, game_of, scene_of

FOLDER = Path(__file__).parent / "screens"


def planning(seats, nth, seed=3, **options):
    """Return a game in which the first seat is asked for its plan for the ``nth`` time."""
    played = game_of(seed, seats, GAME.name, options)
    while True:
        view, question = asked_in(played, "move", 0)
        nth -= PLAN in question.sheet.pool
        if not nth:
            return played, view, question
        played.step()


@asynccontextmanager
async def asking(person, found, keys=()):
    """Show a table at which a question is open, after some keys."""
    played, view, question = found
    seats = played.table.seats
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


def cards(person):
    return asking(person, planning(2, 3, 5, characters="random", holdem="each"))


def values(person):
    """The value card: what it reaches lights up, with prices."""
    return asking(person, planning(2, 3, 5, characters="random", holdem="each"), ("enter",))


def sites(person):
    """The site, in the Mine: the page with it comes by itself."""
    return asking(person, planning(4, 8), ("enter", "enter", "right", "right"))


def inventory(person):
    return asking(person, planning(3, 9, characters="random"), ("v", "v"))


def others(person):
    return asking(person, planning(4, 10), ("o",))


def alone(person):
    return asking(person, planning(1, 7, 6, cowbot="kid", characters="random"), ("v",))


@asynccontextmanager
async def watching(person):
    played = planning(3, 12)[0]
    table = person.table(NAMES[:3], GAME)
    table.sees(lambda: scene_of(played))
    person.stage.push(table)
    yield person


@asynccontextmanager
async def result(person):
    played = game_of(3, 1, GAME.name, {"cowbot": "earp"})
    table = person.table(NAMES[:1], GAME)
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
    "cards": cards,
    "values": values,
    "sites": sites,
    "inventory": inventory,
    "others": others,
    "alone": alone,
    "watching": watching,
    "result": result,
}
"""Every screen by name: an asynchronous context in which it is shown."""


GALLERY = Gallery(FOLDER, SCREENS)

if __name__ == "__main__":
    GALLERY.write()
