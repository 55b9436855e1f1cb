"""``lanplay man``: the manual page."""

from __future__ import annotations

import argparse

from lanplay.language import N_

HELP = N_("print the manual page: lanplay man | man -l -")


def configure(parser: argparse.ArgumentParser) -> None:
    """This command has no arguments of its own."""


def run(args: argparse.Namespace) -> int:
    """Print the page for ``man``."""
    from lanplay.cli.manual import page

    print(page(), end="")
    return 0
