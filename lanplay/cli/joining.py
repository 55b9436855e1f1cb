"""Joining a table: find it, sit down, wait for the start."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Sequence

import trio

from lanplay import __version__
from lanplay.cli import network
from lanplay.cli.commanding import at_keyboard, say, wait_as_guest
from lanplay.cli.hosting import Secret, show
from lanplay.engine.game import Game, check_table
from lanplay.errors import UserError
from lanplay.games import load
from protocol.advert import Advert
from protocol.errors import PeerError
from protocol.lobby import TableInfo
from protocol.replica.roster import Roster
from protocol.shell.discovery import Found, open_discovery
from protocol.shell.gather import Inheritance, Refused, Start, join
from protocol.shell.node import Node

NOTHING_FOUND = (
    "No open table was found on this network. Is the other laptop in the same Wi-Fi (not a guest "
    "network)? A firewall or macOS's Local Network permission may block discovery: then use "
    "lanplay join HOST:PORT with what the host's screen shows."
)
ELSEWHERE = "lanplay tables shows all tables; lanplay host opens one."


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
    why = ""
    with trio.move_on_after(args.wait):
        async with open_discovery(args.interface) as discovery:
            while True:
                rows = [row for row in discovery.tables if _wanted(row, args.table or "")]
                if row := next((row for row in rows if not closed(row.advert)), None):
                    say(f"Found {row.advert.table!r} of {row.advert.host}.")
                    return list(row.addresses)
                reasons = " ".join(closed(row.advert) for row in rows)
                if reasons not in ("", why):
                    say(f"{reasons} Waiting for a seat, at most {args.wait:g} s.")
                why = reasons
                await discovery.changed()
    raise UserError(f"{why} {ELSEWHERE}" if why else NOTHING_FOUND)


def _wanted(row: Found, name: str) -> bool:
    return name.casefold() in row.advert.table.casefold()


def closed(advert: Advert) -> str:
    """Return the sentence that says why nobody can sit down at a table now; empty if one can."""
    if not advert.compatible:
        return f"{advert.table!r} is of lanplay {advert.version}, this is {__version__}."
    if advert.state != "open":
        return f"{advert.table!r} is playing."
    return "" if advert.free else f"{advert.table!r} is full or locked."


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


async def sit_down(
    node: Node, addresses: Sequence[tuple[str, int]], args: argparse.Namespace, secret: Secret
) -> Start | Inheritance:
    """Join at the first address that answers and wait for the start, or to become the host.

    ``UserError`` says why there was neither.
    """
    seated = trio.Event()

    def changed(info: TableInfo) -> None:
        playable(info.roster())
        seated.set()
        show(info)

    async def heed() -> None:
        await seated.wait()
        await wait_as_guest()

    async with trio.open_nursery() as nursery:
        if at_keyboard():
            nursery.start_soon(heed)
        try:
            return await first_answer(node, addresses, args, secret, changed)
        except PeerError as error:
            raise UserError(_worded(error, seated.is_set())) from error
        finally:
            nursery.cancel_scope.cancel()


async def first_answer(
    node: Node,
    addresses: Sequence[tuple[str, int]],
    args: argparse.Namespace,
    secret: Secret,
    changed: Callable[[TableInfo], None],
) -> Start | Inheritance:
    """Join at the first address that answers; ``UserError`` if none does."""
    why = "no address is known"
    for host, port in addresses:
        try:
            name = network.own_name(args)
            bot = args.auto or ""
            return await join(node, host, port, name, changed, secret.ask, bot, say)
        except OSError as error:
            why = f"{host}:{port} does not answer ({error.strerror or error})"
    raise UserError(f"The table cannot be reached: {why}. Check the address, the Wi-Fi, firewalls.")


def _worded(error: PeerError, seated: bool) -> str:
    what = "You no longer sit at the table" if seated else "The table cannot be joined"
    more = "" if isinstance(error, Refused) else f" {ELSEWHERE}"
    return f"{what}: {error.text}.{more}"


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
