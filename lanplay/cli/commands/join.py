"""``lanplay join``: sit down at a table of this network."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from lanplay.language import N_, _

if TYPE_CHECKING:
    from lanplay.ui.front_end import FrontEnd

HELP = N_("sit down at a table of this network")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_table_arguments, seconds

    parser.add_argument(
        "table",
        nargs="?",
        help=_("HOST:PORT, or part of a table's name (default: the first open one)"),
    )
    parser.add_argument(
        "--wait", type=seconds, default=30.0, help=_("seconds to try to find a seat (default: 30)")
    )
    parser.add_argument(
        "--new", action="store_true", help=_("a new game, also if one of yours can go on")
    )
    add_table_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Join a table and play; return the exit status."""
    from lanplay.cli.reading import access_of, place_of, target_of
    from lanplay.cli.sitting import run as seated

    def main(front: FrontEnd) -> Awaitable[int]:
        return place_of(args, front).join(target_of(args), access_of(args, front), args.new)

    return seated(main, args.settings, args.quiet)
