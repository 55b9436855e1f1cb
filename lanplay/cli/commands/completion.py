"""``lanplay completion``: a script that lets a shell complete this program's arguments."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("print a script that lets your shell complete commands and options")

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("shell", choices=SHELLS, help=_("the shell that it is for"))


def run(args: argparse.Namespace) -> int:
    """Print the script; its first lines say where it belongs."""
    from lanplay.cli.completing import script

    print(script(args.shell))
    return 0
