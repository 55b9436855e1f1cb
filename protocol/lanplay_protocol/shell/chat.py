"""Table talk over a node's links, and the clock of a game: it stands still while that is paused."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import trio

from lanplay.notices import Notice
from lanplay_protocol.chat import Chat, ChatEvent, ChatMessage, Paused, Public, Resumed, WantsOn
from lanplay_protocol.pausing import GamePause
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.shell.links import Links
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.player import Listener
from lanplay_protocol.shell.spectator_hub import SpectatorHub

NUDGE = 10.0
"""Seconds after which what is missing is asked for again while the clock of the game stands."""


class GameClock:
    """Seconds of a game, which do not pass while it is paused."""

    def __init__(self, now: Callable[[], float] = trio.current_time) -> None:
        self._now = now
        self._missed = 0.0
        self._stopped_at: float | None = None
        self._going = trio.Event()
        self._going.set()

    def __call__(self) -> float:
        """Return the seconds that have passed, from any origin."""
        real = self._now() if self._stopped_at is None else self._stopped_at
        return real - self._missed

    def when(self, at: float | None) -> float:
        """Return when a time of the game comes, if it is not paused again: never if it is now."""
        if at is None or self._stopped_at is not None:
            return math.inf
        real = at + self._missed
        while real - self._missed < at:  # rounded down: whoever waits until then would be too early
            real = math.nextafter(real, math.inf)
        return real

    def run(self, goes: bool) -> None:
        """Stop the clock, or let it go on."""
        if not goes and self._stopped_at is None:
            self._stopped_at, self._going = self._now(), trio.Event()
        elif goes and self._stopped_at is not None:
            self._missed += self._now() - self._stopped_at
            self._stopped_at = None
            self._going.set()

    @property
    def goes(self) -> bool:
        """Whether it does not stand still."""
        return self._stopped_at is None

    async def going(self) -> None:
        """Return once the game is not paused."""
        while self._stopped_at is not None:
            await self._going.wait()


class TableChat:
    """One program's part in the talk at its table. ``clock`` is that of its game."""

    def __init__(
        self,
        node: Node,
        replica: Replica,
        links: Links,
        spectators: SpectatorHub,
        listener: Listener,
    ) -> None:
        self.clock = GameClock()
        # a thread that reads a line may ask who has paused, outside of trio
        self._now = trio.lowlevel.current_clock().current_time
        first = time.time_ns() // 1_000_000
        self._chat = Chat(replica.roster, replica.me, node.identity, first)
        self._links = links
        self._spectators = spectators
        self._listener = listener
        spectators.says = lambda name, text: self._tell(self._chat.quote(name, text, self._now()))
        spectators.talk = self._chat.told_again

    @property
    def pauses(self) -> Sequence[GamePause]:
        """The pauses that go on, until a time of trio's clock each."""
        return self._chat.pauses.running(self._now())

    @property
    def paused_by(self) -> Sequence[str]:
        """The names of those who have paused the game; none while it goes on."""
        return self._chat.paused_by(self._now())

    @property
    def left(self) -> float | None:
        """Seconds after which the game goes on by itself; ``None`` where it is not paused."""
        return self._chat.pauses.time_left(self._now())

    @property
    def ends(self) -> float:
        """When the next pause ends by itself, or links are tried again while one goes on: now, if
        all have ended and nobody has looked."""
        if self.clock.goes:
            return math.inf
        now = self._now()
        return min(self._chat.pauses.ends(now) or now, now + NUDGE)

    def look(self) -> None:
        """Take notice of the time: a pause may be over."""
        self._tell(self._chat.look(self._now()))

    def say(self, text: str, seat: int | None = None) -> None:
        """Say something to all at the table and to all who watch (``GameDelegate.said`` brings it
        too), as the person of a seat.

        ``ValueError`` says why that cannot be: it is nothing, too long, or comes too fast.
        """
        self._tell(self._chat.say(text, self._now(), seat))

    def pause(self, seat: int | None) -> None:
        """Let the clocks of the game stand still for all; ``ValueError`` says why they may not."""
        self._tell(self._chat.pause(self._now(), seat))

    def unpause(self, seat: int | None) -> None:
        """Let the game go on, as far as a seat's person may; ``ValueError`` if it does."""
        self._tell(self._chat.go(self._now(), seat))

    def leave(self) -> None:
        """End the pauses of this peer's people."""
        self._tell(self._chat.leave(self._now()))

    def heard(self, place: int, payload: object) -> None:
        """Take a word that a peer brought; ``PeerError`` if its connection has to be closed."""
        self._tell(self._chat.receive(place, payload, self._now()))

    def linked(self, place: int) -> None:
        """Tell a peer what it may have missed."""
        for body in self._chat.told_again():
            self._links.send(place, body)

    def _tell(self, events: Sequence[ChatEvent]) -> None:
        self.clock.run(not self.pauses)
        for event in events:
            match event:
                case Envelope():
                    self._links.post(event)
                case Public(body=body):
                    self._spectators.tell(body)
                case ChatMessage():
                    self._listener.said(event)
                case Paused(name=name, seconds=seconds):
                    self._listener.paused(name, seconds)
                case Resumed(name=name):
                    self._listener.resumed(name)
                case WantsOn(name=name, votes=votes, needed=needed):
                    said = Notice.WANTS_ON.of(name=name, votes=votes, needed=needed)
                    self._listener.notice(said)
