"""``lanplay watch``: see a game of this network without a seat."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from lanplay.language import N_, _

if TYPE_CHECKING:
    from lanplay.ui.front_end import FrontEnd

HELP = N_("watch a game of this network without a seat")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_screen_arguments, add_settings, seconds

    parser.add_argument(
        "table",
        nargs="?",
        help=_("HOST:PORT, or part of a table's name (default: the first one found)"),
    )
    parser.add_argument(
        "--wait", type=seconds, default=30.0, help=_("seconds to look for a table (default: 30)")
    )
    add_settings(parser, "name", "data")
    add_screen_arguments(parser)
    parser.add_argument(
        "--interface",
        metavar="ADDRESS",
        action="append",
        help=_("network address to use (default: all)"),
    )
    parser.add_argument(
        "--password-file",
        metavar="FILE",
        help=_("read the table's password from a file (-: stdin)"),
    )
    parser.add_argument("--quiet", action="store_true", help=_("do not show the game"))
    parser.add_argument("--json", action="store_true", help=_("end with one line of JSON"))
    parser.add_argument("--record", metavar="FILE", help=_("where to keep the game's record"))


def run(args: argparse.Namespace) -> int:
    """Watch a game to its end; return the exit status."""
    from lanplay.cli.reading import access_of, place_of, target_of
    from lanplay.cli.sitting import run as seated

    def main(front: FrontEnd) -> Awaitable[int]:
        return place_of(args, front).watch(target_of(args), access_of(args, front))

    return seated(main, args.settings, args.quiet)
