"""``lanplay replay``: a recorded game again, in words."""

from __future__ import annotations

import argparse

HELP = "show a recorded game again and check where it ends"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("file", help="a record (*.lanplay)")
    parser.add_argument("--from", dest="first", type=int, default=1, help="first round to show")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")


def run(args: argparse.Namespace) -> int:
    """Replay; return the exit status."""
    from lanplay.cli.replaying import replay

    return replay(args)
