"""``lanplay lobby``: what ``lanplay`` alone does on a terminal."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from lanplay.language import N_, _

if TYPE_CHECKING:
    from lanplay.ui.front_end import FrontEnd

HELP = N_("the tables of this network: sit down at one, or open one (lanplay alone does this)")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_screen_arguments, add_settings

    add_settings(parser, "name", "data")
    add_screen_arguments(parser)
    parser.add_argument(
        "--interface",
        metavar="ADDRESS",
        action="append",
        help=_("network address to use (default: all)"),
    )


def run(args: argparse.Namespace) -> int:
    """Show the lobby until its person leaves; return the exit status."""
    from lanplay.cli.lobby import lobby
    from lanplay.cli.reading import place_of
    from lanplay.cli.sitting import run as seated

    def main(front: FrontEnd) -> Awaitable[int]:
        return lobby(place_of(args, front), args.settings.game, args.settings.bot)

    return seated(main, args.settings)
