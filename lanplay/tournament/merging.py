"""The parts of a run put together: the same folder as if one machine had played it."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.errors import UserError
from lanplay.tournament.faults import Wrong
from lanplay.tournament.plan import TournamentPlan
from lanplay.tournament.running import Run, begin, resume
from lanplay.tournament.schedule import deal_size
from lanplay.tournament.storage import Folder, Goal


def finished(parts: Sequence[Folder]) -> list[Run]:
    """Return the runs of all parts of one, in their order; nothing is made in another folder.

    ``UserError`` says what is missing, not played to its end, or does not belong there.
    """
    plans = [part.read_plan() for part in parts]
    for part, (other, its) in zip(parts, plans, strict=True):
        if part.path != parts[0].path and (what := _difference(plans[0], (other, its))):
            names = {"folder": str(parts[0].path), "other": str(part.path)}
            raise UserError(Wrong.SHARD_OTHER, **names, what=what)
    placed = _placed(parts, [its for _, its in plans])
    runs = [resume(each) for each in placed]
    for run in runs:
        if not run.finished:
            of = (run.goal.last - run.goal.first) * deal_size(run.plan)
            known = {"games": run.tally.games, "of": of, "command": run.folder.going_on}
            raise UserError(Wrong.SHARD_OPEN, folder=str(run.folder.path), **known)
    return runs


def merge(runs: Sequence[Run], into: Folder) -> Run:
    """Return the run whose parts are ``finished``, put together in a folder of its own."""
    plan, goal = runs[0].plan, runs[0].goal
    whole = begin(plan, Goal(goal.deals, None, goal.records), into)
    for run in runs:
        _take(run, into)
        whole.tally.merge(run.tally)
        whole.timing.merge(run.timing)
        whole.seconds += run.seconds
    return whole


def _difference(one: tuple[TournamentPlan, Goal], other: tuple[TournamentPlan, Goal]) -> str:
    """Return the names of what two parts should have alike, and have not."""
    mine, theirs = [
        {**plan.plain(), "games": goal.deals, "records": goal.records, "shard": goal.shard[1]}
        for plan, goal in (one, other)
    ]
    wrong = [name for name in mine if mine[name] != theirs[name]]
    return ", ".join([name for name in wrong if name != "commitment"] or wrong)


def _placed(parts: Sequence[Folder], goals: Sequence[Goal]) -> list[Folder]:
    """Return the parts in their order; ``UserError`` unless each is there once."""
    by_number: dict[int, Folder] = {}
    for part, goal in zip(parts, goals, strict=True):
        if goal.shard == (1, 1):
            raise UserError(Wrong.SHARD_NONE, folder=str(part.path))
        if before := by_number.get(goal.shard[0]):
            names = {"folder": str(before.path), "other": str(part.path)}
            raise UserError(Wrong.SHARD_TWICE, **names, part=goal.part)
        by_number[goal.shard[0]] = part
    of = goals[0].shard[1]
    missing = [f"{number}/{of}" for number in range(1, of + 1) if number not in by_number]
    if missing:
        raise UserError(Wrong.SHARD_MISSING, parts=", ".join(missing))
    return [by_number[number] for number in range(1, of + 1)]


def _take(run: Run, into: Folder) -> None:
    """Add records, faults and rows of a part: these come last, as when it was played."""
    for number, content in run.folder.records():
        into.write_record(number, content)
    if faults := list(run.folder.fault_lines()):
        into.append_faults(faults)
    into.append(run.folder.lines())
