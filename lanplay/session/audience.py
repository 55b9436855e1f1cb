"""Who is told what: hidden things are kept apart here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import trio

from lanplay.session.events import PRIVATE, Event, Snapshot

QUEUE: Final = 10_000
"""Events that wait for an audience beside what it missed; with more of them it is closed."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The seats whose hidden things may be seen; ``owner``: also the own seat, whichever it is.

    ``person``: also the seat of the further person at this laptop with that name, if there is one.
    """

    seats: frozenset[int] = frozenset()
    owner: bool = False
    person: str = ""


EVERYBODY: Final = Audience()
"""What all may see: a spectator."""
OWNER: Final = Audience(owner=True)
"""The person whose program this is."""


class Subscriptions:
    """The audiences of a session; ``snapshot`` returns what one may know now.

    ``known`` returns what it has missed besides, if it comes late; ``placed`` the seat of the owner
    or of a person, if there is one yet.
    """

    def __init__(
        self,
        snapshot: Callable[[Audience], Snapshot],
        known: Callable[[Audience], Sequence[Event]],
        placed: Callable[[Audience], int | None],
    ) -> None:
        self._snapshot = snapshot
        self._known = known
        self._placed = placed
        self._audiences: dict[trio.MemorySendChannel[Event], Audience] = {}

    @contextmanager
    def subscribe(self, audience: Audience) -> Iterator[trio.MemoryReceiveChannel[Event]]:
        """Open a channel that brings a ``Snapshot`` first, then what this audience may know."""
        missed = self._known(audience)
        send, receive = trio.open_memory_channel[Event](QUEUE + len(missed))
        self._audiences[send] = audience
        for event in (self._snapshot(audience), *missed):
            self._send(send, event)
        try:
            with receive:
                yield receive
        finally:
            self._audiences.pop(send, None)
            send.close()

    def seats(self, audience: Audience) -> frozenset[int]:
        """Return the seats whose hidden things an audience may see."""
        own = self._placed(audience)
        return audience.seats if own is None else audience.seats | {own}

    def tell(self, event: Event) -> None:
        """Tell all that may know it; who does not keep up is closed, and may subscribe again."""
        for send, audience in list(self._audiences.items()):
            if isinstance(event, PRIVATE) and event.seat not in self.seats(audience):
                continue
            self._send(send, event)

    def begin(self) -> None:
        """Send a new snapshot to all: a game begins."""
        for send, audience in list(self._audiences.items()):
            self._send(send, self._snapshot(audience))

    def _send(self, send: trio.MemorySendChannel[Event], event: Event) -> None:
        try:
            send.send_nowait(event)
        except (trio.WouldBlock, trio.BrokenResourceError):
            self._audiences.pop(send, None)
            send.close()
