"""``lanplay simulate``: AI against AI, many games, no screen."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("play many games, AI against AI, and report rates and one hash over all")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("game", help=_("the game, for example dice-town"))
    parser.add_argument("--games", type=int, default=100, help=_("how many (default: 100)"))
    parser.add_argument("--seats", type=int, default=4, help=_("seats at the table (default: 4)"))
    parser.add_argument(
        "--seed",
        type=int,
        help=_("same seed, same games (default: 1; drawn where bots from outside play)"),
    )
    parser.add_argument(
        "--bot", metavar="BOT", action="append", help=_("a line-up: repeat for each seat (strong)")
    )
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help=_("a table option")
    )
    parser.add_argument("--record", metavar="FOLDER", help=_("keep a record of every game there"))
    parser.add_argument("--json", action="store_true", help=_("end with one line of JSON"))


def run(args: argparse.Namespace) -> int:
    """Simulate; return the exit status."""
    from lanplay.cli.simulating import simulate

    return simulate(args)
