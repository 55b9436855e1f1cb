"""``lanplay replay``: a recorded game again, in words."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("show a recorded game again and check where it ends")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("file", help=_("a record (*.lanplay), or a tournament's folder"))
    parser.add_argument("--game", type=int, help=_("the number of a tournament's game"))
    parser.add_argument("--from", dest="first", type=int, default=1, help=_("first round to show"))
    parser.add_argument(
        "--step", action="store_true", help=_("go through it move by move, forward and back")
    )
    parser.add_argument(
        "--seat",
        metavar="NAME",
        default="all",
        help=_(
            "with --step, whose hands to show: a name, a number, public, all (default: all that "
            "the record shows)"
        ),
    )
    parser.add_argument("--json", action="store_true", help=_("end with one line of JSON"))


def run(args: argparse.Namespace) -> int:
    """Replay; return the exit status."""
    from lanplay.cli.replaying import replay

    return replay(args)
