"""``lanplay rules``: the numbered rules of a game."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("print the rules of a game, or those that carry a number or a word")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument(
        "game", nargs="?", help=_("the game, for example dice-town (default: list)")
    )
    parser.add_argument(
        "filter",
        metavar="NUMBER|WORD",
        nargs="*",
        help=_("a rule's number (DT-2.3, 2.3, 2) or words"),
    )


def run(args: argparse.Namespace) -> int:
    """Print the rules asked for; return 0."""
    from lanplay.ui import rulebook

    if args.game is None:
        print("\n".join(rulebook.games()))
        return 0
    text = rulebook.text(args.game)
    print(rulebook.matching(text, " ".join(args.filter)) if args.filter else text, end="")
    return 0
