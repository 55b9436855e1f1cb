"""``lanplay resume``: go on with a game that this program left or lost."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable
from pathlib import Path
from typing import TYPE_CHECKING

from lanplay.language import N_, _

if TYPE_CHECKING:
    from lanplay.ui.front_end import FrontEnd

HELP = N_("go on with a game that was left, or that a crash cut off")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_table_arguments

    parser.add_argument("file", nargs="?", help=_("the game's file (default: the newest)"))
    parser.add_argument("--list", action="store_true", help=_("list the games that can go on"))
    parser.add_argument(
        "--forget", metavar="FILE", help=_("delete a game for good: an AI keeps its seat")
    )
    add_table_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Resume; return the exit status."""
    from lanplay.cli.reading import access_of, place_of
    from lanplay.cli.resuming import forget, list_games
    from lanplay.cli.sitting import run as seated
    from lanplay.session.storage import data_folder
    from lanplay_protocol.shell.journal import journals

    file = Path(args.file) if args.file else None
    if args.list:
        return list_games([file] if file else journals(data_folder(args.data) / "games"))
    if args.forget:
        return forget(Path(args.forget))

    def main(front: FrontEnd) -> Awaitable[int]:
        return place_of(args, front).resume(access_of(args, front), file)

    return seated(main, args.settings, args.quiet)
