"""Joining a table: find it, sit down, wait for the start, play."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys

import trio

import ai
from lanplay import __version__
from lanplay.cli import network
from lanplay.cli.identity import own_identity
from lanplay.cli.settings import data_folder
from lanplay.engine.game import Game, check_table
from lanplay.errors import UserError
from lanplay.games import load
from protocol.errors import PeerError
from protocol.lobby import TableInfo
from protocol.replica.roster import Roster
from protocol.shell.discovery import Discovery, Found, open_discovery
from protocol.shell.gather import Start, join
from protocol.shell.node import Node, open_node
from protocol.shell.passwords import AskPassword

NOTHING_FOUND = (
    "No open table was found on this network. Is the other laptop in the same Wi-Fi (not a guest "
    "network)? A firewall or macOS's Local Network permission may block discovery: then use "
    "lanplay join HOST:PORT with what the host's screen shows."
)


async def join_table(args: argparse.Namespace) -> int:
    """Run ``lanplay join``; ``UserError`` for what the person can mend."""
    bot = args.auto
    if bot:
        try:
            ai.make(bot, bytes(32))
        except ValueError as error:
            raise UserError(f"{error}.") from error
    network.hint_at_resume(args)
    candidates = await find(args)
    identity = own_identity(data_folder(args.data))
    proven: list[bool] = []

    async def ask() -> str:
        proven.append(True)
        return await network.password(args)

    async with open_node(identity, __version__) as node:
        await node.listen(args.port, network.listen_host(args))
        start = await sit_down(node, candidates, network.own_name(args), ask)
        seats = next(p.seats for p in start.roster.peers if p.public == node.identity.public)
        bots = {seat: bot for seat in seats if bot}
        game = playable(start.roster)
        outcome = await network.play(node, network.Table(game, start, bots, bool(proven)), args)
    return network.finish(outcome, args)


def playable(roster: Roster) -> Game:
    """Return the game of a table; ``UserError`` if this program does not play it, or not so."""
    try:
        game = load(roster.game)
        check_table(game, len(roster.names), roster.options)
    except ValueError as error:
        raise UserError(f"The table cannot be played: {error}.") from error
    if game.version != roster.version:
        raise UserError(
            f"The table plays {game.name} rules {roster.version}, this program rules "
            f"{game.version}. Use the same version of lanplay on all laptops."
        )
    return game


async def find(args: argparse.Namespace) -> list[tuple[str, int]]:
    """Return the addresses at which the table asked for may be reached."""
    if args.table and (address := parse_address(args.table)) is not None:
        return [address]
    with trio.move_on_after(args.wait):
        async with open_discovery(args.interface) as discovery:
            row = await first_open(discovery, args.table or "")
            print(f"Found {row.advert.table!r} of {row.advert.host}.", file=sys.stderr, flush=True)
            return list(row.addresses)
    raise UserError(NOTHING_FOUND)


def parse_address(text: str) -> tuple[str, int] | None:
    """Return ``HOST:PORT`` as a pair; ``None`` if the text has no colon.

    Raises ``UserError`` for a port that is none.
    """
    host, colon, port = text.rpartition(":")
    if not colon:
        return None
    if not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise UserError(f"{text}: after the colon a port is needed, a number from 1 to 65535.")
    return host.strip("[]"), int(port)


async def first_open(discovery: Discovery, wanted: str) -> Found:
    """Wait for a table that can be joined and whose name contains ``wanted``."""
    while True:
        for row in discovery.tables:
            advert = row.advert
            fits = wanted.casefold() in advert.table.casefold()
            if fits and advert.compatible and advert.state == "open" and advert.free:
                return row
        await discovery.changed()


async def sit_down(
    node: Node, candidates: list[tuple[str, int]], name: str, ask: AskPassword
) -> Start:
    """Join at the first address that answers; ``UserError`` says why none did."""
    why = "no address is known"
    for host, port in candidates:
        try:
            return await join(node, host, port, name, _show, ask)
        except OSError as error:
            why = f"{host}:{port} does not answer ({error.strerror or error})"
        except PeerError as error:
            raise UserError(f"The table cannot be joined: {error.text}.") from error
    raise UserError(f"The table cannot be reached: {why}. Check the address, the Wi-Fi, firewalls.")


def _show(info: TableInfo) -> None:
    seats = ", ".join(seat.name or "free" for seat in info.seats)
    print(f"{info.name}: {seats}", file=sys.stderr, flush=True)


async def list_tables(args: argparse.Namespace) -> int:
    """Run ``lanplay tables``."""
    async with open_discovery(args.interface) as discovery:
        await trio.sleep(args.seconds)
        rows = discovery.tables
        problem = discovery.problem
    for row in rows:
        print(json.dumps(_plain(row)) if args.json else _line(row))
    if not rows:
        print(problem or NOTHING_FOUND, file=sys.stderr)
    return 0


def _plain(row: Found) -> dict[str, object]:
    addresses = [f"{host}:{port}" for host, port in row.addresses]
    return {**dataclasses.asdict(row.advert), "addresses": addresses}


def _line(row: Found) -> str:
    advert = row.advert
    other = "" if advert.compatible else f"  (lanplay {advert.version}; this is {__version__})"
    host, port = row.addresses[0] if row.addresses else ("?", 0)
    return (
        f"{advert.table}  {advert.game}  {advert.free} of {advert.seats} seats free  "
        f"{advert.state}  {', '.join(advert.people)}  {host}:{port}{other}"
    )
