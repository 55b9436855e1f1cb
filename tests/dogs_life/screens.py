"""The golden screens of A Dog's Life."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from lanplay.engine.chance import Chance
from lanplay.engine.game import Result
from lanplay.engine.question import Phrase
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.games.dogs_life.actions import legal
from lanplay.games.dogs_life.questions import Act, Steer
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay.ui.scene import Scene
from tests.dogs_life.plain_bot import PlainBot
from tests.dogs_life.script import at, new_table
from tests.tui.gallery import waiting
from tests.tui.harness import NAMES, asked_in

GAME = load("dogs-life")

FOLDER = Path(__file__).parent / "screens"


def playing(seats, seed=1, first=None, **options):
    """Return a fresh game of plain bots; ``first`` may have another bot for seat 0."""
    chosen = {key: values[0] for key, values in GAME.options.items()} | options
    header = Header(GAME.name, chosen, NAMES[:seats], bytes([seed]) * 32)
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


def laid(seats=4):
    """Return a table in the middle of a game, laid out by hand: no deck matters to it."""
    t = new_table(seats)
    t.round = 7
    places = ("L7", "L8", "c", "F9", "E3")
    t.place = [at(key) for key in places[:seats]]
    t.place[3], t.pound[3] = NOWHERE, 2
    t.hunger = [3, 1, 4, 2, 0][:seats]
    t.buried = [2, 0, 3, 1, 1][:seats]
    t.bones = [1, 0, 2, 0, 0][:seats]
    t.papers = [[20], [21, 22], [], [], [23]][:seats]
    t.stack = [*range(24, 32)]
    t.bladder = [2, 0, 1, 2, 1][:seats]
    t.lying[at("K6")] = 1
    t.lying[at("N7")] = 2
    t.dropped = {at("N7"): [31], at("L12"): [30]}
    t.stack = [*range(24, 30)]
    t.marks[at("N6")] = t.marks[at("M9")] = 1
    t.marks[at("G6")] = 2
    t.searched = 0b1011010010
    t.van, t.came = at("L5"), at("L6")
    t.points = 5
    return t


def seen(t, seat=0):
    """Return the view of a seat that carries newspaper 5."""
    view = View(seat, t, None, [])
    view.own = {20: 4}
    return view


def act(t, seat=0):
    return Act(legal(t, seat), t.points, tuple(t.papers[seat]), TOWN.number[t.place[seat]])


def asking(person, t, question, keys=()):
    """Show a table at which seat 0 is asked something, after some keys."""
    table = person.table(NAMES[: t.seats], GAME)
    view = seen(t)
    table.sees(lambda: Scene(t, NAMES[: t.seats], view, {0: question}))
    table.happened(t.round, Phrase("moves", {"seat": 1, "place": at("L8")}))
    table.happened(t.round, Phrase("fights", {"seat": 1, "other": 3, "own": 2, "its": 1}))
    table.happened(t.round, Phrase("beaten", {"seat": 3}))
    return waiting(person, table, table.answer, view, question, keys=keys)


def start(person):
    """The first action of a game: everybody is at home, nothing lies about."""
    t = new_table(5)
    return asking(person, t, act(t))


def acting(person):
    """In the middle of a game, with things carried, marks in the streets and searched bins."""
    t = laid()
    return asking(person, t, act(t))


def pointing(person):
    """A place in reach is pointed at."""
    t = laid()
    return asking(person, t, act(t), ("down", "down", "left"))


def warned(person):
    """The actions are to end, with points left."""
    t = laid()
    return asking(person, t, act(t), ("2",))


def steering(person):
    t = laid()
    t.points, t.die = 0, 5
    return asking(person, t, Steer(t.van, t.came, 5), ("right", "up"))


@asynccontextmanager
async def watching(person):
    t = laid(5)
    table = person.table(NAMES, GAME)
    table.sees(lambda: Scene(t, NAMES, None, {0: act(t)}))
    person.stage.push(table)
    yield person


def result(person):
    t = laid(3 + 1)
    t.winners, t.buried = (2,), [2, 0, 4, 1]
    table = person.table(NAMES[:4], GAME)
    table.sees(lambda: Scene(t, NAMES[:4], seen(t)))
    for count in range(4):
        table.happened(t.round, Phrase("buries", {"seat": 2, "bones": count + 1}))
    table.happened(t.round, Phrase("caught", {"seat": 3}))
    ended = Result(tuple(t.buried), t.winners)
    return waiting(person, table, table.over, ended, True, partial(list[str]))


SCREENS = {
    "start": start,
    "acting": acting,
    "pointing": pointing,
    "warned": warned,
    "steering": steering,
    "watching": watching,
    "result": result,
}
"""Every screen by name: an asynchronous context in which it is shown."""
