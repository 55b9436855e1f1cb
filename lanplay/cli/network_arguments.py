"""Arguments that the network commands share; cheap to import."""

from __future__ import annotations

import argparse

from lanplay.cli.arguments import port
from lanplay.config import add_settings
from lanplay.language import _


def add_screen_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the settings of how everything looks."""
    add_settings(parser, "plain", "ascii", "colours", "theme", "animation", "confirm", "ai_speed")


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of every command that sits down at a network table."""
    add_settings(parser, "name", "data")
    add_screen_arguments(parser)
    parser.add_argument("--auto", metavar="BOT", help=_("let a bot answer for you"))
    parser.add_argument("--port", type=port, default=0, help=_("port to listen on (default: any)"))
    parser.add_argument(
        "--interface",
        metavar="ADDRESS",
        action="append",
        help=_("network address to use (default: all)"),
    )
    parser.add_argument("--quiet", action="store_true", help=_("do not show the game"))
    parser.add_argument("--json", action="store_true", help=_("end with one line of JSON"))
    parser.add_argument(
        "--password",
        action="store_true",
        help=_("the table has a password: ask for it"),
    )
    parser.add_argument(
        "--password-file",
        metavar="FILE",
        help=_("read the table's password from a file (-: stdin)"),
    )
    parser.add_argument(
        "--trust-new", action="store_true", help=_("sit down with unknown keys without comparing")
    )
    parser.add_argument("--timing", metavar="FILE", help=_("write when each step was complete"))
    parser.add_argument("--record", metavar="FILE", help=_("where to keep the game's record"))
