"""What one step of a replica gives its shell: to write, to send, to tell and to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from lanplay_protocol.rates import PASSED_ON, Bucket
from lanplay_protocol.replica.events import Event
from lanplay_protocol.replica.jobs import Job
from lanplay_protocol.wire import encode

Entry: TypeAlias = tuple[str, Any]
"""What a replica persists: a kind, and plain data."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message to the peer ``to``, or to all others where it is ``None``."""

    kind: str
    payload: Any
    to: int | None = None

    @property
    def body(self) -> bytes:
        """The message as bytes."""
        return encode((self.kind, self.payload))


@dataclass(frozen=True, slots=True)
class Output:
    """What has to be done after a step, in this order.

    ``persist`` is written, and with ``sync`` on the disk, before anything of ``send`` leaves: what
    this peer signs binds it, also when the power fails the moment after.
    ``job`` is the long work that something waits for, if any; ``Ticked`` is due at ``deadline``.
    """

    persist: tuple[Entry, ...] = ()
    sync: bool = False
    send: tuple[Envelope, ...] = ()
    events: tuple[Event, ...] = ()
    job: Job | None = None
    deadline: float | None = None


class Outbox:
    """Collects what one step says."""

    def __init__(self) -> None:
        self._paces: dict[tuple[int, str], Bucket] = {}
        self._late: dict[tuple[int, str], dict[Any, Callable[[], None]]] = {}
        self._held: set[Entry] = set()
        self._clear()

    def _clear(self) -> None:
        self._persist: list[Entry] = []
        self._sync = False
        self._send: list[Envelope] = []
        self._events: list[Event] = []

    def persist(self, kind: str, plain: Any, binding: bool = False) -> None:
        """Let an entry be written; a ``binding`` one is on the disk before anything is sent."""
        self._persist.append((kind, plain))
        self._sync = self._sync or binding

    def hold(self, evidence: Iterable[Entry]) -> None:
        """Let evidence be written once, which has not been checked: others name it, again and
        again."""
        new = [each for each in dict.fromkeys(evidence) if each not in self._held]
        self._held.update(new)
        self._persist += (("evidence", each) for each in new)

    def post(self, kind: str, payload: Any, to: int | None = None) -> None:
        """Let a message be sent."""
        self._send.append(Envelope(kind, payload, to))

    def pass_on(
        self, author: int, kind: str, now: float, say: Callable[[], None], about: Any = None
    ) -> None:
        """Say one more word of an author to all, as soon as its pace lets it: of those about the
        same the newest, so that nothing else that a liar says keeps from others what one has."""
        self._late.setdefault((author, kind), {})[about] = say
        self.pass_late(now)

    def pass_late(self, now: float) -> None:
        """Say what the pace has kept back and lets go now."""
        for of, words in [*self._late.items()]:
            while words and self._paces.setdefault(of, Bucket(*PASSED_ON)).take(now):
                words.pop(next(iter(words)))()
            if not words:
                del self._late[of]

    def tell(self, *events: Event) -> None:
        """Let the shell know of events."""
        self._events += events

    def take(self, job: Job | None = None, deadline: float | None = None) -> Output:
        """Return what has been collected, and begin anew."""
        collected = tuple(self._persist), self._sync, tuple(self._send), tuple(self._events)
        self._clear()
        return Output(*collected, job, deadline)
