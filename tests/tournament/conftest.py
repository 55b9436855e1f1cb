"""Small tournaments for the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanplay.tournament.executor import Workers, local
from lanplay.tournament.plan import Plan, make_plan
from lanplay.tournament.running import Run, begin
from lanplay.tournament.storage import Folder, Goal

REPRODUCIBLE = ("plan.json", "games.csv", "results.json", "entrants.csv")


@pytest.fixture
def plan() -> Plan:
    """Three entrants at tables of two: three tables, two games a deal."""
    return make_plan("dice-town", ["random", "random", "random"], seats=2, seed=7)


def played(plan: Plan, path: Path, goal: Goal, workers: Workers | None = None) -> Run:
    """Return a run played to its goal, with its results written."""
    run = begin(plan, goal, Folder(path))
    run.play(workers or local(1))
    run.conclude()
    return run


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Return what has to be the same for the same seed."""
    return {name: (folder / name).read_bytes() for name in REPRODUCIBLE}
