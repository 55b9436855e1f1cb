"""``lanplay ladder``: how good people and AI are, by the games that were kept."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("rate people and AI by the games that were kept")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_settings

    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", help=_("where records lie (default: your own)")
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    add_settings(parser, "data")


def run(args: argparse.Namespace) -> int:
    """Print a ladder for each game; return 0."""
    from lanplay.cli.ladder import show

    return show(args)
