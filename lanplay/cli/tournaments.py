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
from types import FrameType
from typing import Any

import lanplay_ai as ai
from lanplay.cli.endings import INTERRUPTED, is_reader_gone, stopping
from lanplay.cli.simulating import warn
from lanplay.errors import Fault, UserError
from lanplay.language import N_, _
from lanplay.session.requests import options_of, run_seed
from lanplay.session.storage import data_folder
from lanplay.told import worded
from lanplay.tournament import bots
from lanplay.tournament.executor import cluster, cores, local
from lanplay.tournament.faults import Wrong
from lanplay.tournament.merging import finished
from lanplay.tournament.merging import merge as merged
from lanplay.tournament.plan import TournamentPlan, make_plan
from lanplay.tournament.progress import shown
from lanplay.tournament.report import REPORT, write_report
from lanplay.tournament.results import goal_for
from lanplay.tournament.running import Run, begin, resume
from lanplay.tournament.schedule import deal_size
from lanplay.tournament.sprt import Sprt
from lanplay.tournament.storage import Folder, alone
from lanplay.tournament.tables import summary
from lanplay_ai.guard import BotsFailed
from lanplay_ai.outside import walls

GAMES = 200
SCHEDULE = "round-robin"
ORDERS = "rotations"
FOLDER = "tournament"
"""What holds where nothing else is asked for."""
LONGEST_PART = 20
"""So many letters the number of a part has at most."""
WALLS = {
    True: N_(
        "Bots from outside play in a sandbox: they write no files and open no sockets. "
        "Your own need none: --trusted."
    ),
    False: N_(
        "This system has no sandbox for bots from outside: they could read any file that you can."
    ),
}
"""What is told of a run among strangers, by whether there can be walls here."""
STOPPING = N_("Finishing the games under way; Ctrl-C again ends at once (--resume goes on).")
STOPPED = N_("The run was stopped. Go on with: {command}")
FOUND = 1 << 64
"""Seeds below this can be tried out."""
BEGUN_WITH = "seats", "seed", "option", "schedule", "orders", "sprt", "out", "records", "shard"
"""What cannot be asked for once a run has begun."""


def tournament(args: argparse.Namespace) -> int:
    """Run ``lanplay tournament``."""
    jobs = _jobs(args.jobs)
    workers = cluster(args.scheduler) if args.scheduler else None
    with ExitStack() as stack:
        run = _resumed(args, stack) if args.resume else _begun(args, stack)
        workers = workers or local(jobs)
        try:
            with _ended(run), stopping(run.stop, _(STOPPING)), shown(args.quiet) as run.watcher:
                run.play(workers)
            found = run.found()
        except OSError as error:
            if is_reader_gone(error):  # of the output, not of the folder
                raise
            raise _refused(run, error) from error
        for bot in bots.changed(run.plan):
            print(worded(Wrong.BOT_CHANGED.of(bot=bot)), file=sys.stderr)
        return _concluded(run, found, args.json)


@contextmanager
def _ended(run: Run) -> Iterator[None]:
    """Let SIGTERM end a run at once, as the second Ctrl-C does; tell of both how it goes on."""

    def ended(signum: int, frame: FrameType | None) -> None:
        signal.signal(signum, signal.SIG_DFL)
        raise KeyboardInterrupt(128 + signum)  # the one thing that is no bot's fault

    before: Any = signal.signal(signal.SIGTERM, ended)
    try:
        yield
    except KeyboardInterrupt as error:
        print(_(STOPPED).format(command=run.folder.going_on), file=sys.stderr)
        if error.args:
            raise SystemExit(*error.args) from None
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def merge(args: argparse.Namespace) -> int:
    """Run ``lanplay merge``."""
    data, into = data_folder(args.data), Path(args.out)
    with ExitStack() as stack:
        parts = [Folder(Path(each), data) for each in args.parts]
        for part in parts:
            part.read_plan()  # a folder without a tournament is told before anything is made in it
        for path in dict.fromkeys(part.path for part in parts):
            stack.enter_context(alone(path))
        runs = finished(parts)  # what cannot be put together leaves no folder behind
        if into not in (part.path for part in parts):
            stack.enter_context(alone(into))
        run = merged(runs, Folder(into, data))
        return _concluded(run, run.found(), args.json)


def _concluded(run: Run, found: dict[str, Any], json_line: bool) -> int:
    """Write and tell what was found out; return the exit status."""
    try:
        run.write(found)
        notes = write_report(run.folder, found)
    except OSError as error:
        _tell(run, found, [], json_line)
        raise _refused(run, error) from error
    return _tell(run, found, notes, json_line)


def _refused(run: Run, error: OSError) -> UserError:
    why = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return UserError(Wrong.NOT_WRITTEN, why=why, command=run.folder.going_on)


def _begun(args: argparse.Namespace, stack: ExitStack) -> Run:
    if args.game is None:
        raise UserError(Wrong.NO_GAME_NAMED)
    options = options_of(args.option)
    shard = _shard(args.shard) if args.shard else (1, 1)
    if args.shard and args.sprt:
        raise UserError(Wrong.SHARD_SPRT)
    plan = make_plan(
        args.game,
        args.bots,
        seats=args.seats,
        options=options,
        schedule=args.schedule or SCHEDULE,
        orders=args.orders or ORDERS,
        seed=args.seed or 0,
    )
    warn(plan.game, plan.entrants)
    strangers = not all(ai.own(bot, plan.game) for bot in plan.entrants)
    plan = replace(
        plan,
        seed=run_seed(args.seed, plan.entrants, plan.game),
        sealed=strangers and not args.trusted,
    )
    if args.shard and strangers and args.seed is None:
        raise UserError(Wrong.SHARD_SEED, seed=plan.seed)
    folder = Folder(Path(args.out or FOLDER), data_folder(args.data))
    if plan.sealed:
        print(_(WALLS[walls.able()]), file=sys.stderr)
    bots.check(plan, folder, named=True)  # before anything is written there
    sprt = Sprt.parse(args.sprt) if args.sprt else None
    if sprt:
        sprt.check(plan)
    games = _games(GAMES if args.games is None else args.games)
    goal = replace(goal_for(plan, games, sprt, args.records), shard=shard)
    size = deal_size(plan)
    if goal.deals * size != games:
        text = _("Deals have {size} games, so {games} games will be played instead of {asked}.")
        print(text.format(size=size, games=goal.deals * size, asked=games))
    stack.enter_context(alone(folder.path))
    run = begin(plan, goal, folder)
    if plan.sealed:
        _seal(plan)
    return run


def _seal(plan: TournamentPlan) -> None:
    """Say what the secret of a run among strangers is bound to, and whether it can be guessed."""
    print(_("Commitment to bots, options and seed: {hash}").format(hash=plan.commitment))
    if plan.seed < FOUND:
        print(
            _("A seed as short as {seed} can be worked out from the dice.").format(seed=plan.seed),
            file=sys.stderr,
        )


def _shard(text: str) -> tuple[int, int]:
    part, _slash, of = text.partition("/")
    numbers = part.isdecimal() and of.isdecimal() and len(text) <= LONGEST_PART
    if not (numbers and 1 <= int(part) <= int(of)):
        raise UserError(Wrong.SHARD_FORM, text=text)
    return int(part), int(of)


def _resumed(args: argparse.Namespace, stack: ExitStack) -> Run:
    if args.game is not None:
        raise UserError(Wrong.RESUME_NAMED)
    for name in BEGUN_WITH:
        if getattr(args, name) not in (None, [], False):
            raise UserError(Wrong.RESUME_FIXED, option=f"--{name}")
    folder = Folder(Path(args.resume), data_folder(args.data))
    folder.read_plan()  # a folder without a tournament is told before anything is made in it
    stack.enter_context(alone(folder.path))
    goal = None
    if args.games is not None:
        plan, old = folder.read_plan()
        if old.shard != (1, 1):
            raise UserError(Wrong.RESUME_FIXED, option="--games")
        goal = goal_for(plan, _games(args.games), old.sprt, old.records)
        if goal.deals < old.deals:
            known = {"folder": str(folder.path), "games": old.deals * deal_size(plan)}
            raise UserError(Wrong.RESUME_LESS, **known)
    run = resume(folder, goal)
    bots.check(run.plan, folder, args.trusted)
    return run


def _games(games: int) -> int:
    if games < 1:
        raise UserError(Fault.GAMES, count=games)
    return games


def _jobs(text: str) -> int:
    if text == "auto":
        return cores()
    if not (text.isdecimal() and len(text) <= len("1024") and 1 <= int(text) <= 1024):
        raise UserError(Wrong.JOBS, value=text)
    return int(text)


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
        print(_("first fault of {bot}: {fault}").format(bot=bot, fault=fault), file=sys.stderr)
    if json_line:
        print(json.dumps(found))
    own = [f"{bot}: {each}" for bot, each in faults.items() if ai.own(bot, run.plan.game)]
    if run.finished and own:
        raise BotsFailed(str(folder), *own)
    if run.finished:
        if run.goal.shard != (1, 1):
            text = _(
                "This is part {part} of the run. Put all parts together with: "
                "lanplay merge OUT PARTS"
            )
            print(text.format(part=run.goal.part))
        return 0
    print(_(STOPPED).format(command=run.folder.going_on))
    return INTERRUPTED
