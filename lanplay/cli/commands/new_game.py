"""``lanplay new-game``: the package of a new game, which plays in every mode."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("write the package of a new game, which can be played at once")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("game", help=_("what the game is to be called, for example liars-dice"))
    parser.add_argument("--folder", default=".", help=_("where its folder goes (default: here)"))


def run(args: argparse.Namespace) -> int:
    """Write the files; return the exit status."""
    from pathlib import Path

    from lanplay.check.scaffold import write

    home = write(args.game, Path(args.folder))
    print(f"pip install -e {home} && lanplay check-game {args.game}")
    return 0
