"""What a shell gives a replica, one at a time: a list of these is a whole run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from lanplay.engine.question import Answer
from lanplay_protocol.replica.jobs import Job, JobResult
from lanplay_protocol.replica.outbox import Entry
from lanplay_protocol.replica.start import Accept


@dataclass(frozen=True, slots=True)
class Started:
    """The game begins: this peer sends its key.

    ``offers`` convict those who have signed two offers of this table in one term before.
    """

    offers: tuple[Accept, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """The game goes on, instead of ``Started``, from what this peer had persisted, in order.

    ``incomplete`` entries miss some of what this peer may have said: it says nothing more before
    the table has cut it off, and then comes back as any other.
    """

    entries: tuple[Entry, ...]
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class Received:
    """The connection of ``peer`` brought a message."""

    peer: int
    kind: str
    payload: Any


@dataclass(frozen=True, slots=True)
class LinkUp:
    """There is a connection to ``peer``, which may have missed what was sent before."""

    peer: int


@dataclass(frozen=True, slots=True)
class LinkDown:
    """There is no connection to ``peer`` any more."""

    peer: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A seat of this peer answers the question that ``AnswerNeeded`` put to it."""

    seat: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Trusted:
    """This program's person agrees to who sits here, after ``TrustNeeded``."""


@dataclass(frozen=True, slots=True)
class JobDone:
    """What ``Output.job`` came to, done anywhere and at any time."""

    job: Job
    result: JobResult


@dataclass(frozen=True, slots=True)
class AwayChanged:
    """AI answers for these of this peer's people from now on; all others do so themselves."""

    seats: frozenset[int]


@dataclass(frozen=True, slots=True)
class JournalFailed:
    """This peer cannot keep the game on its disk any more."""


@dataclass(frozen=True, slots=True)
class SkipWait:
    """This peer's person does not want to wait for ``peer``.

    A majority lets AI take a missing one's seats at once. The program of one that is there lets its
    AI answer.
    """

    peer: int


@dataclass(frozen=True, slots=True)
class KeepWaiting:
    """This peer's person wants to wait for a missing peer, however long it takes."""

    peer: int


@dataclass(frozen=True, slots=True)
class OpenHands:
    """This peer's person agrees to what ``OpeningAsked`` asked; ``Mistake`` if that is nothing."""


@dataclass(frozen=True, slots=True)
class ContinueWithout:
    """This peer votes for a new game among those who are here; ``nonce`` is 32 fresh bytes.

    ``Mistake`` where that cannot be: enough are here, or no round has begun.
    """

    nonce: bytes


@dataclass(frozen=True, slots=True)
class Leaving:
    """This peer gives up its seats for now: nobody waits for it, AI takes them at once."""


@dataclass(frozen=True, slots=True)
class Nudged:
    """What is missing is to be asked for, though no time passes: the game is paused."""


@dataclass(frozen=True, slots=True)
class Ticked:
    """Time has passed, and all that had come has been given: due at ``Output.deadline``.

    Harmless before. Nobody becomes late but by this.
    """


@dataclass(frozen=True, slots=True)
class Woken:
    """This program stood still for a while, or its clock was set: all waits begin again."""


Input: TypeAlias = (
    Started
    | Restored
    | Received
    | LinkUp
    | LinkDown
    | Answered
    | Trusted
    | JobDone
    | AwayChanged
    | JournalFailed
    | SkipWait
    | KeepWaiting
    | OpenHands
    | ContinueWithout
    | Leaving
    | Nudged
    | Ticked
    | Woken
)
