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
from protocol.errors import Code, PeerError
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
RETRY_SECONDS = 1.0
"""How long to wait before a table that did not answer is tried again."""
Address = tuple[str, int]
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


class Search:
    """Looks for a table until a wait is over, and says each thing about that once.

    ``addresses`` are those of a table that is known already, else it is looked for.
    """

    def __init__(
        self, args: argparse.Namespace, wait: float, addresses: Sequence[Address] = ()
    ) -> None:
        given = parse_address(args.table) if args.table and not addresses else None
        self._known = [given] if given is not None else list(addresses)
        self._args = args
        self._wait = wait
        self._end = trio.current_time() + wait
        self._said: set[str] = set()

    @property
    def over(self) -> bool:
        """Whether it is too late to try again."""
        return trio.current_time() + RETRY_SECONDS >= self._end

    def wait_for(self, why: str) -> None:
        """Say what is being waited for, and how long at most."""
        self._say(f"{why} Trying again, at most {self._wait:g} s.")

    def _say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            say(text)

    async def addresses(self) -> Sequence[Address]:
        """Return where the table may be reached; ``UserError`` if there is none in time."""
        if self._known:
            return self._known
        why = ""
        with trio.move_on_at(self._end):
            async with open_discovery(self._args.interface) as discovery:
                while True:
                    name = self._args.table or ""
                    rows = [row for row in discovery.tables if _wanted(row, name)]
                    if row := next((row for row in rows if not closed(row.advert)), None):
                        self._say(f"Found {row.advert.table!r} of {row.advert.host}.")
                        return row.addresses
                    if why := " ".join(closed(row.advert) for row in rows):
                        self._say(f"{why} Waiting for a seat, at most {self._wait:g} s.")
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
    node: Node, search: Search, args: argparse.Namespace, secret: Secret
) -> Start | Inheritance:
    """Join the table that a search finds and wait for the start, or to become the host.

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
            while True:
                addresses = await search.addresses()
                try:
                    return await first_answer(node, addresses, args, secret, changed)
                except (OSError, PeerError) as error:
                    if seated.is_set() or search.over or not _passing(error):
                        raise UserError(_worded(error, seated.is_set())) from error
                    search.wait_for(_why(error))
                    await trio.sleep(RETRY_SECONDS)
        finally:
            nursery.cancel_scope.cancel()


async def first_answer(
    node: Node,
    addresses: Sequence[Address],
    args: argparse.Namespace,
    secret: Secret,
    changed: Callable[[TableInfo], None],
) -> Start | Inheritance:
    """Join at the first address that answers; ``OSError`` if none does."""
    failed = OSError("no address is known")
    for host, port in addresses:
        try:
            name = network.own_name(args)
            bot = args.auto or ""
            return await join(node, host, port, name, changed, secret.ask, bot, say)
        except OSError as error:
            failed = OSError(f"{host}:{port} does not answer ({error.strerror or error})")
    raise failed


def _passing(error: OSError | PeerError) -> bool:
    """Tell whether it may be otherwise a moment later."""
    if isinstance(error, Refused):
        return False
    return isinstance(error, OSError) or error.code is Code.UNEXPECTED


def _why(error: OSError | PeerError) -> str:
    if isinstance(error, OSError):
        return f"The table cannot be reached: {error}."
    return f"The table cannot be joined: {error.text}."


def _worded(error: OSError | PeerError, seated: bool) -> str:
    if isinstance(error, OSError):
        return f"{_why(error)} Check the address, the Wi-Fi, firewalls."
    what = f"You no longer sit at the table: {error.text}." if seated else _why(error)
    return what if isinstance(error, Refused) else f"{what} {ELSEWHERE}"


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
