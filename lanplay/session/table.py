"""A table as it stands, whoever hosts or shows it: what is seen of it, and what may be done."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import trio

from lanplay.errors import Fault, UserError
from lanplay.language import _
from lanplay.session import commands as c
from lanplay.session.audience import OWNER, Audience, Subscriptions
from lanplay.session.events import (
    UNLOGGED,
    Chatted,
    Ended,
    Event,
    LobbyChanged,
    Snapshot,
    StageChanged,
    TableStage,
)
from lanplay.session.forming import FormingTable
from lanplay.session.habits import HabitStore
from lanplay.session.profile import session_identity
from lanplay.session.running import RunningGame
from lanplay.session.seats import BotPace
from lanplay.session.settings import Access, Installation
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby_chat import LobbyChat
from lanplay_protocol.shell.journal import Journal, SavedGame
from lanplay_protocol.shell.runner import GameOutcome
from lanplay_protocol.table import TableInfo

BESIDE: Final = 64
"""Things told beside the log of a game that are told again to who comes late."""


class TableSession:
    """One table from the search for it to the last rematch: ``way`` comes by it and plays."""

    client: Installation
    """Listens, after the first game, at the port where it did: a rematch is found there."""
    access: Access
    """Asked for the password only when a host, or a journal, turns out to want one."""
    password: str
    """Kept once known: a guest that inherits its table, or plays again, is not asked twice."""
    accepted: tuple[SavedGame, Journal | None] | None
    """The offer of a table that this program has accepted last, on disk until it has begun."""
    title: str
    """Kept for people with phones, who may come during the game."""
    kept_in: Path | None
    """Where the game that is played is kept: what belongs to it lies beside it."""
    pace: BotPace
    """Outlives a game: a rematch goes on at the pace that was set."""
    habits: HabitStore
    """Of all people who play here."""
    chat: LobbyChat
    """What is said while the table forms."""

    def __init__(
        self,
        client: Installation,
        access: Access,
        way: Callable[[TableSession], Awaitable[GameOutcome]],
    ) -> None:
        self.client = client
        self.access = access
        self.password = ""
        self.accepted: tuple[SavedGame, Journal | None] | None = None
        self.title = ""
        self.kept_in = None
        self.pace = BotPace(client.pace)
        self.habits = HabitStore(client.store.folder)
        # what stands in no log of a game, each with the place in it where it was told
        self._beside: deque[tuple[int, Event]] = deque(maxlen=BESIDE)
        first = time.time_ns() // 1_000_000
        self.chat = LobbyChat(lambda said: self.tell(Chatted(said)), first)
        self._way = way
        self._stage = TableStage.SEARCHING
        # what the stage is about; who subscribes late is told of it
        self._forming: FormingTable | None = None
        self._lobby: LobbyChanged | None = None
        self._game: RunningGame | None = None
        self._ended: Ended | None = None
        # what its person chose at the end of a game, and why its run was cut short
        self._chosen = trio.Event()
        self._again = False
        self._left = Fault.LEFT_TABLE
        self._scope = trio.CancelScope()
        self._subscriptions = Subscriptions(self.snapshot, self._known, self._placed)
        self.subscribe = self._subscriptions.subscribe

    @property
    def stage(self) -> TableStage:
        """How far the table is."""
        if self._stage is TableStage.PLAYING and self._game is not None:
            return self._game.stage
        return self._stage

    @property
    def played(self) -> bool:
        """Whether a game is played that has not ended."""
        return self._game is not None and self._ended is None

    @property
    def own(self) -> int | None:
        """The seat of this program's person, or its first AI, once a game is played."""
        return self._game.own if self._game is not None else None

    @property
    def persons(self) -> tuple[str, ...]:
        """The names of further people at this laptop who have seats."""
        if self._game is not None:
            return self._game.persons
        if self._lobby is None:
            return ()
        return self._lobby.info.persons(self.identity().public)[1:]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all who sit at the table."""
        if self._game is not None:
            return self._game.names
        return (
            () if self._lobby is None else tuple(s.name for s in self._lobby.info.seats if s.name)
        )

    @property
    def watched(self) -> bool:
        """Whether somebody without a seat may watch the game."""
        return self._game is not None and self._game.watched

    def _placed(self, audience: Audience) -> int | None:
        """Return the seat that an audience plays in the game, if any."""
        if self._game is None or audience.owner:
            return self.own
        return self._game.seat_of(audience.person)

    async def run(self) -> GameOutcome:
        """Run until its people leave; what was played is on disk whatever is raised.

        Returns how the last game ended; ``UserError`` if it was left before, or never came about.
        """
        try:
            with self._scope:
                return await self._way(self)
        finally:
            self._stage = TableStage.LEFT
        raise UserError(self._left)

    def snapshot(self, audience: Audience) -> Snapshot:
        """Return what an audience may know now."""
        if self._game is not None:
            return self._game.snapshot(self._subscriptions.seats(audience), self.stage)
        return Snapshot(self.stage, lobby=None if self._lobby is None else self._lobby.info)

    def _known(self, audience: Audience) -> Sequence[Event]:
        """Return what an audience that comes only now has missed, but for the snapshot."""
        if self._game is not None:
            known = self._game.known(self._subscriptions.seats(audience))
            for place, event in reversed(self._beside):
                known.insert(place, event)
            return known if self._ended is None else [*known, self._ended]
        talk = [event for _, event in self._beside if isinstance(event, Chatted)]
        return [] if self._lobby is None else [self._lobby, *talk]

    def tell(self, event: Event) -> None:
        """Tell all that may know it; what stands in no log is kept for who comes late."""
        if isinstance(event, UNLOGGED):
            self._beside.append((0 if self._game is None else self._game.logged, event))
        self._subscriptions.tell(event)

    def commands(self, audience: Audience) -> Sequence[c.CommandOffer]:
        """Return what an audience may submit now: menus, key bars and buttons are made of it.

        The owner decides for this laptop; whoever has a seat here, for that seat.
        """
        if self._game is not None and self._stage is TableStage.PLAYING:
            return self._game.offers(self._subscriptions.seats(audience), audience.owner)
        if audience.owner:
            return self._offers()
        return [each for each in self._offers() if each.kind is c.Say and self._sits(audience)]

    def _offers(self) -> Sequence[c.CommandOffer]:
        """Return what the owner may submit before a game and after it."""
        if self._stage is TableStage.OVER:
            return (c.CommandOffer(c.Rematch), c.CommandOffer(c.LeaveTable))
        return (c.CommandOffer(c.LeaveTable),) if self._forming is None else self._forming.offers()

    def submit(self, command: c.Command, audience: Audience = OWNER) -> None:
        """Do what a person wants, if its audience may: see ``commands``.

        Raises ``Illegal`` (an answer, with its rule) or ``ValueError``; nothing has changed then.
        """
        if isinstance(command, c.Say) and self._forming is not None and self._sits(audience):
            self._forming.say(command.text, audience.person)
            return
        if not audience.owner and not self._may(command, self._subscriptions.seats(audience)):
            raise ValueError(_("That cannot be done now."))
        if isinstance(command, c.Rematch | c.LeaveTable):
            self._go(again=isinstance(command, c.Rematch))
        elif self._forming is not None:
            self._forming.submit(command)
        elif self._game is not None and self._stage is TableStage.PLAYING:
            self._game.submit(command)
        else:
            raise ValueError(_("That cannot be done now."))

    def _sits(self, audience: Audience) -> bool:
        """Tell whether somebody may talk at the forming table: who has a seat here."""
        return audience.owner or audience.person in self.persons

    def _may(self, command: c.Command, seats: frozenset[int]) -> bool:
        """Tell whether a person who does not own this laptop may do that, from these seats."""
        return isinstance(command, c.SeatCommand | c.Say | c.Pause | c.Unpause) and (
            command.seat in seats
        )

    def _go(self, again: bool) -> None:
        if self._stage is TableStage.OVER:
            self._again = again
            self._chosen.set()
        elif again:
            raise ValueError(_("That cannot be done now."))
        else:
            self._left = Fault.LEFT_TABLE if self._game is None else Fault.LEFT_GAME
            self._scope.cancel()

    # -- for those who come by a table -------------------------------------------------------------

    def identity(self) -> Identity:
        """Return this installation's identity."""
        return session_identity(self.client.store.folder, self.client.say)

    async def ask_password(self, table: str = "") -> str:
        """Return the password of that table; its person is asked once, whoever hosts it."""
        self.password = self.password or await self.access.ask(table)
        return self.password

    def search(self) -> None:
        """Show that a table is looked for: nothing is left of the last one."""
        self._game, self._lobby, self._ended = None, None, None
        self._beside.clear()
        self._stage = TableStage.SEARCHING
        self.tell(StageChanged(TableStage.SEARCHING))

    def show(
        self, info: TableInfo, awaited: frozenset[bytes] = frozenset(), *, hosted: bool = False
    ) -> None:
        """Show who sits at the forming table."""
        self._stage, self.title = TableStage.FORMING, info.name
        self._lobby = LobbyChanged(info, awaited, hosted)
        self.tell(self._lobby)

    @contextmanager
    def forming(self, forming: FormingTable) -> Iterator[None]:
        """Let the owner do what may be done at a forming table while a block runs."""
        self._forming = forming
        try:
            yield
        finally:
            self._forming = None

    def begin(self, game: RunningGame) -> None:
        """Show a game from now on."""
        self._game, self._lobby, self._ended = game, None, None
        talk = [(0, event) for _, event in self._beside if isinstance(event, Chatted)]
        self._beside = deque(talk, BESIDE)
        self._stage = TableStage.PLAYING
        self._subscriptions.begin()

    def end(self, outcome: GameOutcome, path: Path | None, rematch: bool) -> None:
        """Show how the game ended; from now on its person may choose what comes next."""
        self._chosen, self._stage = trio.Event(), TableStage.OVER
        self._ended = Ended(outcome, path, rematch)
        self.tell(self._ended)

    async def wants_rematch(self) -> bool:
        """Return, once its person has chosen, whether the table goes on."""
        await self._chosen.wait()
        return self._again
