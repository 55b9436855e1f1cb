"""What happens on a node's links, and the queue in which it waits to be taken."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import trio

from lanplay_protocol.wire import encode


@dataclass(frozen=True, slots=True)
class PeerConnected:
    """A peer proved its identity; ``host`` is the address it was seen at, without scope."""

    identity: bytes
    host: str
    dialled: bool


@dataclass(frozen=True, slots=True)
class PeerDisconnected:
    """The last link to a peer is gone. ``why`` is empty if it just ended."""

    identity: bytes
    why: str


@dataclass(frozen=True, slots=True)
class PeerMessage:
    """A peer sent a message."""

    identity: bytes
    body: bytes


NodeEvent: TypeAlias = PeerConnected | PeerDisconnected | PeerMessage


class Events:
    """What happens on a node's links, in order. Taking a message lets its peer send another."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[NodeEvent, trio.Semaphore | None]] = deque()
        self._takers = trio.lowlevel.ParkingLot()
        self._met: set[bytes] = set()

    def put(self, event: NodeEvent, credit: trio.Semaphore | None = None) -> None:
        """Add an event; ``credit`` is given back when it is taken."""
        self._waiting.append((event, credit))
        self._takers.unpark()

    def put_back(self, events: Iterable[NodeEvent]) -> None:
        """Let the messages among events that were taken too early come before all that wait."""
        early = [(event, None) for event in events if isinstance(event, PeerMessage)]
        self._waiting.extendleft(reversed(early))
        self._takers.unpark_all()

    @property
    def waiting(self) -> int:
        """How many have not been taken."""
        return len(self._waiting)

    def saying(self, kind: str) -> Iterator[bytes]:
        """Yield the peers of whom a message of a kind has not been taken."""
        head = encode((kind, 0))[:-1]
        said = (event for event, _ in self._waiting if isinstance(event, PeerMessage))
        return (event.identity for event in said if event.body.startswith(head))

    def unread(self, identity: bytes) -> int:
        """How many of a peer have not been taken."""
        return sum(event.identity == identity for event, _ in self._waiting)

    async def receive(self) -> NodeEvent:
        """Take the next event."""
        await trio.lowlevel.checkpoint_if_cancelled()
        while not self._waiting:
            await self._takers.park()
        event, credit = self._waiting.popleft()
        if credit is not None:
            credit.release()
        if isinstance(event, PeerConnected):
            self._met.add(event.identity)
        elif isinstance(event, PeerDisconnected):
            self._met.discard(event.identity)
        await trio.lowlevel.cancel_shielded_checkpoint()
        return event

    def forget(self, identity: bytes) -> bool:
        """Drop what was not taken of a peer; tell whether that it is there was taken."""
        left = [each for each in self._waiting if each[0].identity != identity]
        self._waiting = deque(left)
        return identity in self._met
