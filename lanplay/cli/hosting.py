"""Hosting a table: announce it, seat whoever comes, fill the rest with AI, play."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import trio

from lanplay import __version__
from lanplay.cli import network
from lanplay.cli.identity import own_identity
from lanplay.cli.settings import data_folder
from lanplay.cli.tables import setup
from lanplay.errors import UserError
from lanplay.games import load
from protocol import PROTOCOL
from protocol.advert import MAX_PEOPLE, Advert
from protocol.lobby import Guest, Lobby, Seat, TableInfo
from protocol.replica.roster import NONCE
from protocol.shell.discovery import open_discovery
from protocol.shell.gather import Hosting
from protocol.shell.node import Node, open_node
from protocol.shell.passwords import Gate
from protocol.shell.play import Outcome
from protocol.text import NICKNAME_LIMIT, TABLE_NAME_LIMIT, clean_text


async def host(args: argparse.Namespace) -> int:
    """Run ``lanplay host``; ``UserError`` for what the person can mend."""
    info = new_table(args)
    identity = own_identity(data_folder(args.data))
    secret = await network.password(args) if args.password or args.password_file else None
    async with open_node(identity, __version__) as node:
        info = with_host(info, node, network.own_name(args), args.auto or "")
        try:
            await node.listen(args.port, network.listen_host(args))
        except OSError as error:
            raise UserError(
                f"Port {args.port} cannot be used ({error.strerror}). "
                "Another program may use it: choose another one with --port."
            ) from error
        outcome = await open_table(node, info, args, secret)
    return network.finish(outcome, args)


def new_table(args: argparse.Namespace) -> TableInfo:
    """Return the empty table that the arguments describe; ``UserError`` if there is none such."""
    bots = [args.bot, args.auto or args.bot]
    table = setup(args.game, args.seats, args.option, bots)
    if args.people is not None and not 1 <= args.people <= args.seats:
        raise UserError(f"--people {args.people}: a table of {args.seats} seats 1 to {args.seats}.")
    name = clean_text(args.table or f"{network.own_name(args)}'s table", TABLE_NAME_LIMIT)
    seats = tuple(Seat() for _ in range(args.seats))
    chosen = tuple(table.options.items())
    game = table.game
    head = (os.urandom(16).hex(), name, game.name, game.version, chosen)
    return TableInfo(*head, seats, (), network.house(args))


def with_host(info: TableInfo, node: Node, name: str, bot: str) -> TableInfo:
    """Return the table with its host on the first seat."""
    me = node.identity.public
    seats = (Seat(name, me, bot), *info.seats[1:])
    guests = (Guest(me, name, (), os.urandom(NONCE)),)
    return replace(info, seats=seats, guests=guests)


async def open_table(
    node: Node, info: TableInfo, args: argparse.Namespace, secret: str | None
) -> Outcome:
    """Announce the table, wait for people, fill it and play."""
    lobby = Lobby(info)
    gate = Gate(node, secret) if secret is not None else None
    told = partial(advert, port=node.port, password=gate is not None)
    print(f"Table {info.name!r} is open on port {node.port}.", file=sys.stderr, flush=True)
    ways = " or ".join(f"lanplay join {host}:{node.port}" for host in own_addresses(args))
    print(f"Others on this network: lanplay join   ({ways})", file=sys.stderr, flush=True)
    async with (
        open_discovery(args.interface) as found,
        found.announce(told(info, state="open")) as announcement,
    ):

        async def changed(info: TableInfo) -> None:
            await announcement.update(told(info, state="open"))

        hosting = await gather(node, lobby, gate, changed, args.people)
        lobby.fill(args.bot)
        start = hosting.start()
        await announcement.update(told(lobby.info, state="running"))
        bots = {place: seat.bot for place, seat in enumerate(lobby.info.seats) if seat.bot}
        table = network.Table(load(info.game), start, bots, gate is not None)
        return await network.play(node, table, args)


def own_addresses(args: argparse.Namespace) -> list[str]:
    """Return the addresses at which others may reach this machine, at most three."""
    import ifaddr

    found = args.interface or [
        ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str)
    ]
    return [host for host in found if args.interface or not host.startswith("127.")][:3] or ["HOST"]


async def gather(
    node: Node,
    lobby: Lobby,
    gate: Gate | None,
    tell: Callable[[TableInfo], Awaitable[None]],
    people: int | None,
) -> Hosting:
    """Seat guests until so many people sit at the table; ``tell`` the network of every change.

    With no number given, a line on standard input starts the game, and so does a full table.
    """
    needed = len(lobby.info.seats) if people is None else people
    async with trio.open_nursery() as nursery:
        changes, changed = trio.open_memory_channel[TableInfo](1000)

        def show(info: TableInfo) -> None:
            _show(info)
            changes.send_nowait(info)

        async def announce() -> None:
            async for info in changed:
                await tell(info)

        nursery.start_soon(announce)
        if people is None:
            nursery.start_soon(_start_on_enter, nursery.cancel_scope)
        hosting = Hosting(node, lobby, show, gate)
        await hosting.run(lambda info: len(info.guests) >= needed)
        nursery.cancel_scope.cancel()
    return hosting


async def _start_on_enter(scope: trio.CancelScope) -> None:
    print("Press Enter to fill the free seats with AI and start.", file=sys.stderr, flush=True)
    await trio.to_thread.run_sync(network.STDIN.wait, abandon_on_cancel=True)
    if network.STDIN.readline():
        scope.cancel()


def advert(info: TableInfo, *, port: int, password: bool, state: str) -> Advert:
    """Return what the network is told of a table."""
    return Advert(
        table_id=info.table,
        table=clean_text(info.name, TABLE_NAME_LIMIT),
        host=clean_text(info.guests[0].name, NICKNAME_LIMIT),
        game=info.game,
        seats=len(info.seats),
        free=info.free,
        people=tuple(clean_text(g.name, NICKNAME_LIMIT) for g in info.guests[:MAX_PEOPLE]),
        password=password,
        state="open" if state == "open" else "running",
        version=__version__,
        protocol=PROTOCOL,
        port=port,
    )


def _show(info: TableInfo) -> None:
    seats = ", ".join(seat.name or "free" for seat in info.seats)
    print(f"{info.name}: {seats}", file=sys.stderr, flush=True)
