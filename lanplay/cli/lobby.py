"""The lobby: tables of this network appear by themselves; sit down at one, or open one."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable, Sequence

import trio

import lanplay_ai as ai
from lanplay import __version__
from lanplay.cli import network, parsed
from lanplay.cli.desk import Wishing
from lanplay.cli.endings import tellable
from lanplay.cli.identity import public_now
from lanplay.cli.joining import Address, closed
from lanplay.cli.playing import play
from lanplay.cli.resuming import resume
from lanplay.cli.settings import data_folder
from lanplay.cli.sitting import host, join_table
from lanplay.cli.watching import watch
from lanplay.games import NAMES, load
from lanplay.language import _
from lanplay.told import worded
from lanplay.tui.screens.lobby import Listing, Row, Wish
from lanplay.tui.screens.opening import Offer, Opened
from lanplay_protocol.shell.addresses import written
from lanplay_protocol.shell.discovery import Discovery, open_discovery
from lanplay_protocol.shell.journal import journals
from lanplay_protocol.shell.mdns import Found

Main = Callable[[argparse.Namespace], Awaitable[int]]
MAINS: dict[str, Main] = {
    "host": host,
    "join": join_table,
    "watch": watch,
    "resume": resume,
    "play": play,
}
"""The commands that the lobby begins."""


async def lobby(args: argparse.Namespace) -> int:
    """Run ``lanplay`` without a command: let the person choose again and again until it leaves."""
    said: list[str] = []
    while True:
        async with open_discovery(args.interface) as discovery:
            command, places = await _command(discovery, args, said)
        if not command:
            return 0
        said = await _run(command, places, args)


async def _command(
    discovery: Discovery, args: argparse.Namespace, said: Sequence[str]
) -> tuple[list[str], Sequence[Address]]:
    """Return the command line that does what the person wants, empty if it leaves.

    With it where the table that it names may be reached: a line has room for one address.
    """
    found: dict[str, Found] = {}
    me = public_now(data_folder(args.data))

    def listing() -> Listing:
        found.clear()
        found.update({row.advert.table_id: row for row in discovery.tables})
        own = journals(network.games_folder(args))
        text = _("A game of yours can go on.") if own else ""
        problem = worded(discovery.problem) if discovery.problem else ""
        return Listing(
            [row_of(each, me) for each in found.values()], text, problem, version=__version__
        )

    async def follow() -> None:
        while True:
            await discovery.changed()
            args.desk.changed()

    with args.desk.lobby(listing) as wishing:
        for text in said:
            wishing.say(text)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(follow)
            wanted = await _wanted(wishing, found, args)
            nursery.cancel_scope.cancel()
    return wanted


async def _wanted(
    wishing: Wishing, found: dict[str, Found], args: argparse.Namespace
) -> tuple[list[str], Sequence[Address]]:
    """Ask until the person wants something that can be done; return its command and addresses."""
    while True:
        wish = await wishing.wish()
        row = found.get(wish.row.key) if wish.row is not None else None
        if wish.what == "new":
            opened = await args.desk.opening(offers(), args.settings.game, args.settings.bot)
            command = [] if opened is None else opening(opened)
        else:
            command = _sitting(wish, row)
        if command or wish.what == "leave":
            return command, row.addresses if row is not None else ()


def _sitting(wish: Wish, row: Found | None) -> list[str]:
    if wish.what == "resume":
        return ["resume"]
    if wish.what == "address":
        return ["join", wish.text, "--new"]
    if row is None or not row.addresses:
        return []
    place = written(*row.addresses[0])
    return ["watch", place] if wish.what == "watch" else ["join", place, "--new"]


def row_of(found: Found, own: bytes = b"") -> Row:
    """Return a table as the lobby lists it; ``own`` is the key of this program, if it has one."""
    advert = found.advert
    return Row(
        key=advert.table_id,
        table=advert.table,
        game=advert.game,
        seats=advert.seats,
        free=advert.free,
        password=advert.password,
        running=advert.state == "running",
        people=advert.people,
        closed=worded(closed(advert, own)),
        watched=advert.compatible and advert.state == "running",
        kept=advert.keeps(own),
    )


def offers() -> list[Offer]:
    """Return the games that can be opened."""
    games = [load(name) for name in NAMES]
    return [Offer(game.name, game.seats, game.options, _summaries(game.name)) for game in games]


def _summaries(game: str) -> dict[str, str]:
    return {name: bot.summary for name, bot in ai.bots(game).items()}


def opening(opened: Opened) -> list[str]:
    """Return the command line that opens a table, or plays at once."""
    options = [text for name, value in opened.options for text in ("--option", f"{name}={value}")]
    head = ["play" if opened.alone else "host", opened.game]
    options += [] if opened.hints else ["--no-hints"]
    options += ["--password"] if opened.password else []
    options += ["--idle", str(opened.idle)] if opened.idle else []
    return [*head, "--seats", str(opened.seats), "--bot", opened.bot, *options]


async def _run(
    command: Sequence[str], places: Sequence[Address], args: argparse.Namespace
) -> list[str]:
    """Do what a command line says, and return what its person is to be told afterwards."""
    inner = parsed([*command, *_passed_on(command[0], args)], args)
    inner.desk, inner.places = args.desk, places
    try:
        await MAINS[command[0]](inner)
    except (Exception, BaseExceptionGroup) as error:
        if told := tellable(error):
            return [worded(each.told) for each in told]
        raise
    return []


def _passed_on(command: str, args: argparse.Namespace) -> list[str]:
    """Return the lobby's own arguments that a command takes too."""
    out = ["--name", args.name] if args.name else []
    out += ["--data", args.data] if args.data else []
    if command != "play":
        for address in args.interface or []:
            out += ["--interface", address]
    return out
