"""Small tournaments for the tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from lanplay.engine.question import answers
from lanplay.tournament import bots
from lanplay.tournament.executor import Workers, local
from lanplay.tournament.plan import TournamentPlan, make_plan
from lanplay.tournament.running import Run, begin
from lanplay.tournament.storage import Folder, Goal
from lanplay.tournament.tally import Tally
from lanplay_ai import plugins
from lanplay_ai.outside.program import end_all

REPRODUCIBLE = ("plan.json", "games.csv", "results.json", "entrants.csv")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that programs within walls can read: all of ``/dev`` is hidden from them."""
    with TemporaryDirectory(dir="/var/tmp" if sys.platform == "linux" else None) as folder:
        yield Path(folder)


@pytest.fixture
def plan() -> TournamentPlan:
    """Three entrants at tables of two: three tables, two games a deal."""
    return make_plan("dice-town", ["random", "random", "random"], seats=2, seed=7)


def played(plan: TournamentPlan, path: Path, goal: Goal, workers: Workers | None = None) -> Run:
    """Return a run played to its goal, with its results written."""
    run = begin(plan, goal, Folder(path))
    run.play(workers or local(1))
    concluded(run)
    return run


def concluded(run: Run) -> dict[str, Any]:
    """Return the results of a run, which have been written."""
    found = run.found()
    run.write(found)
    return found


def tally_of(plan: TournamentPlan, sources: Sequence[str], deals: Any) -> Tally:
    """Return the tally of deals."""
    tally = Tally.empty(plan, sources)
    for outcomes in deals:
        tally.add(outcomes)
    return tally


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Return what has to be the same for the same seed."""
    return {name: (folder / name).read_bytes() for name in REPRODUCIBLE}


GUESTS = """
import gc, os, re, sys

import lanplay
from lanplay.engine.question import answers
from lanplay.games import load
from lanplay.engine.view import View


class First:
    deed = staticmethod(lambda view: None)

    def __init__(self, key):
        self.asked = 0

    def answer(self, view, question):
        self.asked += 1
        if self.asked == 5:
            self.deed(view)
        return next(iter(answers(question, view)))


def bot(deed):
    return type(deed.__name__, (First,), {"deed": staticmethod(deed)})


@bot
def leaving(view):
    sys.exit(4)

@bot
def interrupting(view):
    raise KeyboardInterrupt

@bot
def looping(view):
    print("looping", file=sys.stderr, flush=True)
    while True:
        pass

@bot
def dying(view):
    os._exit(3)

@bot
def stuck(view):  # in C, which lets no other thread run
    re.match("(a+)+$", "a" * 60 + "b")

@bot
def cheating(view):
    view.table.nuggets[view.seat] = 99
    view.cup = (0,) * len(view.cup)
    view.table.round = "x"

@bot
def printing(view):
    print("{}", input() if sys.stdin.read() else "")

@bot
def lying(view):
    raise ValueError("\x1b[31m" + "x" * 10_000)

class objecting(First):
    def answer(self, view, question):
        return object()

class forking(First):
    def answer(self, view, question):
        others = [First(b"")] * len(view.header.seats)
        fork = lanplay.fork(load(view.header.game), view, b"key", others)
        assert fork.table.hash() == view.table.hash()
        return super().answer(view, question)

class forgetting(First):
    known = 0

    def answer(self, view, question):
        assert len(view.history) > self.known
        self.known = len(view.history)
        view.history.clear()
        return super().answer(view, question)

class peeking(First):
    def answer(self, view, question):
        seen = [each for each in gc.get_objects() if isinstance(each, View)]
        assert all(each.seat == view.seat and each.header.seed is None for each in seen), seen
        return super().answer(view, question)
"""
NAMES = [
    *("leaving", "interrupting", "looping", "dying", "stuck", "cheating", "printing", "lying"),
    *("objecting", "forking", "forgetting", "peeking"),
]
GAMES = ("dice-town", "charidice", "fliptown", "dogs-life")


@pytest.fixture
def guests(place, monkeypatch) -> Iterator[Path]:
    """Bots of another package: each takes the first answer, and does a deed the fifth time."""
    folder = place / "guests"
    folder.mkdir()
    (folder / "guests_of_tests.py").write_text(GUESTS)
    about = folder / "guests_of_tests-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: guests_of_tests\nVersion: 1\n")
    named = ["First", *NAMES]
    entries = [
        f"{game}.{name.lower()} = guests_of_tests:{name}\n" for game in GAMES for name in named
    ]
    (about / "entry_points.txt").write_text("[lanplay.bots]\n" + "".join(entries))
    monkeypatch.syspath_prepend(folder)
    plugins._found.cache_clear()
    yield folder
    end_all()
    plugins._found.cache_clear()


class Refused(Exception):
    """Stands for the moment at which a process is killed."""


@pytest.fixture
def faulty(monkeypatch):
    """The own bot ``beginner`` fails in each game, and says so with letters beyond ASCII."""

    class Failing:
        def __init__(self):
            self.asked = 0

        def answer(self, view, question):
            self.asked += 1
            if self.asked == 3:
                raise ValueError("žluťoučký kůň" * 4)
            return next(iter(answers(question, view)))

    made = bots.make
    monkeypatch.setattr(
        bots,
        "make",
        lambda game, name, *rest: Failing() if name == "beginner" else made(game, name, *rest),
    )
