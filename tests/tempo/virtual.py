"""Whole games of scripted people on a virtual clock: the program's seats and rules, no network.

A person thinks log-normally around its pace before every answer, and reads before a reaction. It is
asked, holds, lapses and takes its time over nothing by the program's own ``OwnSeats``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import trio
import trio.testing

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.orders import Foreseen, Mode, Order, ReactionQuestion, WindowPace
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.games import load, order_book
from lanplay.session import commands as c
from lanplay.session.events import Asked, NoLongerAsked
from lanplay.session.habits import HabitStore
from lanplay.session.seats import BotPace, OwnSeats

GAME: Final = "dice-town"
NET: Final = 0.015
"""Seconds from an answer to all having it: commit and open (docs/measurements.md)."""
AI: Final = 0.05
MEAN, SIGMA, READ = 2.0, 0.5, 0.5
SETS: Final = {"cheater": Mode.NEVER, "marshal": Mode.OWN, "wanted": Mode.OWN}
"""What a person orders that orders anything, of the cards that ask by default."""


@dataclass(slots=True)
class Sent:
    """When an answer to a window left, in seconds after it was opened."""

    game: int
    round: int
    seat: int
    kind: str
    delay: float
    could: bool
    played: bool


@dataclass(slots=True)
class Tally:
    """What was seen of some games: seconds in all, those with somebody asked, and what was sent."""

    total: float = 0.0
    asked: float = 0.0
    looks: int = 0
    least: float = 1e9
    lapsed: int = 0
    games: int = 0
    sent: list[Sent] = field(default_factory=list)
    times: dict[tuple[int, int, int], list[float]] = field(default_factory=dict)

    @property
    def idle(self) -> float:
        """The share of the time in which nobody is asked."""
        return 1 - self.asked / self.total


class Person:
    """A scripted person at its own program."""

    def __init__(self, seat: int, pace: float, luck: Random, store: HabitStore, table: Game):
        self.seat, self.pace, self.luck = seat, pace, luck
        self._table = table
        settings = SimpleNamespace(
            bot="strong", idle_limit=0, hints=True, hide_windows=table.decoys
        )
        roster = SimpleNamespace(
            settings=settings,
            peers=[SimpleNamespace(seats=(seat,))],
            names=[f"p{each}" for each in range(table.seats)],
            game=GAME,
            bot=lambda each: "" if each == seat else "strong",
        )
        replica: Any = SimpleNamespace(
            roster=roster, me=0, windows=table.people > 1, people=tuple(range(table.people))
        )
        self.seats = OwnSeats(
            replica,
            {},
            self._told,
            pace=BotPace(),
            stand_in=lambda *_: None,
            changed=lambda: None,
            away=lambda: None,
            runs=lambda: True,
            habits=store,
            forms=order_book(GAME).forms,
        )
        self.standing = self.seats.people[0].standing
        self.standing._luck = luck

    def order(self, share: float) -> None:
        """Give orders for a share of the cards that would ask."""
        self.standing._habits.orders.clear()
        for card, mode in SETS.items():
            if self.luck.random() < share:
                self.standing.give(card, Order(mode))

    def _told(self, event: Any) -> None:
        if isinstance(event, Asked):
            self._table.nursery.start_soon(self._think, event)
            self._table.begin_asking()
        elif isinstance(event, NoLongerAsked):
            self._table.end_asking()

    async def _think(self, asked: Asked) -> None:
        seconds = self.pace * MEAN * self.luck.lognormvariate(-SIGMA * SIGMA / 2, SIGMA)
        if asked.question.pass_answer() is not None:
            seconds += READ * self.pace
        await trio.sleep(seconds)
        answer = self._table.decided(asked)
        if self.seats.people[0].asked is asked:
            self.seats.submit(c.GiveAnswer(self.seat, answer))


class Game:
    """Games of ``people`` people, by their paces, and AI, one after the other."""

    def __init__(
        self,
        seats: int,
        paces: Sequence[float],
        *,
        orders: float,
        decoys: bool = True,
        seed: int = 0,
    ) -> None:
        self.seats, self.people, self.decoys = seats, len(paces), decoys
        self._paces, self._orders, self._seed = paces, orders, seed
        self.tally = Tally()
        self._store = HabitStore()
        self._asking = 0
        self._since = 0.0

    def begin_asking(self) -> None:
        """Note that somebody is asked."""
        if not self._asking:
            self._since = trio.current_time()
        self._asking += 1

    def end_asking(self) -> None:
        """Note that somebody is asked no longer."""
        self._asking -= 1
        if not self._asking:
            self.tally.asked += trio.current_time() - self._since

    def decided(self, asked: Asked) -> Any:
        """Return what a person answers: what the strong bot would, to every part of a question."""
        agent, question, view = self.played.agents[asked.seat], asked.question, asked.view
        if not isinstance(question, Foreseen):
            return agent.answer(view, question)
        given = question.given or question.first.only_answer(view)
        first = given[0] if given else agent.answer(view, question.first)
        later = question.later(view, first)
        return first, tuple(
            (each.only_answer(view) or (agent.answer(view, each),))[0] for each in later
        )

    def play(self, number: int) -> None:
        """Play one game on a virtual clock."""
        clock = trio.testing.MockClock(autojump_threshold=0)
        trio.run(self._play, number, clock=clock)
        self.tally.games += 1

    async def _play(self, number: int) -> None:
        game, seed = load(GAME), b"tempo%d %d" % (self._seed, number)
        luck = Random(seed)
        agents = [ai.make("strong", seed + bytes([seat]), GAME) for seat in range(self.seats)]
        options = {name: values[0] for name, values in game.options.items()}
        header = Header(GAME, options, ("strong",) * self.seats)
        self.played = Simulation(game, header, agents, Chance(seed))
        turn = number % self.seats  # people sit elsewhere in every game
        self._persons = {}
        for place, pace in enumerate(self._paces):
            seat = (turn + place) % self.seats
            self._persons[seat] = self._person(seat, place, pace, luck)
        began = trio.current_time()
        async with trio.open_nursery() as self.nursery:
            while (request := self.played.request) is not None:
                if isinstance(request, Choose):
                    await self._choose(number, request)
                else:
                    self.played.step()
            self.nursery.cancel_scope.cancel()
        self.tally.total += trio.current_time() - began

    def _person(self, seat: int, place: int, pace: float, luck: Random) -> Person:
        person = Person(seat, pace, luck, self._store, self)
        person.standing._habits = self._store.of(f"person {place}")
        person.order(self._orders)
        return person

    async def _choose(self, number: int, request: Choose) -> None:
        answers: dict[int, Any] = {}
        began = trio.current_time()
        windows = [q.pass_answer() is not None for q in request.questions.values()]
        real = [s for s, q in request.questions.items() if q.only_answer(self.view(s)) is None]
        async with trio.open_nursery() as nursery:
            for seat, question in request.questions.items():
                nursery.start_soon(self._answer, number, seat, question, answers)
        if any(windows) or real:  # what has one answer is sent along
            await trio.sleep_until(max(trio.current_time(), began) + NET)
        self.played._history.append(tuple(answers[seat] for seat in request.questions))
        self.played.referee.go_on({seat: answers[seat] for seat in request.questions})

    def view(self, seat: int) -> Any:
        return self.played.views[seat]

    async def _answer(self, number: int, seat: int, question: Any, answers: dict[int, Any]) -> None:
        view, began = self.view(seat), trio.current_time()
        only, person = question.only_answer(view), self._persons.get(seat)
        passed = question.pass_answer()
        if person is not None and (only is None or passed is not None):
            lapsed = person.standing.lapsed
            answers[seat] = await person.seats.answer(seat, view, question, "")
            self._note(number, seat, question, view, began, answers[seat])
            self.tally.lapsed += person.standing.lapsed and not lapsed
        elif only is not None:
            answers[seat] = only[0]
        else:
            await trio.sleep(AI)
            answers[seat] = self.played.agents[seat].answer(view, question)

    def _note(
        self, number: int, seat: int, question: Any, view: Any, began: float, answer: Any
    ) -> None:
        delay, round_ = trio.current_time() - began, view.table.round
        self.tally.times.setdefault((number, round_, seat), []).append(delay)
        if not isinstance(question, ReactionQuestion):
            return
        passed = question.pass_answer()
        looks = question.pace is WindowPace.LOOK
        self.tally.looks += looks
        ahead = question.ahead(view, passed[0]) if passed else ()
        could = bool(question.reactions(view)) or bool(ahead)
        self.tally.sent.append(
            Sent(
                number,
                round_,
                seat,
                question.name if looks else "beat",
                delay,
                could and looks,
                (answer,) != passed,
            )
        )
