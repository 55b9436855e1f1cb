"""``lanplay tournament`` and ``lanplay replay FOLDER --game N``."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any

import lanplay_ai as ai
from lanplay.cli.endings import INTERRUPTED, is_reader_gone
from lanplay.errors import Fault, UserError
from lanplay.language import _
from lanplay.session.requests import options_of, run_seed
from lanplay.tournament import bots
from lanplay.tournament.executor import cluster, cores, local
from lanplay.tournament.faults import Wrong
from lanplay.tournament.plan import make_plan
from lanplay.tournament.progress import shown
from lanplay.tournament.report import REPORT, write_report
from lanplay.tournament.results import goal_for
from lanplay.tournament.running import Run, begin, resume
from lanplay.tournament.schedule import deal_size
from lanplay.tournament.sprt import Sprt
from lanplay.tournament.storage import Folder, alone
from lanplay.tournament.tables import summary
from lanplay_ai.guard import BotsFailed

GAMES = 200
SCHEDULE = "round-robin"
ORDERS = "rotations"
FOLDER = "tournament"
"""What holds where nothing else is asked for."""
BEGUN_WITH = ("seats", "seed", "option", "schedule", "orders", "sprt", "out", "records")
"""What cannot be asked for once a run has begun."""


def tournament(args: argparse.Namespace) -> int:
    """Run ``lanplay tournament``."""
    jobs = _jobs(args.jobs)
    workers = cluster(args.scheduler) if args.scheduler else None
    with ExitStack() as stack:
        run = _resumed(args, stack) if args.resume else _begun(args, stack)
        workers = workers or local(jobs)
        try:
            with _stopping(run.stop), shown(args.quiet) as run.watcher:
                run.play(workers)
            found = run.found()
        except OSError as error:
            if is_reader_gone(error):  # of the output, not of the folder
                raise
            raise _refused(run, error) from error
        try:
            notes = _write(run, found)
        except OSError as error:
            _tell(run, found, [], args.json)
            raise _refused(run, error) from error
        return _tell(run, found, notes, args.json)


def _refused(run: Run, error: OSError) -> UserError:
    why = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return UserError(Wrong.NOT_WRITTEN, why=why, command=_resume(run.folder.path))


def _begun(args: argparse.Namespace, stack: ExitStack) -> Run:
    if args.game is None:
        raise UserError(Wrong.NO_GAME_NAMED)
    options = options_of(args.option)
    plan = make_plan(
        args.game,
        args.bots,
        seats=args.seats,
        options=options,
        schedule=args.schedule or SCHEDULE,
        orders=args.orders or ORDERS,
        seed=args.seed or 0,
    )
    plan = replace(plan, seed=run_seed(args.seed, plan.entrants, plan.game))
    bots.check(plan)  # before anything is written
    sprt = Sprt.parse(args.sprt) if args.sprt else None
    if sprt:
        sprt.check(plan)
    games = _games(GAMES if args.games is None else args.games)
    goal = goal_for(plan, games, sprt, args.records)
    size = deal_size(plan)
    if goal.deals * size != games:
        text = _("Deals have {size} games, so {games} games will be played instead of {asked}.")
        print(text.format(size=size, games=goal.deals * size, asked=games))
    folder = Path(args.out or FOLDER)
    stack.enter_context(alone(folder))
    return begin(plan, goal, Folder(folder))


def _resumed(args: argparse.Namespace, stack: ExitStack) -> Run:
    if args.game is not None:
        raise UserError(Wrong.RESUME_NAMED)
    for name in BEGUN_WITH:
        if getattr(args, name) not in (None, [], False):
            raise UserError(Wrong.RESUME_FIXED, option=f"--{name}")
    folder = Folder(Path(args.resume))
    folder.read_plan()  # a folder without a tournament is told before anything is made in it
    stack.enter_context(alone(folder.path))
    goal = None
    if args.games is not None:
        plan, old = folder.read_plan()
        goal = goal_for(plan, _games(args.games), old.sprt, old.records)
        if goal.deals < old.deals:
            known = {"folder": str(folder.path), "games": old.deals * deal_size(plan)}
            raise UserError(Wrong.RESUME_LESS, **known)
    run = resume(folder, goal)
    bots.check(run.plan)
    return run


def _games(games: int) -> int:
    if games < 1:
        raise UserError(Fault.GAMES, count=games)
    return games


def _jobs(text: str) -> int:
    if text == "auto":
        return cores()
    try:
        jobs = int(text)
    except ValueError:
        jobs = 0
    if not 1 <= jobs <= 1024:
        raise UserError(Wrong.JOBS, value=text)
    return jobs


def _write(run: Run, found: dict[str, Any]) -> list[str]:
    """Write all files of results; return notes on those that could not be made."""
    run.write(found)
    return write_report(run.folder, found)


def _tell(run: Run, found: dict[str, Any], notes: list[str], json_line: bool) -> int:
    """Print what was found out; return the exit status. ``BotsFailed``: bots of lanplay's own."""
    folder = run.folder.path
    print(summary(found, run.timing))
    if (folder / REPORT).exists():
        print(_("Everything is in {folder}: open report.html there.").format(folder=folder))
    for note in notes:
        print(note)
    faults = run.folder.first_faults()
    for bot, fault in faults.items():
        text = _("first fault of {bot}: {fault}").format(bot=bot, fault=fault)
        print(text, file=sys.stderr)
    if json_line:
        print(json.dumps(found))
    own = [f"{bot}: {each}" for bot, each in faults.items() if ai.own(bot, run.plan.game)]
    if run.finished and own:
        raise BotsFailed(str(folder), *own)
    if run.finished:
        return 0
    command = _resume(folder)
    print(_("The run was stopped. Go on with: {command}").format(command=command))
    return INTERRUPTED


def _resume(folder: Path) -> str:
    text = str(folder)
    return f"lanplay tournament --resume {json.dumps(text) if ' ' in text else text}"


@contextmanager
def _stopping(stop: Event) -> Iterator[None]:
    """Let the first Ctrl-C finish the games under way, the second end at once."""

    def stopped(signum: int, frame: FrameType | None) -> None:
        if stop.is_set():
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a third must not spare the workers
            raise KeyboardInterrupt
        stop.set()
        text = _("Finishing the games under way; Ctrl-C again ends at once.")
        print("\n" + text, file=sys.stderr, flush=True)

    before: Any = signal.signal(signal.SIGINT, stopped)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
