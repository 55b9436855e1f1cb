"""Who answers for a seat of this peer: an AI or a person, each in its own time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Protocol

import trio

from lanplay.engine.orders import Foreseen, Mode
from lanplay.engine.question import Answer
from lanplay.language import _
from lanplay.notices import Notice
from lanplay.session.events import Asked, AwayChanged, Event, NoLongerAsked, TableNotice
from lanplay.session.reaction import Hold, Patience
from lanplay.session.standing import StandingOrders
from lanplay_ai.guard import Failure, Guarded


class SeatController(Protocol):
    """Who answers for one seat of this peer."""

    async def answer(self, asked: Asked, within: Hold | None = None) -> Answer:
        """Return a legal answer; cancelled when it is no longer asked.

        ``within`` is the time there is for a reaction.
        """


class _Thought:
    """What an AI comes to, and whether somebody still wants to know."""

    def __init__(self) -> None:
        self.done = trio.Event()
        self.wanted = True
        self.answer: Answer = None
        self.error: Exception | None = None


class BotSeat:
    """An AI. All of a peer share ``thinking``: one thinks at a time, in a thread.

    They think in the order in which they are asked, and each to its end, whether somebody still
    waits for it or not: what one draws does not depend on how fast it is. ``pace`` lets people see
    what was done before.
    """

    def __init__(
        self,
        agent: Guarded,
        thinking: trio.Semaphore,
        tell: Callable[[Event], None],
        pace: Callable[[], Awaitable[None]] = trio.lowlevel.checkpoint,
    ) -> None:
        self._agent = agent
        self._thinking = thinking
        self._tell = tell
        self._pace = pace

    @property
    def faults(self) -> list[Failure]:
        """What was wrong with the AI."""
        return self._agent.faults

    async def answer(self, asked: Asked, within: Hold | None = None) -> Answer:
        """Return what the AI answers; the session goes on while it thinks."""
        await self._pace()
        await self._thinking.acquire()
        thought = _Thought()
        trio.lowlevel.spawn_system_task(self._think, asked, thought)
        try:
            await thought.done.wait()
        except trio.Cancelled:  # the game has gone on meanwhile: nobody asks any more
            thought.wanted = False
            raise
        if thought.error is not None:
            raise thought.error
        for sentence in self._agent.told():
            self._tell(TableNotice(sentence))
        return thought.answer

    async def _think(self, asked: Asked, thought: _Thought) -> None:
        """Let the AI think to its end, unless the program ends before."""
        known = len(self._agent.faults)
        try:
            thought.answer = await trio.to_thread.run_sync(
                self._agent.answer, asked.view, asked.question, abandon_on_cancel=True
            )
        except Exception as error:
            thought.error = error
        finally:
            if not thought.wanted:
                del self._agent.faults[known:]
            self._thinking.release()
            thought.done.set()


class PersonSeat:
    """A person: it answers by ``give``, the AI that ``stand_in`` returns while it is away.

    Its ``standing`` orders answer where nobody has to be asked. It may take ``idle`` seconds for an
    answer, or for ever if that is 0; then it is away, which ``left`` is told, and when it is back.
    ``runs`` tells whether its time does.
    """

    def __init__(
        self,
        seat: int,
        stand_in: Callable[[], SeatController],
        tell: Callable[[Event], None],
        standing: StandingOrders,
        *,
        idle: int = 0,
        left: Callable[[], None] = lambda: None,
        runs: Callable[[], bool] = lambda: True,
    ) -> None:
        self.seat = seat
        self.standing = standing
        self.away = self.dozes = False
        self.asked: Asked | None = None
        self.nursery: trio.Nursery | None = None
        self._stand_in = stand_in
        self._tell = tell
        self._idle = idle
        self._left = left
        self._runs = runs
        self._turn = trio.CancelScope()
        self._one = trio.Lock()  # who is asked anew is told first that the former is withdrawn
        self._given: list[Answer] = []
        self._hold: Hold | None = None
        self._patience: Patience | None = None

    async def answer(self, asked: Asked, within: Hold | None = None) -> Answer:
        """Return the person's answer; the one that passes once the time for a reaction is over."""
        async with self._one:
            if within is None:
                return await self._answer(asked)
            passed = asked.question.pass_answer()
            assert passed is not None
            self._hold = within
            within.run(self._runs())
            try:
                with within.scope:
                    return await self._answer(asked)
            finally:
                self._hold = None
                within.end()
            if within.scope.cancelled_caught:
                self.standing.lapsed = True
                self._tell(TableNotice(Notice.LATE.of()))
            return passed[0]

    async def _answer(self, asked: Asked) -> Answer:
        while not self.away:
            with trio.CancelScope() as self._turn, self._thinking() as patience:
                return await self._ask(asked)
            if patience.cancelled_caught:
                self.set_away(True, Notice.IDLE.of(seconds=self._idle))
        return await self._by_stand_in(asked)

    async def _by_stand_in(self, asked: Asked) -> Answer:
        """Return what the AI answers in the person's place; it gives no orders."""
        question = asked.question
        if not isinstance(question, Foreseen):
            return await self._stand_in().answer(asked)
        given = question.given or question.first.only_answer(asked.view)
        first = Asked(asked.seat, question.first, asked.view)
        return (given[0] if given else await self._stand_in().answer(first)), ()

    async def _ask(self, asked: Asked) -> Answer:
        self.asked = asked
        self._given.clear()
        self._come = trio.Event()
        self._tell(asked)
        try:
            async with trio.open_nursery() as self.nursery:
                try:
                    await self._come.wait()
                finally:
                    self.asked = None  # from now on the nursery takes nobody in
                self.nursery.cancel_scope.cancel()
        finally:
            self.asked = self.nursery = None
            self._tell(NoLongerAsked(self.seat))
        return self._given.pop()

    @contextmanager
    def _thinking(self) -> Iterator[trio.CancelScope]:
        """Cancel a block when the person's time is over, not counting pauses of the game."""
        self._patience = patience = Patience(self._idle or inf)
        patience.run(self._runs())
        try:
            with patience.scope:
                yield patience.scope
        finally:
            self._patience = None

    def give(self, answer: Answer) -> None:
        """Answer what is asked; ``Illegal`` or ``ValueError`` says why that cannot be."""
        if self.asked is None:
            raise ValueError(_("That cannot be done now."))
        self.asked.question.check(answer)
        self.asked.question.check_own(answer, self.asked.view)
        self._given[:] = [answer]
        self._come.set()

    def set_away(self, away: bool, why: str = "") -> None:
        """Let the stand-in answer, also what is asked now, or the person again.

        ``why`` says what the person has not chosen: it dozes.
        """
        if away == self.away:
            return
        self._tell(AwayChanged(self.seat, away, why))
        self.away, self.dozes = away, away and bool(why)
        self._left()
        self._turn.cancel()

    def more_time(self) -> None:
        """Let the bank count; ``ValueError`` if nothing runs out."""
        if self._hold is None:
            raise ValueError(_("There is no hurry: no clock is running."))
        self._hold.touch()

    def read(self, reads: bool) -> None:
        """Stop the clock of a reaction while a rule is read, or let it go on."""
        if self._hold is not None:
            self._hold.read(reads)

    @property
    def onwards(self) -> tuple[Mode, ...]:
        """What can be ordered for good of the cards it is asked about: always, never."""
        asked = self.asked
        return () if asked is None else self.standing.onwards(asked.question, asked.view)

    def from_now_on(self, mode: Mode) -> None:
        """Order that for the cards it is asked about, and answer so; or ``ValueError``."""
        if self.asked is None or mode not in self.onwards:
            raise ValueError(_("That cannot be done now."))
        self.give(self.standing.from_now_on(self.asked.question, self.asked.view, mode))

    @property
    def hurried(self) -> bool:
        """Whether a reaction is waited for."""
        return self._hold is not None

    @property
    def closes(self) -> float | None:
        """When the time for the answer is over (by trio's clock); ``None`` if there is no limit."""
        if self._hold is not None:
            return self._hold.closes
        return self._patience.closes if self._patience is not None and self._idle else None

    def run(self, goes: bool) -> None:
        """Let the person's time go on, or stand still."""
        if self._patience is not None:
            self._patience.run(goes)
        if self._hold is not None:
            self._hold.run(goes)
