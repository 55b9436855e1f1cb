"""What a person wants of a session: values for ``TableSession.submit``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lanplay.engine.orders import Mode, Order
from lanplay.engine.question import Answer, Question


@dataclass(frozen=True, slots=True)
class GiveAnswer:
    """Answer what a seat is asked."""

    seat: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class SetAway:
    """Let an AI answer for a seat, or its person again; ``why``, if not by its own wish."""

    seat: int
    away: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class MoreTime:
    """Say that the person of a seat is there: what is in its bank counts for this reaction."""

    seat: int


@dataclass(frozen=True, slots=True)
class ReadRule:
    """Stop the clock of a seat's reaction while its person reads, or let it go on; AI waits, too.

    It waits where it plays with one person alone.
    """

    seat: int
    reads: bool


@dataclass(frozen=True, slots=True)
class GiveOrder:
    """Order from now on what is done with a kind of card of a seat."""

    seat: int
    card: str
    order: Order


@dataclass(frozen=True, slots=True)
class FromNowOn:
    """Order always, or never, for the cards that a seat is asked about, and answer so."""

    seat: int
    mode: Mode


@dataclass(frozen=True, slots=True)
class GiveAhead:
    """Answer for a seat what it may be asked at the beat in this round."""

    seat: int
    question: Question
    answer: Answer


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask the strong bot what it would answer for a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class SetPace:
    """Let AI move after so many seconds, where it plays with one person alone."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Trust:
    """Say that all screens show the words of the table."""


@dataclass(frozen=True, slots=True)
class Say:
    """Say something to all at the table, as the person of a seat; without one, as the first."""

    text: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Let everybody's time stand still, as the person of a seat; without one, as the first."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Unpause:
    """Let it go on, as far as the person of a seat may; without one, as the first."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SkipWait:
    """Do not wait for somebody who is missing."""

    name: str


@dataclass(frozen=True, slots=True)
class KeepWaiting:
    """Wait for somebody who is missing, however long it takes."""

    name: str


@dataclass(frozen=True, slots=True)
class OpenHands:
    """Agree that AI sees the hands of those who are out, where everybody has to."""


@dataclass(frozen=True, slots=True)
class ContinueWithout:
    """Go on as a new game without those who are missing, where too few are left."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play again at the same table."""


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Leave the table."""


@dataclass(frozen=True, slots=True)
class StartGame:
    """Fill the free seats of the forming table with AI, the table's or this one, and play."""

    bot: str = ""


@dataclass(frozen=True, slots=True)
class Kick:
    """Send a guest away for good."""

    name: str


@dataclass(frozen=True, slots=True)
class Lock:
    """Take no more guests, or take them again."""

    locked: bool


@dataclass(frozen=True, slots=True)
class MoveSeat:
    """Let two seats change places."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Put an AI on a free seat; without a name the table's."""

    place: int
    bot: str = ""


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """Take an AI from its seat."""

    place: int


@dataclass(frozen=True, slots=True)
class SeatPerson:
    """Give a further person at this laptop a seat of the forming table; its host decides."""

    name: str


@dataclass(frozen=True, slots=True)
class UnseatPerson:
    """Free the seat of a further person at this laptop."""

    name: str


@dataclass(frozen=True, slots=True)
class SetOption:
    """Change a rule of the game."""

    name: str
    value: str


SeatCommand: TypeAlias = (
    GiveAnswer | SetAway | MoreTime | ReadRule | GiveOrder | FromNowOn | GiveAhead | AskHint
)
PersonCommand: TypeAlias = SeatPerson | UnseatPerson
HostCommand: TypeAlias = StartGame | Kick | Lock | MoveSeat | SeatBot | FreeSeat | SetOption
TableCommand: TypeAlias = (
    SetPace
    | Trust
    | Say
    | Pause
    | Unpause
    | SkipWait
    | KeepWaiting
    | OpenHands
    | ContinueWithout
    | Rematch
    | LeaveTable
)
Command: TypeAlias = HostCommand | PersonCommand | SeatCommand | TableCommand


@dataclass(frozen=True, slots=True)
class CommandOffer:
    """A command that may be submitted; ``now``: it is of use. ``usual`` is its likely argument."""

    kind: type[Command]
    now: bool = True
    usual: str = ""
