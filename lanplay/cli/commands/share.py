"""``lanplay share``: gives this program to other laptops of the network, by their browsers."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("give lanplay to other laptops: in a checkout, scripts/bundle.py comes first")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_settings, minutes, port

    parser.add_argument(
        "bundle",
        metavar="FILE",
        nargs="*",
        help=_("archives to give (default: those that scripts/bundle.py made, or this copy)"),
    )
    parser.add_argument(
        "--minutes", type=minutes, default=30.0, help=_("how long at most (default: 30)")
    )
    parser.add_argument(
        "--interface",
        metavar=_("ADDRESS"),
        action="append",
        help=_("network address to use (default: all)"),
    )
    parser.add_argument(
        "--port", type=port, help=_("port to listen on (default: 8642, or any free one)")
    )
    add_settings(parser, "data")


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C or the end of the time; return 0."""
    from lanplay.cli.sharing import share

    return share(args)
