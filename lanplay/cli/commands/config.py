"""``lanplay config``: the settings that count, and where each comes from."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("show the settings that count, where each comes from, and their file")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("--path", action="store_true", help=_("print the path of the file alone"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    parser.set_defaults(any_settings=True)


def run(args: argparse.Namespace) -> int:
    """Print the settings; 0 if all of them can be used, else 2."""
    from lanplay.cli.configuring import show

    return show(args)
