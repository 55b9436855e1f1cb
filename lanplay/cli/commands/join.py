"""``lanplay join``: sit down at a table of this network."""

from __future__ import annotations

import argparse

HELP = "sit down at a table of this network"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import seconds
    from lanplay.cli.network_arguments import add_table_arguments

    parser.add_argument(
        "table",
        nargs="?",
        help="HOST:PORT, or part of a table's name (default: the first open one)",
    )
    parser.add_argument(
        "--wait", type=seconds, default=30.0, help="seconds to look for a table (default: 30)"
    )
    add_table_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Join a table and play; return the exit status."""
    import trio

    from lanplay.cli.sitting import join_table

    return trio.run(join_table, args)
