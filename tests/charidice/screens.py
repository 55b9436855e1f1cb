"""The golden screens of Charidice."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path

from lanplay.games import load
from tests.tui.gallery import asking, over
from tests.tui.harness import NAMES, asked_in, game_of, scene_of

GAME = load("charidice")

FOLDER = Path(__file__).parent / "screens"


def _deciding(person, kind, seats=4, first=1, keys=()):
    """Show a table at which a question is open in round ``first`` or later, after some keys."""
    played = game_of(3, seats, GAME.name)
    while played.table.round < first:
        played.step()
    table = person.table(NAMES[:seats], GAME)
    return asking(person, table, played, *asked_in(played, kind), keys)


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


def result(person):
    return over(person, person.table(NAMES[:4], GAME), game_of(3, 4, GAME.name))


SCREENS = {
    "reroll": reroll,
    "score": score,
    "one-by-one": one_by_one,
    "demand": demand,
    "watching": watching,
    "result": result,
}
"""Every screen by name: an asynchronous context in which it is shown."""
