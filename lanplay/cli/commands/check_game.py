"""``lanplay check-game``: whether a game keeps to what the rest of the program builds on."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("check that a game plays in every mode: for whoever writes one")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("game", help=_("the game, for example dice-town"))


def run(args: argparse.Namespace) -> int:
    """Check; return the exit status: 1 if a check found something."""
    from lanplay.check import check

    failed = 0
    for report in check(args.game):
        print(f"{'FAILS' if report.problems else 'ok':>5}  {report.check}", flush=True)
        for problem in report.problems:
            print(f"         {problem}")
        failed += bool(report.problems)
    return 1 if failed else 0
