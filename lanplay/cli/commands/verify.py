"""``lanplay verify``: check a network game again, from its record alone."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("check every roll, shuffle, share and move of a network game's record")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("file", help=_("a record of a network game (*.lanplay)"))
    parser.add_argument("--json", action="store_true", help=_("end with one line of JSON"))


def run(args: argparse.Namespace) -> int:
    """Verify; return 0 if everything holds, 1 if somebody broke the rules."""
    from lanplay.cli.verifying import verify

    return verify(args)
