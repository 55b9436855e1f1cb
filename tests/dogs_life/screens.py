"""The golden screens: ``python -m tests.dogs_life.screens`` writes them anew."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path

import trio

from lanplay.engine.chance import Chance
from lanplay.engine.game import Result
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.games.dogs_life import GAME
from tests.dogs_life.plain_bot import PlainBot
from tests.tui.gallery import Gallery
from tests.tui.harness import NAMES, asked_in, scene_of

FOLDER = Path(__file__).parent / "screens"


def playing(seats, seed=1, first=None, **options):
    """Return a fresh game of plain bots; ``first`` may have another bot for seat 0."""
    chosen = {key: values[0] for key, values in GAME.options.items()} | options
    header = Header(GAME.name, GAME.version, chosen, NAMES[:seats], bytes([seed]) * 32)
    bots = [PlainBot(b"%d %d" % (seed, seat)) for seat in range(seats)]
    bots[0] = first or bots[0]
    played = Simulation(GAME, header, bots, Chance(bytes([seed]) * 32))
    played.table.log = []
    return played


def deciding(kind, seats=4, nth=6, seed=1, seat=0):
    """Return a game in which a seat is asked a kind of question for the ``nth`` time."""
    played = playing(seats, seed)
    for _ in range(nth - 1):
        assert asked_in(played, kind, seat)
        played.step()
    return played, *asked_in(played, kind, seat)


@asynccontextmanager
async def asking(person, found, keys=()):
    """Show a table at which a question is open, after some keys."""
    played, view, question = found
    table = person.table(NAMES[: played.table.seats], GAME)
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


def start(person):
    """The first action of a game: everybody is at home."""
    return asking(person, deciding("act", nth=1))


def pointing(person):
    """A place in reach is pointed at, and the way there."""
    return asking(person, deciding("act", nth=30), ("up", "up", "right"))


def acting(person):
    """In the middle of a game, with things carried, marks in the streets and searched bins."""
    return asking(person, deciding("act", nth=70, seed=2))


def steering(person):
    return asking(person, deciding("steer", nth=8), ("up", "right"))


@asynccontextmanager
async def watching(person):
    played = deciding("act", 5, nth=90, seed=3)[0]
    table = person.table(NAMES[:5], GAME)
    table.sees(lambda: scene_of(played))
    person.stage.push(table)
    yield person


@asynccontextmanager
async def result(person):
    played = playing(3, 4, bones="2")
    table = person.table(NAMES[:3], GAME)
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
    "start": start,
    "pointing": pointing,
    "acting": acting,
    "steering": steering,
    "watching": watching,
    "result": result,
}
"""Every screen by name: an asynchronous context in which it is shown."""


GALLERY = Gallery(FOLDER, SCREENS)

if __name__ == "__main__":
    GALLERY.write()
