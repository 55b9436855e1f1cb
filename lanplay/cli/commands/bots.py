"""``lanplay bots``: the AI that may sit at a table."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("list the AI players of a game, with one line on each")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("game", nargs="?", help=_("the game, for example dice-town (default: all)"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON for each"))


def run(args: argparse.Namespace) -> int:
    """List bots; return 0."""
    from lanplay.cli.listing import list_bots

    return list_bots(args)
