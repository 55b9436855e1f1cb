"""``lanplay rules``: the numbered rules of a game."""

from __future__ import annotations

import argparse

from lanplay.ui import rulebook


def rules(args: argparse.Namespace) -> int:
    """Run ``lanplay rules``: print the rules asked for."""
    if args.game is None:
        print("\n".join(rulebook.games()))
        return 0
    text = rulebook.text(args.game)
    print(rulebook.matching(text, " ".join(args.filter)) if args.filter else text, end="")
    return 0
