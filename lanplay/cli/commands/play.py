"""``lanplay play``: one person against AI on this machine."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from lanplay.language import N_, _

if TYPE_CHECKING:
    from lanplay.ui.front_end import FrontEnd

HELP = N_("play on this machine against AI")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_screen_arguments, add_settings

    add_settings(parser, "name", "bot", "data", argument="game")
    add_screen_arguments(parser)
    parser.add_argument("--seats", type=int, default=4, help=_("seats at the table (default: 4)"))
    parser.add_argument("--auto", metavar="BOT", help=_("let a bot answer for you"))
    parser.add_argument("--seed", type=int, help=_("same seed, same luck (default: fresh luck)"))
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help=_("a table option")
    )
    parser.add_argument("--no-hints", action="store_true", help=_("give nobody hints"))
    parser.add_argument("--json", action="store_true", help=_("end with one line of JSON"))
    parser.add_argument("--record", metavar="FILE", help=_("where to keep the game's record"))


def run(args: argparse.Namespace) -> int:
    """Play; return the exit status."""
    from lanplay.cli.reading import place_of, wish_of
    from lanplay.cli.sitting import run as seated

    def main(front: FrontEnd) -> Awaitable[int]:
        return place_of(args, front).play(wish_of(args), args.seed)

    return seated(main, args.settings)
