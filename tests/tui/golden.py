"""The golden screens: ``python -m tests.tui.golden`` writes them anew from the real screens."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import lanplay_ai as ai
from lanplay.language import _
from lanplay.session.events import Absence
from lanplay.tui.front_end import PASSWORD
from lanplay.tui.screens.asking import ChoiceScreen, SecretScreen
from lanplay.tui.screens.forming import FormingScreen
from lanplay.tui.screens.lobby import LobbyScreen
from lanplay.tui.screens.opening import OpeningScreen
from lanplay.ui.commands import Command
from lanplay.ui.lobby import Listing, Offer, Row
from lanplay.ui.menu import LEAVING
from lanplay_protocol.lobby import Guest, Seat, TableInfo
from tests.tui.gallery import Gallery, asking, over, waiting
from tests.tui.harness import GAME, NAMES, game_of, position, scene_of

LEAVE = Command("q", LEAVING["waits"][0], print, sure=LEAVING["waits"][1])
FOLDER = Path(__file__).parent / "golden"
ROWS = (
    Row("0" * 32, "Ann's table", "dice-town", 4, 3, False, False, ("Ann",)),
    Row("1" * 32, "東京", "dice-town", 5, 0, True, True, ("Běla", "Cyril", "Dana")),
    Row(
        "2" * 32,
        "An old one with a very long name",
        "dice-town",
        4,
        2,
        False,
        False,
        ("Emil",),
        closed="'An old one' has another version: lanplay 0.0.9, older than 0.1.0 here: "
        "lanplay share gives it this one.",
    ),
)


def _deciding(person, kind, keys=()):
    table = person.table(NAMES[:4])
    table.commands = lambda: (LEAVE,)
    return asking(person, table, *position(kind), keys)


def keep(person):
    return _deciding(person, "keep", ("1", "3"))


def offer(person):
    return _deciding(person, "offer")


def decide(person):
    return _deciding(person, "decide")


def store(person):
    return _deciding(person, "store")


def summary(person):
    return _deciding(person, "keep", ("enter",))


def leaving(person):
    return _deciding(person, "keep", ("q",))


def help_(person):
    return _deciding(person, "keep", ("?",))


@asynccontextmanager
async def watching(person):
    played, _view, _question = position("decide", 5)
    table = person.table()
    table.sees(lambda: scene_of(played))
    table.notice("Dana is gone; the game waits.")
    person.stage.push(table)
    yield person


@asynccontextmanager
async def missing(person):
    """Two laptops are missed, one of them counted down; a person is away."""
    played, view, _question = position("decide", 5)
    absent = (Absence(NAMES[1], frozenset({1}), 31.5), Absence(NAMES[2], frozenset({2})))
    scene = replace(scene_of(played, view), absent=absent, away=frozenset({0}))
    yield _held_up(person, scene)


@asynccontextmanager
async def stuck(person):
    """One of two laptops is missed while the other has paused the game."""
    played, view, _question = position("keep", 2)
    absent = (Absence(NAMES[1], frozenset({1})),)
    scene = replace(scene_of(played, view), absent=absent, stuck=True, paused_by=(NAMES[0],))
    yield _held_up(person, scene)


def _held_up(person, scene):
    table = person.table(scene.names)
    keys = {"hurry": "H", "wait": "W", "anew": "G", "go": "u"}
    commands = tuple(Command(name, "", print, key=key) for name, key in keys.items())
    table.commands = lambda: commands
    table.sees(lambda: scene)
    person.stage.push(table)
    return person


def words(person):
    table = person.table()
    question = "The words of this table: thumb kind brain\nAll the same?"
    return waiting(person, table, table.agree, question)


def result(person):
    return over(person, person.table(NAMES[:4]), game_of(3))


@asynccontextmanager
async def lobby(person):
    listing = Listing(ROWS, "A game of yours can go on.", version="0.1.0")
    person.stage.push(LobbyScreen(person.stage, lambda: listing))
    yield person


@asynccontextmanager
async def empty_lobby(person):
    problem = "This system does not let lanplay look for tables."
    listing = Listing((), "", problem, version="0.1.0")
    person.stage.push(LobbyScreen(person.stage, lambda: listing))
    yield person


@asynccontextmanager
async def opening(person):
    names = ("random", "beginner", "casual", "strong", "expert", "miner", "banker", "sheriff")
    every = ai.bots("dice-town")
    bots = {name: every[name].summary for name in names}
    offers = (Offer("dice-town", GAME.seats, GAME.options, bots),)
    person.stage.push(OpeningScreen(person.stage, offers, "dice-town", "strong"))
    yield person


def forming(person):
    host, guest = bytes(32), bytes([1]) * 32
    seats = (
        Seat("Ann", host),
        Seat("Běla Příšerná", guest),
        Seat("strong 3", host, "strong"),
        Seat(),
    )
    guests = (Guest(host, "Ann", ()), Guest(guest, "Běla Příšerná", ()))
    options = (("claim_row", "recycle"), ("brute", "free"))
    info = TableInfo("0" * 32, "Ann's table", "dice-town", 2, options, seats, guests)
    screen = FormingScreen(person.stage, lambda game: ("random", "strong"))
    screen.seats(info)
    screen.say("Table 'Ann's table' is open on port 40123.")
    return waiting(person, screen, screen.host, lambda line: False)


@asynccontextmanager
async def choice(person):
    keys = {"enter": "yes", "n": "no", "d": "drop for good", "q": "leave"}
    person.stage.push(ChoiceScreen(person.stage, "Go on with it?\n\nType y for yes.", keys))
    yield person


@asynccontextmanager
async def password(person):
    words = ("Password of the table: ", "Password:")
    screen = SecretScreen(*words, _(PASSWORD))
    for letter in "secret":
        screen.press(letter)
    person.stage.push(screen)
    yield person


SCREENS = {
    "keep": keep,
    "offer": offer,
    "decide": decide,
    "store": store,
    "summary": summary,
    "leaving": leaving,
    "help": help_,
    "watching": watching,
    "missing": missing,
    "stuck": stuck,
    "words": words,
    "result": result,
    "lobby": lobby,
    "empty-lobby": empty_lobby,
    "opening": opening,
    "forming": forming,
    "choice": choice,
    "password": password,
}
"""Every screen by name: an asynchronous context in which it is shown."""


BOARDS = ("charidice", "dogs_life", "fliptown")
"""The other games; each has a gallery of its own board in the folder of its tests."""


def galleries():
    """Return all golden screens by folder of tests; ``tui`` has Dice Town's too."""
    modules = {name: import_module(f"tests.{name}.screens") for name in BOARDS}
    boards = {name: Gallery(module.FOLDER, module.SCREENS) for name, module in modules.items()}
    return {"tui": Gallery(FOLDER, SCREENS), **boards}


if __name__ == "__main__":
    for gallery in galleries().values():
        gallery.write()
