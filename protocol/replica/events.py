"""What a replica tells its shell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lanplay.engine.game import Result
from lanplay.engine.question import Message, Question
from protocol.errors import Code
from protocol.replica.messages import Signed


@dataclass(frozen=True, slots=True)
class Send:
    """Send ``body`` to the peer ``to``, or to all others when it is ``None``."""

    body: bytes
    to: int | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep this message on disk; ``binding`` ones before anything else is sent.

    A binding message is a choice of this peer: everything else it says again in the same bytes.
    """

    signed: Signed
    binding: bool


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat of this peer is asked; answer with ``Replica.answer``."""

    seat: int
    question: Question


@dataclass(frozen=True, slots=True)
class Confirm:
    """The keys are known; unless the table is trusted, somebody has to agree to who sits here.

    ``binding`` is the same on all honest screens: 32 bytes, a hash of all identities and of
    what every peer had committed to before it was known, so that a man in the middle cannot make
    two tables show the same words.
    """

    binding: bytes


@dataclass(frozen=True, slots=True)
class Happened:
    """Something for the log of the game."""

    message: Message


@dataclass(frozen=True, slots=True)
class Stepped:
    """A phase is complete: its number and kind, the transcript hash, the public state's hash."""

    phase: int
    kind: str
    transcript: bytes
    state: bytes


@dataclass(frozen=True, slots=True)
class Accused:
    """A peer broke the protocol: it is closed and named."""

    peer: int
    code: Code
    text: str
    phase: int


@dataclass(frozen=True, slots=True)
class Held:
    """The game cannot go on for now; nothing is lost. ``report`` says what is known."""

    reason: str
    report: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended."""

    result: Result


Event: TypeAlias = Send | Keep | Ask | Confirm | Happened | Stepped | Accused | Held | Over
