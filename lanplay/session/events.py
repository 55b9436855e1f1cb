"""What a session tells: frozen values without words, which each front end says in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias

from lanplay.engine.agent import Hint
from lanplay.engine.orders import Order
from lanplay.engine.question import Illegal, Phrase, Question
from lanplay.engine.view import View
from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.shell.runner import GameOutcome
from lanplay_protocol.table import TableInfo


class TableStage(Enum):
    """How far a table is."""

    SEARCHING = "searching"
    FORMING = "forming"
    TRUSTING = "trusting"
    PLAYING = "playing"
    NO_QUORUM = "no quorum"
    HALTED = "halted"
    OVER = "over"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Absence:
    """A laptop that nobody hears: whose it is, and which seats it has.

    In ``left`` seconds AI takes the seats; ``None``: it is waited for, however long it takes.
    """

    name: str
    seats: frozenset[int] = frozenset()
    left: float | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that an audience may know of a table now: what a screen, or one that is back, needs.

    ``game`` is empty as long as none is played. ``views`` are those of the audience's seats,
    ``own`` the seat that it plays, if any; ``returning``: that seat is its own again in a moment.
    ``asked`` are the questions that are waited for; ``comparing`` names who has still to compare
    the words of the table. ``holders`` say who answers for each seat, ``away`` are people's seats
    for which AI answers; ``stuck``: too many are missing to go on, ``waits``: without this peer
    there would be. ``openings`` names whose hands the person is asked to open to AI; ``passes``:
    nobody plays for who is out; ``starting``: the game has not begun, and does not without all.
    ``pause_left`` are the seconds after which a pause is over,
    ``pauses`` the seats that have asked for one. ``orders`` are those of the own seat, by the kind
    of card. ``closes`` is the time at which the audience's own question is answered by AI, ``pace``
    how many seconds lie between moves of AI.
    """

    stage: TableStage
    game: str = ""
    alone: bool = False
    table: Any = None
    names: tuple[str, ...] = ()
    own: int | None = None
    views: Mapping[int, View[Any]] | None = None
    asked: Mapping[int, Question] | None = None
    returning: bool = False
    comparing: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    holders: tuple[Holder, ...] = ()
    absent: tuple[Absence, ...] = ()
    away: frozenset[int] = frozenset()
    stuck: bool = False
    waits: bool = False
    openings: tuple[str, ...] = ()
    passes: bool = False
    starting: bool = False
    paused_by: tuple[str, ...] = ()
    pause_left: float | None = None
    pauses: frozenset[int] = frozenset()
    spectators: tuple[str, ...] = ()
    closes: float | None = None
    pace: float = 0.0
    orders: Mapping[str, Order] | None = None
    lobby: TableInfo | None = None
    awaited: frozenset[bytes] = frozenset()

    @property
    def own_view(self) -> View[Any] | None:
        """What the own seat sees, if there is one."""
        return None if self.own is None else (self.views or {}).get(self.own)


@dataclass(frozen=True, slots=True)
class StageChanged:
    """The table is a step further: a game begins with ``PLAYING``, and an empty log."""

    stage: TableStage


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """Others sit at the forming table, or otherwise; ``awaited`` are identities not back yet."""

    info: TableInfo
    awaited: frozenset[bytes]
    hosted: bool


@dataclass(frozen=True, slots=True)
class WordsShown:
    """The words of the table; where ``asks``, a person has to say that all screens show them.

    ``changed`` are the names of those who had another key last time.
    """

    words: str
    asks: bool
    changed: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat has to choose; only audiences of this seat are told."""

    seat: int
    question: Question
    view: View[Any]


@dataclass(frozen=True, slots=True)
class NoLongerAsked:
    """What was asked is answered, or nobody waits for an answer any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class AnswerRefused:
    """An answer that was given is against the rules; it is asked again."""

    seat: int
    illegal: Illegal


@dataclass(frozen=True, slots=True)
class EventLogged:
    """Something happened in the game that all may see; it is ``past`` if it was told before."""

    round: int
    message: Phrase
    past: bool = False


class Logbook(list[EventLogged]):
    """The log of a game as whoever comes later is told it."""

    def __init__(self) -> None:
        super().__init__()
        self._begun = 0

    def note(self, round_: int, message: Phrase, past: bool = False) -> EventLogged:
        """Add an event, and return it as it is told now.

        ``round_`` is that of the table, which may have begun another by then: an event ``round``
        says where it did.
        """
        if message.id == "round":
            self._begun = message.values.get("number", round_)
        number = self._begun or round_
        self.append(EventLogged(number, message, past=True))
        return EventLogged(number, message, past)


@dataclass(frozen=True, slots=True)
class AwayChanged:
    """An AI answers for a person's seat now, or no longer; ``why`` it does, if not by a wish."""

    seat: int
    away: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class PeersChanged:
    """Somebody else is waited for, missing or back: the snapshot is another one."""


@dataclass(frozen=True, slots=True)
class Chatted:
    """Somebody has said something."""

    said: ChatMessage


@dataclass(frozen=True, slots=True)
class GamePaused:
    """Nobody's time runs from now on, for so many seconds at most."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class GameResumed:
    """Time runs again: ``name`` has ended the pause; empty where its time was over."""

    name: str


@dataclass(frozen=True, slots=True)
class TableNotice:
    """A sentence on the table: who came, who left, what went wrong."""

    text: str


@dataclass(frozen=True, slots=True)
class Hinted:
    """What the strong bot would answer; ``None`` where it has failed, and how."""

    seat: int
    asked: Asked
    hint: Hint | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class PaceChanged:
    """AI moves after ``seconds`` from now on; ``alone``: since no person is left at the table."""

    seconds: float
    alone: bool


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody wants a rematch: a host that keeps a seat, or a guest. No name: nobody does now."""

    host: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over, or held; its record is in ``path``. ``Rematch`` and ``Leave`` go on.

    ``rematch``: there can be one.
    """

    outcome: GameOutcome
    path: Path | None
    rematch: bool


Event: TypeAlias = (
    Snapshot
    | StageChanged
    | LobbyChanged
    | WordsShown
    | Asked
    | NoLongerAsked
    | AnswerRefused
    | EventLogged
    | AwayChanged
    | PeersChanged
    | Chatted
    | GamePaused
    | GameResumed
    | TableNotice
    | Hinted
    | PaceChanged
    | Invited
    | Ended
)
PRIVATE = (Asked, NoLongerAsked, AnswerRefused, Hinted)
"""Events that audiences of their seat alone are told."""
UNLOGGED = (TableNotice, Chatted, GamePaused, GameResumed, AwayChanged, PaceChanged)
"""Events that are lines for its people and in no log of a game."""
