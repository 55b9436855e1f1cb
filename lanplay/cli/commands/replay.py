"""``lanplay replay``: a recorded game again."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("step through a recorded game, forward and back, or show it in words")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_screen_arguments

    parser.add_argument("file", help=_("a record (*.lanplay), or a tournament's folder"))
    parser.add_argument("--game", type=int, help=_("the number of a tournament's game"))
    parser.add_argument("--from", dest="first", type=int, default=1, help=_("first round to show"))
    parser.add_argument(
        "--step",
        action=argparse.BooleanOptionalAction,
        help=_("go through it move by move, forward and back (default: on a terminal)"),
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
    add_screen_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Replay; return the exit status."""
    from lanplay.cli.replaying import replay

    return replay(args)
