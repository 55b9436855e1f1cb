"""A seat of a real game whose person types into a pipe, and sessions without any front end."""

from __future__ import annotations

import io
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import trio

from lanplay.lines.console import Console
from lanplay.lines.plain import PlainUI
from lanplay.lines.source import Lines
from lanplay.session.client import NO_PASSWORD, Client
from lanplay.session.running import RunningGame
from lanplay.session.settings import Network, Profile, Store
from lanplay.session.table import TableSession
from lanplay.ui.presenter import Presenter
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import GAME, Table, roster

SHORT = {"dogs-life": {"bones": "2"}}
"""The options with which a whole game of random answers takes fewer rounds."""


def client_of(folder=Path(), name="Me", say=lambda text: None, **profile):
    """An installation on the loopback interface."""
    return Client(Profile(name, **profile), Store(Path(folder)), Network(("127.0.0.1",)), say)


class Playing:
    """What a person's commands reach."""

    def __init__(self):
        self.said = []
        self.missing = {1: None}
        self.spectators = ("Cyril",)
        self.chat = SimpleNamespace(paused_by=(), left=None, pauses=(), say=self.say)

    def left(self, until):
        return until

    def set_away(self, seats):
        self.said.append(("away", bool(seats)))

    def skip_wait(self, place):
        self.said.append(("hurry", place))

    def keep_waiting(self, place):
        self.said.append(("wait", place))

    def continue_without(self):
        raise ValueError("enough are here")

    def say(self, text, seat=None):
        self.said.append(("say", text))

    def pause(self, seat=None):
        self.said.append(("pause",))

    def unpause(self, seat=None):
        raise ValueError("the game is not paused")


class Keyboard:
    """A stream whose lines come when they are typed."""

    def __init__(self):
        self.lines = SimpleQueue()

    def readline(self):
        return self.lines.get()


class Front:
    """A front end with one display."""

    def __init__(self, display):
        self.display = display

    def table(self, game, names, alone=False):
        return self.display

    def ahead(self, text):
        raise AssertionError(text)


def keeps(replica):
    return any(question.name == "keep" for _, question in replica._questions())


def at_keep(house=None, trusted=True):
    """A table of three at the first question, and the replica that is looked at."""
    table = Table(roster(3, settings=house or TableSettings(bot="steady")), seed=b"seat")
    table.start()
    table.run(lambda t: keeps(t.replicas[0]), seconds=600)
    return table.replicas[0]


class Seated:
    """A game in a session: ``game`` answers for its seats, ``playing`` is what commands reach."""

    def __init__(self, replica, agents=None, **how):
        self.replica = replica
        self.session = TableSession(client_of(), NO_PASSWORD, lambda session: None)
        pace = self.session.pace
        self.game = RunningGame(replica, agents or {}, self.session.tell, pace=pace, **how)
        self.game.playing = self.playing = Playing()
        self.session.begin(self.game)

    @property
    def left(self):
        """Whether the person has left."""
        return self.session._scope.cancel_called


class Person(Seated):
    """A person at its first question, at the line interface."""

    def __init__(self, idle=0, hints=True, replica=None, **how):
        house = TableSettings(bot="steady", idle_limit=idle, hints=hints)
        super().__init__(replica or at_keep(house), **how)
        if replica is None:
            ((self.seat, self.question),) = self.replica._questions()
            self.view = self.replica.views[self.seat]
        self.keyboard = Keyboard()
        lines = Lines(self.keyboard)
        self.out = io.StringIO()
        ui = PlainUI(GAME, self.replica.roster.names, lines, self.out)
        self.console = Console(lines, ui)
        self.presenter = Presenter(self.session, Front(self.console), lambda ended: None)

    @property
    def said(self):
        return self.out.getvalue()

    def type(self, text):
        self.keyboard.lines.put(text)

    async def command(self, line):
        """Type a command; return whether it was one."""
        obeyed = self.console.obey(line)
        await trio.testing.wait_all_tasks_blocked()
        return obeyed

    async def answer(self):
        answer = await self.game.answer(self.seat, self.view, self.question, "")
        self.question.check(answer)
        return answer


async def sat_down(nursery, **how):
    """A person whose console is shown what happens."""
    person = Person(**how)
    await nursery.start(person.presenter.run)
    await trio.testing.wait_all_tasks_blocked()
    return person
