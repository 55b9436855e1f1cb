"""What a program at a table has to offer (answers, eyes and ears), and what comes of its game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from lanplay.engine.game import Result
from lanplay.engine.knowledge import PrivateKnowledge
from lanplay.engine.question import Answer, Illegal, Phrase, Question
from lanplay.engine.record import Record
from lanplay.engine.view import View
from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.replica.roster import Roster


class Listener(Protocol):
    """What is told when a game moves, somebody speaks, or it is paused."""

    def changed(self) -> None:
        """Called when the game has moved: somebody else may be waited for now."""

    def said(self, said: ChatMessage) -> None:
        """Called when somebody, this program's person included, has said something."""

    def paused(self, by: str, seconds: float) -> None:
        """Called when the game is paused, or by a further person: its clocks stand still.

        After so many seconds they go on by themselves.
        """

    def resumed(self, by: str) -> None:
        """Called when the game goes on: as its pause is over, where nobody is named."""

    def notice(self, text: str) -> None:
        """Called with a sentence about the table: a peer came, left, or was closed."""


class GameDelegate(Listener, Protocol):
    """What a runner asks for the answers of this program's seats, and tells what happens."""

    async def answer(self, seat: int, view: View[Any], question: Question, bot: str) -> Answer:
        """Return the answer of the AI ``bot``, or of a person where it is empty.

        Asked again after ``refused`` if it is illegal; cancelled if it is no longer asked.
        """

    async def confirm(self, binding: bytes) -> None:
        """Show the words of the table; return once this program trusts who sits here."""

    def refused(self, seat: int, illegal: Illegal) -> None:
        """Called when an answer was illegal."""

    def happened(self, message: Phrase) -> None:
        """Called with each line for the log of the game."""

    def recalled(self, round_: int, message: Phrase) -> None:
        """Called with what stood in the log, in that round, before this program resumed."""

    def notice(self, text: str) -> None:
        """Called with a sentence about the table: a peer came, left, or was closed."""

    def asked_to_yield(self) -> None:
        """Called when most others do not want to wait for this program's person."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a network game ended for this program: a result, why it is held, or the new game.

    ``grace``: seconds for which the table waits for somebody. ``on_record``: it came to begin, or
    its record convicts somebody; ``restored``: it was gone on with from the disk.
    ``signed``: all who were there have signed the end; ``stay`` shows it to those who were away
    (see ``GameRunner.stay``); ``None`` where all have seen it, or nobody can; ``forget`` is called
    once its record is kept, and deletes what was needed to go on. ``restarted`` is the
    roster of the game with which those who are here continue it, ``seen`` what this program's own
    seats saw that others did not. ``trace`` holds the hash of the public state after each of its
    ``steps``: those of the line on which the game ended, alike for all.
    """

    record: Record
    result: Result | None
    rounds: int
    halted: str = ""
    report: tuple[str, ...] = ()
    steps: int = 0
    trace: tuple[bytes, ...] = field(default=(), repr=False)
    checked: Counter[str] = field(default_factory=Counter)
    restarted: Roster | None = None
    signed: bool = False
    restored: bool = False
    on_record: bool = True
    grace: float = 0.0
    stay: Callable[[], Awaitable[None]] | None = field(default=None, repr=False, compare=False)
    forget: Callable[[], object] = field(default=lambda: None, repr=False, compare=False)
    seen: PrivateKnowledge = field(default_factory=PrivateKnowledge, repr=False)
