"""``lanplay resume``: go on with a game that this program left or lost."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("go on with a network game that was left, or that a crash cut off")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.network_arguments import add_table_arguments

    parser.add_argument("file", nargs="?", help=_("the game's file (default: the newest)"))
    parser.add_argument("--list", action="store_true", help=_("list the games that can go on"))
    parser.add_argument(
        "--forget", metavar="FILE", help=_("delete a game for good: an AI keeps its seat")
    )
    add_table_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Resume; return the exit status."""
    from lanplay.cli.desk import run as seated
    from lanplay.cli.resuming import resume

    return seated(resume, args)
