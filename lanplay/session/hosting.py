"""Hosting a table: announce it, seat whoever comes, fill the rest with AI, play.

There is one way to be a host: ``lanplay host`` opens a table, and a guest whose host has gone goes
on with the one that it inherits; from there on both do the same.
"""

from __future__ import annotations

import errno
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from math import inf

import trio

from lanplay import __version__
from lanplay.engine.game import SHOWN
from lanplay.errors import Fault, UserError
from lanplay.games import load
from lanplay.language import _
from lanplay.session.company import fill
from lanplay.session.events import TableNotice
from lanplay.session.forming import HostedTable, StartingTable
from lanplay.session.on_disk import keep_offer
from lanplay.session.playing import PlayedTable, SeatedTable, play
from lanplay.session.requests import absent_of, table_setup
from lanplay.session.settings import Network, Profile, TableWish
from lanplay.session.table import TableSession
from lanplay_protocol import PROTOCOL
from lanplay_protocol.advert import MAX_PEOPLE, Advert, fingerprint
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo
from lanplay_protocol.replica.roster import NONCE
from lanplay_protocol.shell.addresses import bare, local_addresses, needs_scope, outward, written
from lanplay_protocol.shell.discovery import open_discovery
from lanplay_protocol.shell.host import FrozenTable, HostHandover, LobbyHost
from lanplay_protocol.shell.node import Node, open_node
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.table import PLACES
from lanplay_protocol.text import NICKNAME_LIMIT, TABLE_NAME_LIMIT, clean_text

MOST_WAYS = 2
"""Addresses of each family that are named; more of them help nobody."""


@asynccontextmanager
async def own_node(identity: Identity, network: Network) -> AsyncIterator[Node]:
    """Run this installation's node and listen; ``UserError`` if it cannot listen there."""
    async with open_node(identity, __version__) as node:
        await listen(node, network, network.port)
        yield node


async def listen(node: Node, network: Network, port: int) -> None:
    """Listen at a port (0: any); ``UserError`` if this program cannot listen there."""
    node.interfaces = network.interfaces or ()
    try:
        await node.listen(port, network.listen_host)
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise UserError(Fault.NOT_OUR_ADDRESS, address=network.listen_host) from error
        raise UserError(Fault.PORT_TAKEN, port=port, why=error.strerror) from error


def new_table(wish: TableWish, profile: Profile) -> TableInfo:
    """Return the empty table that is wished for; ``UserError`` if there is none such."""
    bots = [wish.bot, profile.auto or wish.bot]
    table = table_setup(wish.game, wish.seats, wish.options, bots, programs=False)
    if wish.people is not None and not 1 <= wish.people <= wish.seats:
        raise UserError(Fault.PEOPLE, people=wish.people, seats=wish.seats)
    name = clean_text(wish.name or _("{name}'s table").format(name=profile.name), TABLE_NAME_LIMIT)
    seats = tuple(Seat() for _ in range(wish.seats))
    chosen = tuple(table.options.items())
    game = table.game
    if wish.absent not in absent_of(game):
        raise UserError(Fault.NO_DEFAULT, game=game.name)
    head = (os.urandom(16).hex(), name, game.name, game.fingerprint, chosen)
    return TableInfo(*head, seats, (), wish.table_settings, people=wish.people or 0)


def with_host(info: TableInfo, node: Node, name: str, bot: str) -> TableInfo:
    """Return the table with its host on the first seat."""
    me = node.identity.public
    seats = (Seat(name, me, bot), *info.seats[1:])
    guests = (Guest(me, name, (), os.urandom(NONCE)),)
    return replace(info, seats=seats, guests=guests)


def rematch_of(sat: FrozenTable, node: Node) -> HostHandover:
    """Return the table of a game that has ended, for a rematch: all seats are as they were.

    They are kept for everybody who sat there; the game starts once all are back, or its host says:
    where no laptop is to come back, only then.
    """
    roster, me = sat.roster, node.identity.public
    peers = sorted(roster.peers, key=lambda peer: peer.public != me)
    guests = tuple(
        Guest(
            peer.public,
            peer.name,
            () if peer.public == me else tuple(sat.addresses.get(peer.public, ()))[:PLACES],
            os.urandom(NONCE) if peer.public == me else b"",
        )
        for peer in peers
    )
    seats = tuple(
        Seat(name, roster.peers[roster.host(place)].public, roster.bot(place))
        for place, name in enumerate(roster.names)
    )
    head = (os.urandom(16).hex(), sat.name, roster.game, load(roster.game).fingerprint)
    options = tuple(roster.options.items())
    info = TableInfo(*head, options, seats, guests, roster.settings)
    awaited = frozenset(guest.identity for guest in guests[1:])
    people = info.came if awaited else 0
    return HostHandover(Lobby(replace(info, people=people), awaited), patience=inf)


def opened(info: TableInfo, node: Node, profile: Profile) -> HostHandover:
    """Return a new table as this program's own: it inherits it from nobody."""
    return HostHandover(Lobby(with_host(info, node, profile.name, profile.auto)))


async def host_table(node: Node, table: HostHandover, session: TableSession) -> PlayedTable | Guest:
    """Announce the table, wait for people, fill it and play.

    Returns how the game ended; or the other host with whom the guests have gone on.
    """
    lobby, client, password = table.lobby, session.client, session.password
    gate = Gate(node, password) if password else None
    told = partial(advert, lobby, port=node.port, password=gate is not None)
    introduce(lobby.info, node.port, session)
    changes, changed = trio.open_memory_channel[None](1)

    def moved(info: TableInfo) -> None:
        session.show(info, lobby.awaited, hosted=True)
        with suppress(trio.WouldBlock):  # what waits to be announced is looked at then
            changes.send_nowait(None)

    hosting = LobbyHost(
        node,
        lobby,
        moved,
        gate,
        table.early,
        table.lost,
        table.patience,
        table.accepted,
        lambda offer: keep_offer(session, offer, hosted_bots(offer, node), gate is not None),
        session.chat,
    )
    node.on_other_version = lambda told: session.tell(TableNotice(told))
    start: FrozenTable | Guest | None = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(announce, changed, told, client.network)
            with changes:
                start = await started(hosting, session)
            if isinstance(start, Guest):
                gone = _("The guests have gone on with another host, {name}: joining them.")
                client.say(gone.format(name=start.name))
                return start
            bots = hosted_bots(start, node)
            sat = SeatedTable(load(lobby.info.game), start, bots, gate is not None, gate)
            return await play(node, sat, session)
    finally:
        if start is None:
            hosting.leave()


async def started(hosting: LobbyHost, session: TableSession) -> FrozenTable | Guest:
    """Gather guests, and offer them the table until all have accepted it."""
    while (ended := await gather(hosting, session)) is None:
        with session.forming(StartingTable(hosting)):
            began = await hosting.begin(lambda text: session.tell(TableNotice(text)), fill)
        if isinstance(began, FrozenTable):
            return began
        session.tell(TableNotice(began))
    return ended


def hosted_bots(offer: FrozenTable, node: Node) -> dict[int, str]:
    """Return the AI on the seats of this program, by seat, as a host offers them."""
    roster, me = offer.roster, node.identity.public
    seats = next(peer.seats for peer in roster.peers if peer.public == me)
    return {seat: roster.bot(seat) for seat in seats if roster.bot(seat)}


async def announce(
    changes: trio.MemoryReceiveChannel[None], told: Callable[[], Advert], network: Network
) -> None:
    """Announce what is to be told of a forming table until it changes no more; then withdraw it.

    Of many changes the last one counts: who makes the table change fills no memory.
    """
    async with open_discovery(network.interfaces) as found, found.announce(told()) as announcement:
        async for _change in changes:
            await announcement.update(told())


def introduce(info: TableInfo, port: int, session: TableSession) -> None:
    """Say that the table is open, and how others come to it."""
    told = _("Table '{table}' is open on port {port}.")
    session.tell(TableNotice(told.format(table=info.name, port=port)))
    interfaces = session.client.network.interfaces
    hosts = own_addresses(interfaces)
    ways = ", ".join(f"lanplay join {typed(host, port)}" for host in hosts)
    others = _("Others on this network: lanplay join   (or: {ways})").format(ways=ways)
    if not interfaces and all(ip_address(bare(host)).is_loopback for host in hosts):
        others = _("This laptop is on no network: connect it to the others' Wi-Fi or cable.")
    session.tell(TableNotice(others))


def own_addresses(interfaces: Sequence[str] | None) -> list[str]:
    """Return the addresses at which others may reach this machine: the best of each family.

    A link-local IPv6 one is named only where there is no other: it needs a scope, which is looked
    for where it is typed, among all interfaces.
    """
    present = local_addresses()
    found = outward(each for each in interfaces or present if bare(each) in present)
    four = [each for each in found if ":" not in each][:MOST_WAYS]
    six = [each for each in found if ":" in each and not needs_scope(each)][:MOST_WAYS]
    return [*four, *six] or found[:1]


def typed(host: str, port: int) -> str:
    """Return an address as a person types it on any shell: some take brackets for patterns."""
    text = written(host, port)
    return f'"{text}"' if text.startswith("[") else text


async def gather(hosting: LobbyHost, session: TableSession) -> FrozenTable | Guest | None:
    """Seat guests until all are there, or until this host's person says start.

    Returns another host, or the start of a game, if there is one: see ``LobbyHost.run``.
    """
    async with trio.open_nursery() as nursery:
        with session.forming(HostedTable(hosting, nursery.cancel_scope.cancel)):
            session.show(hosting.lobby.info, hosting.lobby.awaited, hosted=True)
            other = await hosting.run(lambda _: hosting.lobby.ready)
            nursery.cancel_scope.cancel()
            return other
    return None


def advert(lobby: Lobby, *, port: int, password: bool) -> Advert:
    """Return what the network is told of a forming table.

    A locked one has no seat for anybody but those for whom seats are kept.
    """
    info = lobby.info
    return Advert(
        table_id=info.table,
        table=clean_text(info.name, TABLE_NAME_LIMIT),
        host=clean_text(info.host.name, NICKNAME_LIMIT),
        game=info.game,
        seats=len(info.seats),
        free=0 if info.locked else info.free,
        people=tuple(clean_text(g.name, NICKNAME_LIMIT) for g in info.guests[:MAX_PEOPLE]),
        password=password,
        state="open",
        rules=info.rules.hex()[:SHOWN],
        version=__version__,
        protocol=PROTOCOL,
        port=port,
        peer=fingerprint(info.host.identity),
        kept=tuple(fingerprint(guest.identity) for guest in lobby.late[:MAX_PEOPLE]),
    )
