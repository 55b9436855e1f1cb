"""The seats of this peer in one game: who answers for each of them, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import trio

from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.language import _
from lanplay.session import commands as c
from lanplay.session.controllers import BotSeat, PersonSeat, SeatController
from lanplay.session.events import Asked, Event, PaceChanged
from lanplay.session.hints import hinted
from lanplay.session.reaction import Window
from lanplay_ai.guard import Failure, Guarded
from lanplay_protocol.replica.replica import Replica


@dataclass(slots=True)
class BotPace:
    """Seconds between moves of AI; ``usual`` are those that count again once people are back."""

    seconds: float = 0.0
    usual: float | None = None


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
        alone: bool,
        stand_in: Callable[[str, bytes, str], Guarded],
        changed: Callable[[], None],
        away: Callable[[], None],
        runs: Callable[[], bool],
    ) -> None:
        self.pace = pace
        self._replica = replica
        self._tell = tell
        self._alone = alone
        self._stand_in = stand_in
        self._changed = changed
        self._gone = away
        self._runs = runs
        self._thinking = trio.Semaphore(1)
        self._deciding: Counter[int] = Counter()
        self._made: dict[tuple[int, str], BotSeat] = {}
        self._asking: dict[int, trio.CancelScope] = {}
        mine = replica.roster.peers[replica.me].seats
        self.first = next((seat for seat in mine if seat not in agents), mine[0])
        """The seat of this program's first person, or its first AI."""
        self._controllers: dict[int, SeatController] = {
            seat: self._bot(agents[seat]) if seat in agents else self._person(seat) for seat in mine
        }

    def _bot(self, agent: Guarded) -> BotSeat:
        pace = (lambda: self.pace.seconds) if self._alone else (lambda: 0.0)
        return BotSeat(agent, self._thinking, self._tell, pace)

    def _person(self, seat: int) -> PersonSeat:
        settings = self._replica.roster.settings
        return PersonSeat(
            seat,
            lambda: self._taken(seat, settings.bot),
            self._tell,
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

    def hand_over(self, seat: int, controller: SeatController) -> None:
        """Let another controller answer from now on; what is asked is asked again."""
        if seat not in self._controllers:
            raise ValueError(_("That cannot be done now."))
        self._controllers[seat] = controller
        if (scope := self._asking.get(seat)) is not None:
            scope.cancel()

    async def answer(self, seat: int, view: View[Any], question: Question, bot: str) -> Answer:
        """Return an AI's answer at once, a person's when it comes; one to a window in due time."""
        pass_answer, only_answer = question.pass_answer(), question.only_answer(view)
        self.forward()
        asked = Asked(seat, question, view)
        if pass_answer is None or self.deserted or not self._replica.windows:
            return only_answer[0] if only_answer else await self._answered(asked, bot)
        window = Window()
        at_once = only_answer is not None or not self.by_person(seat, bot)
        answer = (
            only_answer[0]
            if only_answer
            else await self._answered(asked, bot, None if at_once else window)
        )
        await window.leave(automatic=at_once)
        return answer

    async def _answered(self, asked: Asked, bot: str, window: Window | None = None) -> Answer:
        with self._decides(asked.seat):
            while True:
                with trio.CancelScope() as scope:
                    self._asking[asked.seat] = scope
                    return await self._controller(asked.seat, bot).answer(asked, window)

    @contextmanager
    def _decides(self, seat: int) -> Iterator[None]:
        """Count a seat among those for which somebody decides while a block runs."""
        self._deciding[seat] += 1
        self._changed()
        try:
            yield
        finally:
            self._asking.pop(seat, None)
            self._deciding[seat] -= 1
            self._changed()

    def forward(self) -> None:
        """Let AI move at once while only AI is left at the table; then as before."""
        pace, alone = self.pace, self.deserted
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
        match command:
            case c.GiveAnswer(answer=answer):
                person.give(answer)
            case c.SetAway(away=away, why=why):
                person.set_away(away, why)
                self.forward()
            case c.MoreTime():
                person.more_time()
            case c.AskHint():
                self._ask_hint(person)

    def _ask_hint(self, person: PersonSeat) -> None:
        if not self._replica.roster.settings.hints:
            raise ValueError(_("This table forbids hints."))
        if person.asked is None or person.nursery is None:
            raise ValueError(_("There is no hint: nothing is asked of you now."))
        person.nursery.start_soon(self._hint, person.asked)

    async def _hint(self, asked: Asked) -> None:
        self._tell(await hinted(self._replica.roster.game, asked))
