"""The seats of this peer in one game: who answers for each of them, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import trio

from lanplay.engine.orders import OrderForm
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.language import _
from lanplay.session import commands as c
from lanplay.session.controllers import BotSeat, PersonSeat, SeatController
from lanplay.session.events import Asked, Event, PaceChanged
from lanplay.session.habits import HabitStore
from lanplay.session.hints import hinted
from lanplay.session.reaction import HOLD, PAUSE, Hold, pace_of
from lanplay.session.standing import StandingOrders
from lanplay_ai.guard import Failure, Guarded
from lanplay_protocol.replica.replica import Replica

HINTS: Final = 2
"""Hints that are thought out at one time; one that nobody waits for any more counts to its end."""


@dataclass(slots=True)
class BotPace:
    """Seconds between moves of AI; ``usual`` are those that count again once people are back."""

    seconds: float = 0.0
    usual: float | None = None
    _reads: bool = False
    _waits: trio.lowlevel.ParkingLot = field(default_factory=trio.lowlevel.ParkingLot)

    def read(self, reads: bool) -> None:
        """Let AI wait while its person reads, or go on."""
        self._reads = reads
        if not reads:
            self._waits.unpark_all()

    async def wait(self) -> None:
        """Return when AI is to move."""
        await trio.sleep(self.seconds)
        if self._reads:
            await self._waits.park()


class OwnSeats:
    """The controllers of this peer's seats; see ``RunningGame`` for what makes them.

    ``changed`` is told when somebody begins or ends to decide, ``away`` when a person goes or is
    back; ``runs`` tells whether people's time does.
    """

    def __init__(
        self,
        replica: Replica,
        agents: Mapping[int, Guarded],
        tell: Callable[[Event], None],
        *,
        pace: BotPace,
        stand_in: Callable[[str, bytes, str], Guarded],
        changed: Callable[[], None],
        away: Callable[[], None],
        runs: Callable[[], bool],
        habits: HabitStore | None = None,
        forms: Mapping[str, OrderForm] = MappingProxyType({}),
    ) -> None:
        self.pace = pace
        self._replica = replica
        self._tell = tell
        self._stand_in = stand_in
        self._changed = changed
        self._gone = away
        self._runs = runs
        self._habits = habits or HabitStore()
        self._forms = forms
        self._thinking = trio.Semaphore(1)
        self._hints = trio.CapacityLimiter(HINTS)
        self._hinting: dict[int, Asked] = {}
        self._deciding: Counter[int] = Counter()
        self._made: dict[tuple[int, str], BotSeat] = {}
        mine = replica.roster.peers[replica.me].seats
        self.first = next((seat for seat in mine if seat not in agents), mine[0])
        """The seat of this program's first person, or its first AI."""
        self._controllers: dict[int, SeatController] = {
            seat: self._bot(agents[seat]) if seat in agents else self._person(seat) for seat in mine
        }

    def _bot(self, agent: Guarded) -> BotSeat:
        alone = len(self._replica.roster.peers) == 1
        pace = self.pace.wait if alone else trio.lowlevel.checkpoint
        return BotSeat(agent, self._thinking, self._tell, pace)

    def _person(self, seat: int) -> PersonSeat:
        settings = self._replica.roster.settings
        return PersonSeat(
            seat,
            lambda: self._taken(seat, settings.bot),
            self._tell,
            StandingOrders(
                self._forms,
                self._replica.roster.game,
                self._habits.of(self._replica.roster.names[seat]),
                decoys=settings.hide_windows,
            ),
            idle=settings.idle_limit,
            left=self._gone,
            runs=self._runs,
        )

    def _taken(self, seat: int, bot: str) -> BotSeat:
        """Return the AI of that name for a seat, always the same one."""
        if (seat, bot) not in self._made:
            key, game = self._replica.bot_key(seat), self._replica.roster.game
            self._made[seat, bot] = self._bot(self._stand_in(bot, key, game))
        return self._made[seat, bot]

    def __contains__(self, seat: int | None) -> bool:
        return seat in self._controllers

    @property
    def people(self) -> list[PersonSeat]:
        """The people at this peer."""
        return [each for each in self._controllers.values() if isinstance(each, PersonSeat)]

    @property
    def away(self) -> frozenset[int]:
        """The seats of people here for whom AI answers."""
        return frozenset(person.seat for person in self.people if person.away)

    @property
    def deciding(self) -> frozenset[int]:
        """The seats for which somebody is deciding."""
        return frozenset(+self._deciding)

    @property
    def deserted(self) -> bool:
        """Whether the people of the table have all gone or are away."""
        roster = self._replica.roster
        peopled = not all(roster.bot(seat) for seat in range(len(roster.names)))
        return peopled and not self._replica.people

    @property
    def faults(self) -> list[Failure]:
        """What was wrong with the AI that answered here, by seat."""
        own = [(seat, each) for seat, each in self._controllers.items()]
        taken = [(seat, each) for (seat, _), each in self._made.items()]
        bots = [(seat, each) for seat, each in (*own, *taken) if isinstance(each, BotSeat)]
        return [
            fault for _, each in sorted(bots, key=lambda pair: pair[0]) for fault in each.faults
        ]

    def person_of(self, seats: frozenset[int]) -> PersonSeat | None:
        """Return the person that an audience of these seats is, if it is one: here the first."""
        mine = [person for person in self.people if person.seat in seats]
        return min(mine, key=lambda person: (person.seat != self.first, person.seat), default=None)

    def by_person(self, seat: int, bot: str) -> bool:
        """Tell whether a person answers for a seat, which at the table is that of ``bot``."""
        controller = self._controller(seat, bot)
        return isinstance(controller, PersonSeat) and not controller.away

    def _controller(self, seat: int, bot: str) -> SeatController:
        own = self._controllers.get(seat)
        if own is None or (bot and isinstance(own, PersonSeat)):
            return self._taken(seat, bot)
        return own

    async def answer(self, seat: int, view: View[Any], question: Question, bot: str) -> Answer:
        """Return an AI's answer at once, a person's when it comes; one to a window in due time."""
        self.forward()
        asked = Asked(seat, question, view)
        if question.pass_answer() is not None and self._replica.windows and not self.deserted:
            return await self._react(asked, bot)
        only = question.only_answer(view)
        if only is None and self.by_person(seat, bot):
            only = self._standing(seat).alone(question, view)
        return only[0] if only else await self._answered(asked, bot)

    def _standing(self, seat: int) -> StandingOrders:
        """Return the orders of a person's seat."""
        person = self._controllers[seat]
        assert isinstance(person, PersonSeat)
        return person.standing

    async def _react(self, asked: Asked, bot: str) -> Answer:
        """Return the answer to a window when it may leave.

        What leaves by itself does so after a pause that is the same whatever is held. Whose person
        could not react takes its time now and then, as if it could; so does whoever is away, with
        any hand: nobody decides there.
        """
        question, opened = asked.question, trio.current_time()
        pause = PAUSE[pace_of(question)]
        person = self._controllers.get(asked.seat)
        if not isinstance(person, PersonSeat) or (bot and not person.away):
            answer = await self._at_once(asked, bot, pause)
        elif person.away:
            answer = await self._at_once(asked, bot, pause)
            await self._take_time(person.standing, question, opened)
        else:
            answer = await self._by_orders(person.standing, asked, bot, opened)
        await trio.sleep_until(opened + pause)
        return answer

    async def _at_once(self, asked: Asked, bot: str, pause: float) -> Answer:
        """Return what an AI answers; where it is late, that it passes."""
        only = asked.question.only_answer(asked.view)
        if only is not None:
            return only[0]
        passed = asked.question.pass_answer()
        assert passed is not None
        with trio.move_on_after(pause):
            return await self._answered(asked, bot)
        return passed[0]

    async def _by_orders(
        self, standing: StandingOrders, asked: Asked, bot: str, opened: float
    ) -> Answer:
        """Return what a person's orders answer, or the person, whom they ask."""
        question = asked.question
        verdict = standing.verdict(question, asked.view)
        passed = question.pass_answer()
        assert passed is not None
        if verdict.asks is None or standing.lapsed:
            if standing.lapsed or not verdict.could:
                await self._take_time(standing, question, opened)
            elif not verdict.plays:
                standing.thought(question, None)
            return verdict.answer if verdict.asks is None else passed[0]
        hold = Hold(PAUSE[pace_of(question)] + HOLD, standing.bank)
        asked = Asked(asked.seat, verdict.asks, asked.view)
        answer = await self._answered(asked, bot, hold)
        sent, plays = standing.settle(verdict.asks, asked.view, answer)
        if not standing.lapsed and not plays:
            standing.thought(question, trio.current_time() - opened)
        return sent

    async def _take_time(self, standing: StandingOrders, question: Question, opened: float) -> None:
        """Take time over nothing, if it is to be."""
        if (seconds := standing.decoy(question)) is not None:
            await trio.sleep_until(opened + seconds)

    async def _answered(self, asked: Asked, bot: str, hold: Hold | None = None) -> Answer:
        with self._decides(asked.seat):
            return await self._controller(asked.seat, bot).answer(asked, hold)

    @contextmanager
    def _decides(self, seat: int) -> Iterator[None]:
        """Count a seat among those for which somebody decides while a block runs."""
        self._deciding[seat] += 1
        self._changed()
        try:
            yield
        finally:
            self._deciding[seat] -= 1
            self._changed()

    def forward(self) -> None:
        """Let AI move at once while its people have left the table to it; then as before.

        Whoever has only not answered for a while finds the game where it can be.
        """
        pace = self.pace
        alone = self.deserted and not any(person.dozes for person in self.people)
        if alone == (pace.usual is not None):
            return
        if alone:
            pace.usual, pace.seconds = pace.seconds, 0.0
        else:
            pace.seconds, pace.usual = pace.usual or 0.0, None
        self._tell(PaceChanged(pace.seconds, alone))

    def submit(self, command: c.SeatCommand) -> None:
        """Do what the person of a seat wants; ``Illegal`` or ``ValueError`` says why it cannot."""
        person = self._controllers.get(command.seat)
        if not isinstance(person, PersonSeat):
            raise ValueError(_("That cannot be done now."))
        person.standing.lapsed = False
        match command:
            case c.GiveAnswer(answer=answer):
                person.give(answer)
            case c.SetAway(away=away, why=why):
                person.set_away(away, why)
                self.forward()
            case c.MoreTime():
                person.more_time()
            case c.ReadRule(reads=reads):
                person.read(reads)
                self.pace.read(reads and len(self.people) == 1)  # nobody else waits with AI
            case c.GiveOrder(card=card, order=order):
                person.standing.give(card, order)
            case c.FromNowOn(mode=mode):
                person.from_now_on(mode)
            case c.GiveAhead(question=question, answer=answer):
                person.standing.arm(question, answer)
            case c.AskHint():
                self._ask_hint(person)

    def _ask_hint(self, person: PersonSeat) -> None:
        if not self._replica.roster.settings.hints:
            raise ValueError(_("This table forbids hints."))
        if person.asked is None or person.nursery is None:
            raise ValueError(_("There is no hint: there is no question for you now."))
        if self._hinting.get(person.seat) is not person.asked:
            self._hinting[person.seat] = person.asked
            person.nursery.start_soon(self._hint, person.asked)

    async def _hint(self, asked: Asked) -> None:
        try:
            self._tell(await hinted(self._replica.roster.game, asked, self._hints))
        finally:
            if self._hinting.get(asked.seat) is asked:
                del self._hinting[asked.seat]
