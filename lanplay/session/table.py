"""One table from the search for it to the last rematch, whoever hosts it and whatever shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import trio

from lanplay.errors import Fault, UserError
from lanplay.language import _, figure
from lanplay.session import commands as c
from lanplay.session.audience import OWNER, Audience, Subscriptions
from lanplay.session.controllers import SeatController
from lanplay.session.events import (
    Ended,
    Event,
    Invited,
    LobbyChanged,
    Snapshot,
    StageChanged,
    TableStage,
)
from lanplay.session.hosting import Forming, again, host_table, own_node
from lanplay.session.joining import playable, sit_down
from lanplay.session.playing import PlayedTable, SeatedTable, keep, play
from lanplay.session.profile import session_identity
from lanplay.session.reconnect import await_host
from lanplay.session.running import BotPace, RunningGame
from lanplay.session.settings import Access, Target
from lanplay_protocol.identity import Identity
from lanplay_protocol.shell.host import FrozenTable, HostHandover
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.shell.runner import GameOutcome
from lanplay_protocol.table import TableInfo

if TYPE_CHECKING:
    from lanplay.session.client import Client

REMATCH_WAIT = 600.0
"""Seconds for which a guest waits for its host to open the table again."""
WAIT = 30.0
"""Seconds for which a host without guests tries to sit down with the one that they follow."""
STAY_SECONDS = 60.0
"""How long a finished program stays for those who were away at the end."""

Seat = Callable[[Node], HostHandover | Target]
"""The table to host, or to look for, once this program listens."""


class TableSession:
    """One table. ``way`` comes by it and plays; ``client`` listens where it does already.

    ``password`` is the table's, once this program has learned it, ``title`` what the table is
    called; ``pace`` is that of its AI.
    """

    def __init__(
        self,
        client: Client,
        access: Access,
        way: Callable[[TableSession], Awaitable[GameOutcome]],
    ) -> None:
        self.client = client
        self.access = access
        self.password = ""
        self.title = ""
        self.pace = BotPace(client.pace)
        self._way = way
        self._stage = TableStage.SEARCHING
        self._game: RunningGame | None = None
        self._forming: Forming | None = None
        self._lobby: LobbyChanged | None = None
        self._asks: Callable[[str, bool], None] | None = None
        self._ended: Ended | None = None
        self._again = False
        self._chosen = trio.Event()
        self._left: Fault | None = None
        self._scope = trio.CancelScope()
        self._subscriptions = Subscriptions(self.snapshot, self._known, self._placed)
        self.tell = self._subscriptions.tell
        self.subscribe = self._subscriptions.subscribe

    @property
    def stage(self) -> TableStage:
        """How far the table is."""
        if self._stage is TableStage.PLAYING and self._game is not None:
            return self._game.stage
        return self._stage

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
        """Until its people leave; what was played is on disk whatever is raised.

        Returns how the last game ended; ``UserError`` if it was left before, or never came about.
        """
        try:
            with self._scope:
                return await self._way(self)
        finally:
            self._stage = TableStage.LEFT
        raise UserError(self._left or Fault.LEFT_TABLE)

    def snapshot(self, audience: Audience) -> Snapshot:
        """Return what an audience may know now."""
        if self._game is not None:
            return self._game.snapshot(self._subscriptions.seats(audience), self.stage)
        return Snapshot(self.stage)

    def _known(self, audience: Audience) -> Sequence[Event]:
        """Return what an audience that comes only now has missed, but for the snapshot."""
        if self._game is not None:
            known = self._game.known(self._subscriptions.seats(audience))
            return known if self._ended is None else [*known, self._ended]
        return [] if self._lobby is None else [self._lobby]

    def seat(self, place: int, controller: SeatController) -> None:
        """Let another controller answer from now on; what is asked is asked again."""
        if self._game is None:
            raise ValueError(_("That cannot be done now."))
        self._game.seat(place, controller)

    def commands(self, audience: Audience) -> Sequence[c.CommandOffer]:
        """Return what an audience may submit now: menus, key bars and buttons are made of it.

        The owner decides for this laptop; whoever has a seat here, for that seat.
        """
        if self._game is not None and self._stage is TableStage.PLAYING:
            return self._game.offers(self._subscriptions.seats(audience), audience.owner)
        return self._offers() if audience.owner else ()

    def _offers(self) -> Sequence[c.CommandOffer]:
        """Return what the owner may submit before a game and after it."""
        if self._stage is TableStage.OVER:
            return (c.CommandOffer(c.Rematch), c.CommandOffer(c.LeaveTable))
        if self._forming is not None:
            return self._forming.offers()
        persons = (c.SeatPerson, c.UnseatPerson) if self._asks is not None else ()
        return tuple(map(c.CommandOffer, (*persons, c.LeaveTable)))

    def submit(self, command: c.Command, audience: Audience = OWNER) -> None:
        """Do what a person wants, if its audience may: see ``commands``.

        Raises ``Illegal`` (an answer, with its rule) or ``ValueError``; nothing has changed then.
        """
        if not audience.owner and not self._may(command, self._subscriptions.seats(audience)):
            raise ValueError(_("That cannot be done now."))
        if isinstance(command, c.Rematch | c.LeaveTable):
            self._go(again=isinstance(command, c.Rematch))
        elif self._forming is not None:
            self._forming.submit(command)
        elif isinstance(command, c.SeatPerson | c.UnseatPerson) and self._asks is not None:
            self._asks(command.name, isinstance(command, c.SeatPerson))
        elif self._game is not None and self._stage is TableStage.PLAYING:
            self._game.submit(command)
        else:
            raise ValueError(_("That cannot be done now."))

    def _may(self, command: c.Command, seats: frozenset[int]) -> bool:
        """Tell whether a person who does not own this laptop may do that, from these seats."""
        if isinstance(command, c.Pause | c.Unpause):
            return bool(seats)
        return isinstance(command, c.SeatCommand | c.Say) and command.seat in seats

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

    async def ask_password(self) -> str:
        """Return the table's password; its person is asked once, whoever hosts the table."""
        self.password = self.password or await self.access.ask()
        return self.password

    def show(
        self,
        info: TableInfo,
        awaited: frozenset[bytes] = frozenset(),
        *,
        hosted: bool = False,
        asks: Callable[[str, bool], None] | None = None,
    ) -> None:
        """Show who sits at the forming table; ``asks`` asks its host for a person's seat."""
        self._stage, self._asks, self.title = TableStage.FORMING, asks, info.name
        self._lobby = LobbyChanged(info, awaited, hosted)
        self.tell(self._lobby)

    @contextmanager
    def forming(self, forming: Forming) -> Iterator[None]:
        """Let its host change the forming table while a block runs."""
        self._forming = forming
        try:
            yield
        finally:
            self._forming = None

    def begin(self, game: RunningGame) -> None:
        """Show a game from now on."""
        self._game, self._lobby, self._stage = game, None, TableStage.PLAYING
        self._asks, self._ended = None, None
        self._subscriptions.begin()

    async def play(self, identity: Identity, seat: Seat) -> GameOutcome:
        """Play at a table as often as its person wants, everybody on the same seat."""
        while True:
            async with own_node(identity, self.client.network) as node:
                self.client = self.client.at(node.port)
                played = await self._sit(node, seat(node))
                await self.finish(played.outcome)
            if not self._again:
                return played.outcome
            seat = partial(seat_again, played.sat)

    async def _sit(self, node: Node, seat: HostHandover | Target) -> PlayedTable:
        """Be the host of a table, or a guest at one that is found, whichever it is by turns; play.

        A guest that inherits its table becomes its host; a host without whom the guests have gone
        on becomes a guest again.
        """
        self._game, self._lobby, self._stage = None, None, TableStage.SEARCHING
        self._asks, self._ended = None, None
        self.tell(StageChanged(TableStage.SEARCHING))
        while True:
            if isinstance(seat, HostHandover):
                ended = await host_table(node, seat, self)
                if isinstance(ended, PlayedTable):
                    return ended
                seat = Target(wait=WAIT, places=tuple(ended.addresses))
            else:
                said = await sit_down(node, seat, self)
                if isinstance(said, FrozenTable):
                    return await self._as_guest(node, said)
                self.client.say(_("You are the host of the table from now on."))
                seat = said

    async def _as_guest(self, node: Node, start: FrozenTable) -> PlayedTable:
        """Play the game that a host has started."""
        game, auto = playable(start.roster), self.client.profile.auto
        seats = next(p.seats for p in start.roster.peers if p.public == node.identity.public)
        bots = {seat: auto for seat in seats if auto}
        gate = Gate(node, self.password) if self.password else None
        return await play(node, SeatedTable(game, start, bots, bool(gate), gate), self)

    async def finish(self, outcome: GameOutcome, rematch: bool = True, alone: bool = False) -> bool:
        """Keep the record and tell the end; return whether the person wants a rematch.

        Meanwhile, and at a person's table for ``STAY_SECONDS`` more, those who were away may come
        back and see how the game ended: the node still has to run for that.
        """
        path = keep(outcome, self.client)
        self._chosen, self._stage = trio.Event(), TableStage.OVER
        rematch = rematch and outcome.result is not None
        async with trio.open_nursery() as nursery:
            seen = trio.Event()
            if outcome.stay is not None:
                nursery.start_soon(_until_seen, outcome.stay, seen)
            if rematch and not alone and not self.client.profile.auto:
                nursery.start_soon(await_host, self.client, lambda host: self.tell(Invited(host)))
            self._ended = Ended(outcome, path, rematch)
            self.tell(self._ended)
            await self._chosen.wait()
            if outcome.stay is not None and not self.client.profile.auto and not self._again:
                await self._stay(seen)
            nursery.cancel_scope.cancel()
        return self._again

    async def _stay(self, seen: trio.Event) -> None:
        said = _("Somebody was away at the end: this program shows it for {seconds} s more.")
        shown = said.format(seconds=figure(STAY_SECONDS, "g"))
        self.client.say(f"{shown} {_('Ctrl-C ends it.')}")
        with trio.move_on_after(STAY_SECONDS):
            await seen.wait()


async def _until_seen(stay: Callable[[], Awaitable[None]], seen: trio.Event) -> None:
    await stay()
    seen.set()


def seat_again(sat: FrozenTable, node: Node) -> HostHandover | Target:
    """Return the table of the last game: its host opens it anew, all others go to it."""
    host = sat.roster.peers[0].public
    if host == node.identity.public:
        return again(sat, node)
    return Target(wait=REMATCH_WAIT, places=tuple(sat.addresses.get(host, ())))
