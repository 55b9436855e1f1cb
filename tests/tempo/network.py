"""Games over the real network code: two people at two laptops on the loopback, and two AI."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import trio

import lanplay_ai as ai
from lanplay.engine.orders import Foreseen, Order
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.audience import OWNER
from lanplay.session.client import NO_PASSWORD, Client
from lanplay.session.settings import Network, Profile, Store, TableWish, Target
from lanplay.session.table import TableSession
from tests.tempo.virtual import GAME, MEAN, READ, SETS, SIGMA


class Laptop:
    """A scripted person at a program of its own; ``spans`` are the times in which it was asked."""

    def __init__(self, session: TableSession, orders: float, luck: Random) -> None:
        self.session, self.luck, self._orders = session, luck, orders
        self.spans: list[tuple[float, float]] = []
        self.began = self.ended = 0.0
        self.opened, self.joined = trio.Event(), trio.Event()
        self.port = ""
        self.outcome: Any = None
        self.over = trio.Event()

    async def run(self) -> None:
        """Play one game."""
        async with trio.open_nursery() as nursery:
            with self.session.subscribe(OWNER) as events:
                nursery.start_soon(self._session)
                async for event in events:
                    self._take(event, nursery)
                    if isinstance(event, e.Ended):
                        break
            self.ended = trio.current_time()
            self.outcome = event.outcome
            self.session.submit(c.LeaveTable())
            self.over.set()

    async def _session(self) -> None:
        await self.session.run()

    def _take(self, event: e.Event, nursery: trio.Nursery) -> None:
        match event:
            case e.LobbyChanged(info=info):
                if "Ben" in [seat.name for seat in info.seats]:
                    self.joined.set()
            case e.TableNotice(text=text) if "is open on port" in text:
                self.port = text.rsplit(" ", 1)[1].strip(".")
                self.opened.set()
            case e.Asked():
                self._since = trio.current_time()
                if not self.began:
                    self.began = self._since
                    self._order(event.seat)
                nursery.start_soon(self._think, event)
            case e.NoLongerAsked():
                self.spans.append((self._since, trio.current_time()))

    def _order(self, seat: int) -> None:
        for card, mode in SETS.items():
            if self.luck.random() < self._orders:
                self.session.submit(c.GiveOrder(seat, card, Order(mode)))

    async def _think(self, asked: e.Asked) -> None:
        seconds = MEAN * self.luck.lognormvariate(-SIGMA * SIGMA / 2, SIGMA)
        if asked.question.pass_answer() is not None:
            seconds += READ
        await trio.sleep(seconds)
        game = self.session._game
        if game is None or all(each.asked is not asked for each in game._seats.people):
            return
        agent, question, view = ai.make("strong", bytes(32), GAME), asked.question, asked.view
        if isinstance(question, Foreseen):
            given = question.given or question.first.only_answer(view)
            first = given[0] if given else agent.answer(view, question.first)
            later = [agent.answer(view, each) for each in question.later(view, first)]
            answer: Any = (first, tuple(later))
        else:
            answer = agent.answer(view, question)
        self.session.submit(c.GiveAnswer(asked.seat, answer))


def client(folder: Path, name: str) -> Client:
    """Return an installation on the loopback."""
    profile = Profile(name, trust_new=True)
    return Client(profile, Store(folder), Network(("127.0.0.1",)), lambda text: None)


async def play(number: int, orders: float, name: str = "") -> tuple[float, float, int]:
    """Play a game; return its seconds, those in which somebody was asked, and its rounds."""
    with TemporaryDirectory() as folder:
        wish = TableWish(GAME, 4, "strong", name=f"tempo {number} {name}")
        hosts = Laptop(
            client(Path(folder, "a"), "Ann").host(wish, NO_PASSWORD), orders, Random(number)
        )
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hosts.run)
            await hosts.opened.wait()
            target = Target(f"127.0.0.1:{hosts.port}")
            joins = Laptop(
                client(Path(folder, "b"), "Ben").join(target, NO_PASSWORD),
                orders,
                Random(-1 - number),
            )
            nursery.start_soon(joins.run)
            await hosts.joined.wait()
            hosts.session.submit(c.StartGame())
            await hosts.over.wait()
            await joins.over.wait()
            nursery.cancel_scope.cancel()
    began, ended = min(hosts.began, joins.began), max(hosts.ended, joins.ended)
    return ended - began, covered([*hosts.spans, *joins.spans]), hosts.outcome.rounds


def covered(spans: list[tuple[float, float]]) -> float:
    """Return how many seconds lie in at least one of some spans."""
    total, end = 0.0, float("-inf")
    for since, until in sorted(spans):
        total += max(0.0, until - max(since, end))
        end = max(end, until)
    return total
