"""``lanplay lobby``: what ``lanplay`` alone does on a terminal."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("the tables of this network: sit down at one, or open one (lanplay alone does this)")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.network_arguments import add_screen_arguments
    from lanplay.config import add_settings

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
    from lanplay.cli.desk import run as seated
    from lanplay.cli.lobby import lobby

    return seated(lobby, args)
