"""What a front end brings for its person: the display of a table, and all that is outside games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import trio

from lanplay.engine.game import Game, Result
from lanplay.engine.question import Answer, Illegal, Phrase, Question
from lanplay.engine.view import View
from lanplay.ui.commands import Command
from lanplay.ui.invitation import Phones
from lanplay.ui.lobby import Listing, Offer, Opened, Wish
from lanplay.ui.looking import Review
from lanplay.ui.menu import Shown
from lanplay.ui.scene import Scene
from lanplay_protocol.table import TableInfo


class TableDisplay(Shown, Protocol):
    """One game as a person sees it, and how the person is asked; a presenter drives it.

    ``commands`` returns what the person can do beside answering, ``closes`` when (by trio's clock)
    the time for the question at hand is over, ``None`` where there is no hurry. ``attends`` is
    called with false for whatever the person does, and with true when it begins to read a rule.
    ``listens`` tells whether it takes commands also while nothing is asked.
    """

    commands: Callable[[], Sequence[Command]]
    closes: Callable[[], float | None]
    attends: Callable[[bool], None]
    listens: bool

    def showing(self) -> AbstractContextManager[Any]:
        """Be what the person sees while a block runs."""

    def sees(self, scene: Callable[[], Scene]) -> None:
        """Show from now on what ``scene`` returns, whenever it is looked at."""

    def changed(self) -> None:
        """Show what the scene is now: somebody else is waited for."""

    async def run(self) -> None:
        """Take what the person does, until cancelled."""

    async def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the person's answer, which is legal; cancelled if it is no longer asked."""

    async def agree(self, question: str) -> None:
        """Ask for a yes and return once it comes."""

    def happened(self, round_: int, message: Phrase) -> None:
        """Show an event of the game, which was in that round."""

    def recalled(self, round_: int, message: Phrase) -> None:
        """Take note of an event that was shown before."""

    def call(self, text: str) -> None:
        """Call the person who looks elsewhere: somebody has said this."""

    def introduced(self, goal: Sequence[str]) -> None:
        """Show what the game is about, to somebody who has never played it."""

    def coached(self, text: str) -> None:
        """Show what a coach says, until it says something else; empty: nothing any more."""

    def refused(self, illegal: Illegal) -> None:
        """Say why an answer was refused."""


@runtime_checkable
class Advised(Protocol):
    """A display on which advice can be taken step by step."""

    def advised(self, text: str, question: Question, path: Sequence[Answer]) -> None:
        """Show why something is advised, and the next step of it, until the question is answered.

        ``path`` is what is picked, step by step.
        """


class TableFrontEnd(Protocol):
    """How a session is shown: tables that form, games, and what lies between them."""

    def say(self, text: str) -> None:
        """Tell what belongs to no game."""

    def ahead(self, text: str) -> None:
        """Tell what belongs to the table that is shown next."""

    def table(self, game: Game, names: Sequence[str], alone: bool = False) -> TableDisplay:
        """Return the display of a table; ``names`` are its seats', as they may be shown.

        ``alone``: nobody plays there on another machine, so that all waits for the person.
        """

    async def over(self, result: Result | None, rematch: bool, review: Review | None) -> bool:
        """Show how the last game ended; return whether the person wants a rematch, if possible.

        ``review`` works out luck and decisions, should the person want them.
        """

    def invited(self, host: str) -> None:
        """Tell meanwhile that the host keeps a seat for the person; empty: nobody does now."""

    def invitation(self, phones: Phones) -> None:
        """Show how phones come, until the person has seen enough."""

    def forming(self) -> AbstractContextManager[None]:
        """Show a table that forms, and before it the way to it, while a block runs."""

    def seats(self, info: TableInfo, awaited: Collection[bytes] = ()) -> None:
        """Show who sits where at the forming table; ``awaited`` are identities not back yet."""

    def heard(self, text: str) -> None:
        """Show what somebody has said at the forming table; call the person who looks elsewhere.

        Where the log of its game is another one, that begins with it.
        """

    async def host(self, obey: Callable[[str], bool], info: TableInfo) -> None:
        """Let the person change the table by lines for ``obey``, until one of them starts it.

        ``obey`` raises ``ValueError`` for what is wrong. ``UserError`` where nobody can start it.
        """

    async def guest(self, seated: trio.Event, obey: Callable[[str], bool]) -> None:
        """Return once the person wants to leave the table; ``seated`` is set once it sits.

        Other lines are for ``obey``, which raises ``ValueError`` for what is wrong.
        """


class Formed(Protocol):
    """A screen or page of a table that forms."""

    def seats(self, info: TableInfo, awaited: Collection[bytes]) -> None:
        """Show who sits where."""

    def heard(self, text: str) -> None:
        """Show what somebody has said."""


FormedT = TypeVar("FormedT", bound=Formed)
ShownT = TypeVar("ShownT", bound=Shown)


class TablesShown(Generic[FormedT, ShownT]):
    """The part of a ``TableFrontEnd`` that all of them with screens share.

    ``formed`` makes the screen of a table that forms, ``showing`` shows it while a block runs.
    """

    def __init__(
        self,
        showing: Callable[[FormedT], AbstractContextManager[None]],
        formed: Callable[[], FormedT],
    ) -> None:
        self._showing, self._formed = showing, formed
        self._forming = formed()
        self._table: ShownT | None = None
        self._ahead: list[str] = []

    def ahead(self, text: str) -> None:
        """Tell what belongs to the table that is shown next: its log begins with it."""
        self._ahead.append(text)

    def _begun(self, table: ShownT) -> ShownT:
        """Return a table that is shown from now on."""
        self._table = table
        for text in self._ahead:
            table.notice(text)
        self._ahead.clear()
        return table

    @contextmanager
    def forming(self) -> Iterator[None]:
        """Show a table that forms, and before it the way to it, while a block runs."""
        self._table, self._forming = None, self._formed()
        with self._showing(self._forming):
            yield
        self._ahead.clear()

    def seats(self, info: TableInfo, awaited: Collection[bytes] = ()) -> None:
        """Show who sits where; ``awaited`` are identities that are not back yet."""
        self._forming.seats(info, awaited)

    def heard(self, text: str) -> None:
        """Show what somebody has said, and keep it for the log of the game."""
        self._ahead.append(text)
        self._forming.heard(text)


class FrontEnd(TableFrontEnd, Protocol):
    """All that a person sees and does: how sessions are shown, and the way to them."""

    paced: bool
    """Whether moves of AI are to follow each other at the speed that its person has set."""

    async def choice(self, question: str, how: str, answers: Mapping[str, str]) -> str:
        """Return what the person's answer stands for; ``how`` says what the answers are.

        An empty answer is Enter alone. ``UserError`` if the person leaves.
        """

    async def sure(self, question: str) -> bool:
        """Return whether what one key has said and cannot be undone is meant.

        A line with Enter behind it is.
        """

    async def secret(self, prompt: str) -> str:
        """Return a line that nobody else is to read; ``UserError`` if the person gives none."""

    def lobby(self, listing: Callable[[], Listing]) -> AbstractContextManager[Wishing]:
        """Show the tables of the network while a block runs."""

    def changed(self) -> None:
        """Say that what the lobby lists has changed."""

    async def opening(self, offers: Sequence[Offer], game: str, bot: str) -> Opened | None:
        """Return the new table that the person wants; ``None`` if it wants none."""


class Wishing(Protocol):
    """The lobby while it is shown."""

    async def wish(self) -> Wish:
        """Return what the person wants next."""

    def say(self, text: str) -> None:
        """Show a sentence."""
