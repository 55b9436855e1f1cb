"""``lanplay history``: the games that were kept, and how everybody did."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("list the games that were kept, and how everybody did in them")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_settings

    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", help=_("where records lie (default: your own)")
    )
    parser.add_argument(
        "--limit", metavar="N", type=int, default=20, help=_("newest games to list (default: 20)")
    )
    parser.add_argument("--player", metavar="NAME", help=_("only games with this player"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    add_settings(parser, "data")


def run(args: argparse.Namespace) -> int:
    """List games and statistics; return 0."""
    from lanplay.cli.history import show

    return show(args)
