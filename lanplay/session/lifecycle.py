"""A table's life: it is found or opened, played at, and played at again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from math import inf

import trio

from lanplay.errors import UserError
from lanplay.language import _, figure
from lanplay.session.ended import shown
from lanplay.session.events import Invited, TableNotice
from lanplay.session.hosting import host_table, own_node, rematch_of
from lanplay.session.joining import own_bots, playable, sit_down
from lanplay.session.on_disk import drop_offer, keep
from lanplay.session.playing import PlayedTable, SeatedTable, play
from lanplay.session.reconnect import await_rematch
from lanplay.session.settings import Target
from lanplay.session.table import TableSession
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.roster import NAME, Peer
from lanplay_protocol.shell.beginning import grace
from lanplay_protocol.shell.host import FrozenTable, HostHandover
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.shell.runner import GameOutcome
from lanplay_protocol.text import clean_text

REMATCH_WAIT = 600.0
"""Seconds for which a guest waits for its host to open the table again."""
WAIT = 30.0
"""Seconds for which a host without guests tries to sit down with the one that they follow."""
STARTS = 8
"""Times that a table is gone back to by itself after a game that could not begin."""

Seat = Callable[[Node], HostHandover | Target]
"""The table to host, or to look for, once this program listens."""


async def play_until_left(session: TableSession, identity: Identity, seat: Seat) -> GameOutcome:
    """Play at a table as often as its person wants, everybody on the same seat."""
    while True:
        async with own_node(identity, session.client.network) as node, shown(node, session.client):
            session.client = session.client.at(node.port)
            try:
                session.search()
                played = await _sit(session, node, seat(node))
            except BaseException as error:  # who leaves says so to the others
                drop_offer(session, delete=_cancelled(error))
                raise
            rematch = await finish(session, played.outcome, partial(waiting, node, played.sat))
        if not rematch:
            return played.outcome
        seat = partial(seat_again, played.sat)


def _cancelled(error: BaseException) -> bool:
    """Tell whether an error, or all of a group of them, is that this was cancelled."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(_cancelled, error.exceptions))
    return isinstance(error, trio.Cancelled)


async def _sit(session: TableSession, node: Node, seat: HostHandover | Target) -> PlayedTable:
    """Be the host of a table, or a guest at one that is found, whichever it is by turns; play.

    A guest that inherits its table becomes its host; a host without whom the guests have gone
    on becomes a guest again, or opens its own table anew where they do not seat it.
    """
    own: HostHandover | None = None
    while True:
        played: PlayedTable | None = None
        if isinstance(seat, HostHandover):
            ended = await host_table(node, seat, session)
            if isinstance(ended, PlayedTable):
                played = ended
            else:
                own, seat = seat, Target(wait=WAIT, places=ended.reached)
        else:
            said, own = await _seated(node, seat, session, own), None
            if isinstance(said, FrozenTable):
                played = await as_guest(session, node, said)
            else:
                session.client.say(_("You are the host of the table from now on."))
                session.password = session.password if said.proven else ""
                seat = said
        if played is not None:
            if not goes_back(played):
                return played
            session.search()
            seat = sent_back(session, played, node)


async def _seated(
    node: Node, target: Target, session: TableSession, own: HostHandover | None
) -> FrozenTable | HostHandover:
    """Sit down at a table; who was called from its ``own`` in vain hosts that again, and follows
    nobody who was lost before: a liar can say of any table that it goes on elsewhere."""
    try:
        return await sit_down(node, target, session)
    except UserError as error:
        if own is None or error.leaves:
            raise
        session.client.say(str(error))
        return replace(own, early=(), lost=())


def goes_back(played: PlayedTable) -> bool:
    """Tell whether all go back to a table by themselves, as its game could not begin."""
    return played.void and played.sat.roster.term < STARTS


def sent_back(session: TableSession, played: PlayedTable, node: Node) -> HostHandover | Target:
    """Return the table to which all go back, once they look for one, and say why."""
    session.tell(TableNotice(played.outcome.halted))
    return back_to_table(played, node)


def back_to_table(played: PlayedTable, node: Node) -> HostHandover | Target:
    """Return the table of a game that could not begin, in its next term.

    Its host opens it again, or who sits on the next seat of those that are here; the others go
    there.
    """
    sat, gone = played.sat, played.absent
    here = [peer for peer in sat.roster.peers if peer.public not in gone]
    first = sat.roster.peers[0]
    host = first if first in here else min(here, key=lambda peer: peer.seats)
    if host.public != node.identity.public:
        return _with_host(sat, host)
    table = rematch_of(sat, node)
    info = replace(table.lobby.info, table=sat.roster.table, term=sat.roster.term + 1)
    table.lobby.info = info
    return replace(table, patience=grace(info.settings))


async def as_guest(session: TableSession, node: Node, start: FrozenTable) -> PlayedTable:
    """Play the game that a host has started."""
    game = playable(start.roster)
    bots = own_bots(start.roster, node, session.client.profile.auto)
    gate = Gate(node, session.password) if start.proven and session.password else None
    return await play(node, SeatedTable(game, start, bots, start.proven, gate), session)


async def finish(
    session: TableSession, outcome: GameOutcome, waits: Callable[[], str] | None = None
) -> bool:
    """Keep the record and tell the end; return whether the person wants a rematch.

    Meanwhile, and at a person's table for its grace more, those who were away may
    come back and see how the game ended: the node still has to run for that.
    ``waits`` says who asks for a rematch already; ``None`` where the person plays alone.
    """
    client = session.client
    path, auto = keep(outcome, client), client.profile.auto
    if path is not None:
        outcome.forget()
    rematch = outcome.result is not None
    async with trio.open_nursery() as nursery:
        seen = trio.Event()
        if outcome.stay is not None:
            nursery.start_soon(_until_seen, outcome.stay, seen)
        if rematch and waits is not None and not auto:
            told = partial(await_rematch, client, waits)
            nursery.start_soon(told, lambda name: session.tell(Invited(name)))
        session.end(outcome, path, rematch)
        wanted = await session.wants_rematch()
        if outcome.stay is not None and not auto and not wanted:
            await _stay(client.say, seen, outcome.grace)
        nursery.cancel_scope.cancel()
    return wanted


def waiting(node: Node, sat: FrozenTable) -> str:
    """Return who of a game that is over asks already to sit down at its table again, if anybody."""
    names = {peer.public: clean_text(peer.name, NAME) for peer in sat.roster.peers}
    return next((names[each] for each in node.events.saying("join") if each in names), "")


async def _stay(say: Callable[[str], None], seen: trio.Event, seconds: float) -> None:
    """Stay for those who were away at the end, as long as their table waits for somebody."""
    said = _("Somebody was away at the end: this program shows it for {seconds} s more.")
    if seconds == inf:
        said = _("Somebody was away at the end: this program shows it until everybody has seen it.")
    say(f"{said.format(seconds=figure(seconds, 'g'))} {_('Ctrl-C ends it.')}")
    with trio.move_on_after(seconds):
        await seen.wait()


async def _until_seen(stay: Callable[[], Awaitable[None]], seen: trio.Event) -> None:
    await stay()
    seen.set()


def seat_again(sat: FrozenTable, node: Node) -> HostHandover | Target:
    """Return the table of the last game: its host opens it anew, all others go to it."""
    host = sat.roster.peers[0]
    return rematch_of(sat, node) if host.public == node.identity.public else _with_host(sat, host)


def _with_host(sat: FrozenTable, host: Peer) -> Target:
    places = tuple(sat.addresses.get(host.public, ()))
    return Target(wait=REMATCH_WAIT, places=places, host=clean_text(host.name, NAME))
