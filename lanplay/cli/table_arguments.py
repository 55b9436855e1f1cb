"""The arguments of a command at a table as typed settings."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import trio

import lanplay_ai as ai
from lanplay import games
from lanplay.cli.place import Place
from lanplay.cli.simulating import warn
from lanplay.errors import Fault, Mistake, UserError, told_of
from lanplay.language import _
from lanplay.lines.commanding import at_keyboard
from lanplay.lines.source import STDIN
from lanplay.notices import Origin
from lanplay.session.client import Client
from lanplay.session.requests import options_of
from lanplay.session.settings import Access, Network, Profile, Store, TableWish, Target
from lanplay.session.storage import data_folder
from lanplay.ui.front_end import FrontEnd
from lanplay.ui.menu import SPEEDS
from lanplay_protocol.channel.password import normalized
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text


def place_of(args: argparse.Namespace, front: FrontEnd) -> Place:
    """Return the person's place that the arguments of a command at a table describe."""
    given = vars(args)
    record, timing = given.get("record"), given.get("timing")
    profile = Profile(nickname(args.name), given.get("auto") or "", given.get("trust_new", False))
    store = Store(
        data_folder(args.data), Path(record) if record else None, Path(timing) if timing else None
    )
    pace = SPEEDS[args.settings.ai_speed] if front.paced else 0.0
    client = Client(profile, store, network_of(given), front.say, pace)
    return Place(client, front, args.settings, given.get("json", False))


def network_of(given: Mapping[str, object]) -> Network:
    """Return the addresses and the port that arguments name."""
    interfaces: object = given.get("interface")
    chosen = tuple(map(str, interfaces)) if isinstance(interfaces, list) else None
    port = given.get("port")
    return Network(chosen, port if isinstance(port, int) else 0)


def nickname(name: str) -> str:
    """Return the name to sit down with: the one that is set, or the account's if that is blank."""
    if shown := clean_text(name, NICKNAME_LIMIT, ""):
        return shown
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):  # the last on Windows before Python 3.13
        name = "guest"
    return clean_text(name, NICKNAME_LIMIT)


def wish_of(args: argparse.Namespace) -> TableWish:
    """Return the table that the arguments of ``host`` or ``play`` describe."""
    given = vars(args)
    return TableWish(
        game=args.game,
        seats=args.seats,
        bot=bot_of(args),
        options=options_of(args.option),
        people=given.get("people"),
        name=given.get("table") or "",
        grace=given.get("grace", 0),
        idle=given.get("idle", 0),
        absent=args.settings.absent,
        windows=args.settings.windows,
        watched=not given.get("no_watching"),
        hints=not args.no_hints,
    )


def bot_of(args: argparse.Namespace) -> str:
    """Return the AI of free seats: the one named here, or the usual one.

    Where a game has no such bot, the plainest one takes the place of the usual one.
    """
    named = args.effective.origins["bot"] == Origin.FLAG.of(flag="--bot")
    if not named and args.game in games.names():
        try:
            ai.guarded(args.bot, bytes(32), args.game)
        except Mistake:
            return ai.plainest(args.game)
    if named:
        warn(args.game, [args.bot])
    return str(args.bot)


def target_of(args: argparse.Namespace) -> Target:
    """Return the table that the arguments of ``join`` or ``watch`` name."""
    return Target(args.table or "", args.wait)


def access_of(args: argparse.Namespace, front: FrontEnd) -> Access:
    """Return how the table's password is learned."""
    file = args.password_file or ""
    wanted = bool(file or vars(args).get("password"))
    return Access(wanted, partial(password, file, front))


async def password(file: str, front: FrontEnd, table: str = "") -> str:
    """Return a table's password: from a file, standard input or its person, never a flag.

    ``Problem`` if it cannot be read, or can be none.
    """
    if not file and at_keyboard():
        asked = _("Password of '{table}': ") if table else _("Password of the table: ")
        text = await front.secret(asked.format(table=table))
    else:
        text = await trio.to_thread.run_sync(_read_password, file)
    normalized(text)
    return text


def _read_password(file: str) -> str:
    if file == "-":
        text = STDIN.readline()
    elif file:
        try:
            text = Path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(Fault.PASSWORD_FILE, path=file, why=told_of(error)) from error
    else:
        raise UserError(Fault.PASSWORD_NEEDED)
    return text.rstrip("\r\n")
