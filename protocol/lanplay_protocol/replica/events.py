"""What a replica tells its shell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lanplay.engine.game import Result
from lanplay.engine.question import Phrase, Question
from lanplay_protocol.errors import Code
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.seating import Holder


@dataclass(frozen=True, slots=True)
class AnswerNeeded:
    """A seat of this peer is asked; answer with ``Answered``.

    ``bot`` is the AI that holds the seat now, empty for a person.
    """

    seat: int
    question: Question
    bot: str = ""


@dataclass(frozen=True, slots=True)
class TrustNeeded:
    """The keys are known; unless the table is trusted, somebody has to agree to who sits here.

    ``binding`` is the same on all honest screens: 32 bytes, a hash of all identities and of
    what every peer had committed to before it was known, so that a man in the middle cannot make
    two tables show the same words.
    """

    binding: bytes


@dataclass(frozen=True, slots=True)
class Logged:
    """Something for the log of the game."""

    message: Phrase


@dataclass(frozen=True, slots=True)
class LoggedBefore:
    """Something that stood in the log, in that round, before this peer went on from disk."""

    round: int
    message: Phrase


@dataclass(frozen=True, slots=True)
class PhaseCompleted:
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
class PeerUnreachable:
    """Nobody hears a peer; at ``until`` its seats go to AI (``None``: it is waited for)."""

    peer: int
    until: float | None


@dataclass(frozen=True, slots=True)
class PeerReachable:
    """A peer that was missing is heard again."""

    peer: int


@dataclass(frozen=True, slots=True)
class QuorumLost:
    """Fewer than a quorum are here: the game waits, and nothing of it is lost."""

    here: frozenset[int]


@dataclass(frozen=True, slots=True)
class ViewChanged:
    """It is decided that peers are out, or take part again, from the end of this phase on.

    Of those lost some were heard and are only ``slow``.
    """

    lost: tuple[int, ...]
    back: tuple[int, ...]
    slow: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatReassigned:
    """A seat has a new holder."""

    seat: int
    holder: Holder


@dataclass(frozen=True, slots=True)
class OpeningAsked:
    """Whether to open hands is asked of this peer's person: ``seats``, each with who holds it now.

    It comes again when that changes, with none when nothing is asked any more.
    """

    seats: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class HandOpened:
    """All people have agreed: a lost person's hand is open to the holder of its seat."""

    seat: int
    holder: Holder


@dataclass(frozen=True, slots=True)
class AskedToYield:
    """A majority of the others does not want to wait for this peer's person."""


@dataclass(frozen=True, slots=True)
class WaitDisputed:
    """A peer's person wants to wait for another one (``keep``), or does not: ``votes`` of the
    ``needed`` ones are for going on now. ``asks``: this peer's person may still say so, too."""

    peer: int
    about: int
    keep: bool
    votes: int
    needed: int
    asks: bool


@dataclass(frozen=True, slots=True)
class PeerNotDurable:
    """A peer cannot keep the game on its disk."""

    peer: int


@dataclass(frozen=True, slots=True)
class RestartVote:
    """A peer wants to continue anew with those who are here (see ``ContinueWithout``)."""

    peer: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """All who are here want to continue anew: this is the roster of their new game."""

    roster: Roster


@dataclass(frozen=True, slots=True)
class Halted:
    """The game cannot go on for now; nothing is lost. ``report`` says what is known."""

    reason: str
    report: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended."""

    result: Result


Event: TypeAlias = (
    AnswerNeeded
    | TrustNeeded
    | Logged
    | LoggedBefore
    | PhaseCompleted
    | Accused
    | PeerUnreachable
    | PeerReachable
    | QuorumLost
    | ViewChanged
    | SeatReassigned
    | OpeningAsked
    | HandOpened
    | AskedToYield
    | PeerNotDurable
    | RestartVote
    | Restarted
    | Halted
    | GameOver
    | WaitDisputed
)
