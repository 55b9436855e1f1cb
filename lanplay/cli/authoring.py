"""The commands for whoever writes a game."""

from __future__ import annotations

import argparse
from pathlib import Path

from lanplay.check import check
from lanplay.check.scaffold import write
from lanplay.extras import command_line


def check_game(args: argparse.Namespace) -> int:
    """Run ``lanplay check-game``; return 1 if a check found something."""
    failed = 0
    for report in check(args.game):
        print(f"{'FAILS' if report.problems else 'ok':>5}  {report.check}", flush=True)
        for problem in report.problems:
            print(f"         {problem}")
        failed += bool(report.problems)
    return 1 if failed else 0


def new_game(args: argparse.Namespace) -> int:
    """Run ``lanplay new-game``."""
    home = write(args.game, Path(args.folder))
    install = command_line("pip", "install", "-e", str(home))
    print(f"{install} && lanplay check-game {args.game}")
    return 0
