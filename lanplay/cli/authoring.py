"""The commands for whoever writes a game."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread, get_ident
from typing import Final

from lanplay.check import CheckReport, check
from lanplay.check.scaffold import write
from lanplay.extras import command_line

LONG: Final = 30.0
"""Seconds after which a check may be one that does not end."""


def check_game(args: argparse.Namespace) -> int:
    """Run ``lanplay check-game``; return 1 if a check found something."""
    failed = 0
    for report in _waited_for(check(args.game)):
        print(f"{'FAILS' if report.problems else 'ok':>5}  {report.check}", flush=True)
        for problem in report.problems:
            print(f"         {problem}")
        failed += bool(report.problems)
    return 1 if failed else 0


def _waited_for(reports: Iterator[CheckReport]) -> Iterator[CheckReport]:
    """Yield reports; whenever one is long in coming, tell where the program is."""
    while True:
        over, me = Event(), get_ident()
        Thread(target=_tell_where, args=(over, me), daemon=True).start()
        try:
            report = next(reports, None)
        finally:
            over.set()
        if report is None:
            return
        yield report


def _tell_where(over: Event, thread: int) -> None:
    while not over.wait(LONG):
        frame = sys._current_frames()[thread]
        place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        print(f"       still checking, at {place}; Ctrl-C ends it", file=sys.stderr, flush=True)


def new_game(args: argparse.Namespace) -> int:
    """Run ``lanplay new-game``."""
    home = write(args.game, Path(args.folder))
    install = command_line("pip", "install", "-e", str(home))
    print(f"{install} && lanplay check-game {args.game}")
    return 0
