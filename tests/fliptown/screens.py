"""The golden screens of Fliptown."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path

from lanplay.games import load
from lanplay.games.fliptown.codes import PLAN
from tests.tui.gallery import asking, over
from tests.tui.harness import NAMES, asked_in, game_of, scene_of

GAME = load("fliptown")

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


def showing(person, found, keys=()):
    """Show a table at which a question is open, after some keys."""
    table = person.table(NAMES[: found[0].table.seats], GAME)
    return asking(person, table, *found, keys)


def cards(person):
    return showing(person, planning(2, 3, 5, characters="random", holdem="each"))


def values(person):
    """The value card: what it reaches lights up, with prices."""
    return showing(person, planning(2, 3, 5, characters="random", holdem="each"), ("enter",))


def sites(person):
    """The site, in the Mine: the page with it comes by itself."""
    return showing(person, planning(4, 8), ("enter", "enter", "right", "right"))


def inventory(person):
    return showing(person, planning(3, 9, characters="random"), ("v", "v"))


def others(person):
    return showing(person, planning(4, 10), ("o",))


def alone(person):
    return showing(person, planning(1, 7, 6, cowbot="kid", characters="random"), ("v",))


@asynccontextmanager
async def watching(person):
    played = planning(3, 12)[0]
    table = person.table(NAMES[:3], GAME)
    table.sees(lambda: scene_of(played))
    person.stage.push(table)
    yield person


def result(person):
    played = game_of(3, 1, GAME.name, {"cowbot": "earp"})
    return over(person, person.table(NAMES[:1], GAME), played)


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
