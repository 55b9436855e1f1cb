"""``lanplay host``: open a table on this network."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from lanplay.language import N_, _

if TYPE_CHECKING:
    from lanplay.ui.front_end import FrontEnd

HELP = N_("open a table on this network")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_settings, add_table_arguments

    parser.add_argument("game", help=_("the game, for example dice-town"))
    parser.add_argument("--seats", type=int, default=4, help=_("seats at the table (default: 4)"))
    parser.add_argument(
        "--people",
        type=int,
        help=_(
            "start when so many people sit; AI takes the other seats (default: when you say so)"
        ),
    )
    add_settings(parser, "bot")
    parser.add_argument("--table", help=_("the table's name (default: made of yours)"))
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help=_("a table option")
    )
    parser.add_argument(
        "--grace",
        type=int,
        default=45,
        metavar="SECONDS",
        help=_("how long to wait for a lost laptop before AI plays on (default: 45; 0: for ever)"),
    )
    parser.add_argument(
        "--absent",
        choices=["plays", "sealed"],
        default="plays",
        help=_("whether the AI in a lost laptop's seat sees the hand (default: plays)"),
    )
    parser.add_argument(
        "--idle",
        type=int,
        default=0,
        metavar="SECONDS",
        help=_("how long a person may think before AI answers for it (default: 0, for ever)"),
    )
    parser.add_argument("--no-watching", action="store_true", help=_("let nobody watch"))
    parser.add_argument("--no-hints", action="store_true", help=_("give nobody hints"))
    add_table_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Host a table and play; return the exit status."""
    from lanplay.cli.reading import access_of, place_of, wish_of
    from lanplay.cli.sitting import run as seated

    def main(front: FrontEnd) -> Awaitable[int]:
        return place_of(args, front).host(wish_of(args), access_of(args, front))

    return seated(main, args.settings, args.quiet)
