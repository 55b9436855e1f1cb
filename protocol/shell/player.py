"""What a program at a table has to offer: answers for its seats, and eyes and ears for the rest."""

from __future__ import annotations

from typing import Any, Protocol

from lanplay.engine.question import Answer, Illegal, Message, Question
from lanplay.engine.view import View
from protocol.talk import Said


class Listener(Protocol):
    """Whoever is told what is said at the table, and when the game is paused."""

    def said(self, said: Said) -> None:
        """Somebody, this program's person included, has said something."""
        ...

    def paused(self, by: str) -> None:
        """The game is paused from now on, or by a further person: the clocks stand still."""
        ...

    def resumed(self, by: str) -> None:
        """The game goes on."""
        ...


class Player(Listener, Protocol):
    """Whoever answers for this program's seats, and sees what happens and what is said."""

    async def answer(self, seat: int, view: View[Any], question: Question, bot: str) -> Answer:
        """Return the answer of the AI ``bot``, or of a person where it is empty.

        Asked again after ``refused`` if it is illegal; cancelled if it is no longer asked.
        """
        ...

    async def confirm(self, binding: bytes) -> None:
        """Show the words of the table; return once this program trusts who sits here."""
        ...

    def refused(self, seat: int, illegal: Illegal) -> None:
        """An answer was illegal."""
        ...

    def happened(self, message: Message) -> None:
        """Something for the log of the game."""
        ...

    def notice(self, text: str) -> None:
        """Something about the table: a peer came, left, or was closed."""
        ...

    def urged(self) -> None:
        """Most others do not want to wait for this program's person."""
        ...
