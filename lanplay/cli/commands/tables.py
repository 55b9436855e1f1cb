"""``lanplay tables``: list the tables of this network."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("list the tables of this network")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import seconds

    parser.add_argument(
        "--seconds", type=seconds, default=3.0, help=_("how long to look (default: 3)")
    )
    parser.add_argument(
        "--interface",
        metavar="ADDRESS",
        action="append",
        help=_("network address to use (default: all)"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON for each table"))


def run(args: argparse.Namespace) -> int:
    """List tables; return the exit status."""
    import trio

    from lanplay.cli.listing import list_tables
    from lanplay.cli.reading import network_of

    return trio.run(list_tables, network_of(vars(args)), args.seconds, args.json)
