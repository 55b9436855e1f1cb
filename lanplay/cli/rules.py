"""``lanplay rules``: the numbered rules of a game."""

from __future__ import annotations

import argparse
import sys

from lanplay.prose import broken, paragraphs
from lanplay.ui import rulebook


def rules(args: argparse.Namespace) -> int:
    """Run ``lanplay rules``: print the rules asked for, on a terminal as wide as it is."""
    if args.game is None:
        return print("\n".join(rulebook.games())) or 0
    text = rulebook.text(args.game)
    found = rulebook.matching(text, " ".join(args.filter)) if args.filter else text
    if sys.stdout.isatty():
        found = "".join(f"{part}\n" for each in paragraphs(found) for part in broken(each))
    print(found, end="")
    return 0
