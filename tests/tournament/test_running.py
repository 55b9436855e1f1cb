"""Whole tournaments: the same bytes however they are run, stopped, killed and gone on with."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from lanplay.engine.chance import Chance
from lanplay.engine.requests import Roll
from lanplay.engine.simulation import Simulation
from lanplay.errors import UserError
from lanplay.games import load
from lanplay.tournament import bots, executor
from lanplay.tournament.bots import seated
from lanplay.tournament.executor import Feed, Workers, local
from lanplay.tournament.outcome import from_csv
from lanplay.tournament.plan import make_plan
from lanplay.tournament.playing import Task, play
from lanplay.tournament.replaying import record_of_game
from lanplay.tournament.running import begin, resume
from lanplay.tournament.schedule import deal_size, line_ups
from lanplay.tournament.sprt import FEWEST, Sprt
from lanplay.tournament.storage import Folder, Goal
from lanplay.tournament.tally import Tally
from lanplay_ai.guard import STRIKES
from tests.tournament.conftest import bytes_of, concluded, played, tally_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = os.pathsep.join(map(str, (ROOT, ROOT / "ai", ROOT / "protocol")))


def lanplay(*arguments, folder, stderr=subprocess.STDOUT, **variables):
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "lanplay", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": PACKAGES, **variables},
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
    )


def test_a_finished_run_leaves_no_worker(plan, tmp_path, monkeypatch):
    """When it is over its workers have ended by themselves and been waited for."""
    started = []
    start = BaseProcess.start
    monkeypatch.setattr(BaseProcess, "start", lambda each: (started.append(each), start(each)))
    played(plan, tmp_path, Goal(4), local(2))
    assert started
    assert {worker.exitcode for worker in started} == {0}


def test_the_same_bytes_for_any_number_of_jobs(plan, tmp_path):
    """One process, or two that are spawned: equal files."""
    goal = Goal(9)
    alone = bytes_of(played(plan, tmp_path / "alone", goal).folder.path)
    assert bytes_of(played(plan, tmp_path / "two", goal, local(2)).folder.path) == alone


def test_the_same_bytes_for_any_hash_seed_and_chunks(plan, tmp_path, monkeypatch):
    """Another hash seed, and tasks of another size, change nothing."""
    goal = Goal(6)
    here = bytes_of(played(plan, tmp_path / "here", goal).folder.path)
    monkeypatch.setattr(executor, "LONG", 1e-9)
    assert bytes_of(played(plan, tmp_path / "small", goal).folder.path) == here
    command = "tournament dice-town random random random --seats 2 --seed 7 --games 12 --jobs 1"
    process = lanplay(*command.split(), "--out", "there", folder=tmp_path, PYTHONHASHSEED="99")
    process.communicate()
    assert process.returncode == 0
    assert bytes_of(tmp_path / "there") == here


def test_another_seed_is_another_tournament(plan, tmp_path):
    """Games depend on the seed."""
    here = played(plan, tmp_path / "here", Goal(2))
    there = played(replace(plan, seed=8), tmp_path / "there", Goal(2))
    assert here.folder.hash() != there.folder.hash()


def test_a_deal_has_the_same_luck_for_every_line_up(monkeypatch):
    """A seat's dice of a round and roll are those of its deal, whoever sits and answers there."""
    dice = {}
    rolls = []

    def roll(self: Simulation, request: Roll) -> None:
        real(self, request)
        rolls.append(request.at)
        five = self._chance.cups(request.at, dict.fromkeys(request.dice, 5))
        for seat, count in request.dice.items():
            cup = dice.setdefault((request.at, seat), five[seat])
            assert self.views[seat].cup == cup[:count]

    real = Simulation.roll
    monkeypatch.setattr(Simulation, "roll", roll)
    plan = make_plan("dice-town", ["random", "steady", "random"], seed=3)
    outcomes = list(from_csv(play(Task(plan, 0, 1)).rows[0].splitlines()))
    assert len({outcome.state for outcome in outcomes}) == 3
    assert len(rolls) > len(set(rolls)) > 20


def test_equal_bots_are_exactly_equal(tmp_path):
    """Under duplicate deals a bot against itself scores the same to the point."""
    plan = make_plan("dice-town", ["random", "random", "random"], seed=5)
    found = concluded(played(plan, tmp_path / "run", Goal(4)))
    assert len({str(entrant["score"]) for entrant in found["entrants"]}) == 1
    level = {"mean": 0, "low": 0, "high": 0}
    assert all(pair["lead"] == pair["win_lead"] == level for pair in found["pairs"])


def test_candidates_of_a_field_are_compared_by_their_luck(tmp_path):
    """Two candidates that never meet are compared deal by deal: the same bot leads by nothing."""
    plan = make_plan("dice-town", ["random", "random", "random"], schedule="field", seats=3)
    found = concluded(played(plan, tmp_path / "run", Goal(3)))
    [pair] = [pair for pair in found["pairs"] if (pair["a"], pair["b"]) == (1, 2)]
    assert pair["meetings"] == 0
    assert pair["above"] is None
    assert pair["lead"] == pair["win_lead"] == {"mean": 0, "low": 0, "high": 0}


def test_a_batch_is_what_its_rows_say(plan):
    """Adding up in the worker and adding up from the table of games give the same sums."""
    batch = play(Task(plan, 2, 6))
    deals = [list(from_csv(rows.splitlines())) for rows in batch.rows]
    assert tally_of(plan, batch.tally.sources, deals) == batch.tally
    parts = Tally.empty(plan, batch.tally.sources)
    for first in (4, 2):
        parts.merge(play(Task(plan, first, first + 2)).tally)
    assert parts == batch.tally


def test_games_that_nobody_wins_count_as_such():
    """A cowbot may win: no share of the win then, in sums and rows alike."""
    plan = make_plan(
        "fliptown", ["casual", "random"], seats=1, options={"cowbot": "kid"}, schedule="field"
    )
    batch = play(Task(plan, 0, 3))
    deals = [list(from_csv(rows.splitlines())) for rows in batch.rows]
    assert tally_of(plan, batch.tally.sources, deals) == batch.tally
    lost = [outcome for outcomes in deals for outcome in outcomes if outcome.places == (2,)]
    assert len(lost) >= 3
    assert all(outcome.share(0, 12) == 0 for outcome in lost)


@pytest.mark.parametrize("cut", [0, 1, 40, -1, -70])
def test_a_torn_run_goes_on(plan, tmp_path, cut):
    """Wherever the table of games is cut off, the run goes on to the same bytes."""
    whole = bytes_of(played(plan, tmp_path / "whole", Goal(5)).folder.path)
    torn = Folder(tmp_path / "torn")
    run = begin(plan, Goal(5), torn)
    start = torn.games.stat().st_size
    run.play(local(1))
    size = torn.games.stat().st_size
    os.truncate(torn.games, start + cut if cut >= 0 else size + cut)
    again = resume(torn)
    assert again.tally.deals < 5
    again.play(local(1))
    concluded(again)
    assert bytes_of(torn.path) == whole


def test_more_games_later(plan, tmp_path):
    """A finished run that goes on to more games is the run that had them from the start."""
    whole = bytes_of(played(plan, tmp_path / "whole", Goal(6)).folder.path)
    played(plan, tmp_path / "more", Goal(3))
    run = resume(Folder(tmp_path / "more"), Goal(6))
    run.play(local(1))
    concluded(run)
    assert bytes_of(tmp_path / "more") == whole


def test_killed_and_gone_on_with(plan, tmp_path):
    """kill -9 in the middle, then --resume: the same bytes as a run that was left alone."""
    command = "tournament dice-town random random random --seats 2 --seed 7 --games 2400 --jobs 2"
    process = lanplay(*command.split(), "--out", "run", folder=tmp_path)
    games = tmp_path / "run" / "games.csv"
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and process.poll() is None:
        if games.exists() and games.stat().st_size > 2000:
            break
        time.sleep(0.01)
    process.kill()
    process.communicate()
    left = resume(Folder(tmp_path / "run"), Goal(30))
    run = resume(Folder(tmp_path / "run"), Goal(left.tally.deals + 3))
    assert 0 < left.tally.deals < 1200
    run.play(local(1))
    concluded(run)
    whole = played(plan, tmp_path / "whole", Goal(run.tally.deals)).folder.path
    assert bytes_of(tmp_path / "run") == bytes_of(whole)


@pytest.mark.skipif(sys.platform == "win32", reason="a reader that has gone is told otherwise")
def test_a_reader_that_has_gone_is_no_fault_of_the_folder(tmp_path):
    """What ``head`` no longer reads ends the run with 141 and no word, its files all written."""
    command = "tournament charidice random random --games 2 --jobs 1 --quiet --out run"
    process = lanplay(*command.split(), folder=tmp_path, stderr=subprocess.PIPE)
    process.stdout.close()
    process.stdout = None
    _, errors = process.communicate()
    assert process.returncode == 141
    assert not errors
    assert (tmp_path / "run" / "report.html").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise on Windows")
def test_ctrl_c_finishes_what_is_under_way(tmp_path):
    """The first Ctrl-C ends with 130, whole deals, results of the part, and how to go on."""
    command = "tournament dice-town random random --seats 2 --games 100000 --jobs 1 --out run"
    process = lanplay(*command.split(), folder=tmp_path)
    games = tmp_path / "run" / "games.csv"
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline:
        if games.exists() and games.stat().st_size > 2000:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert process.returncode == 130
    assert "lanplay tournament --resume run" in output
    assert resume(Folder(tmp_path / "run")).tally.games >= 2
    assert '"complete": false' in (tmp_path / "run" / "results.json").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workers_end_with_their_conductor(tmp_path):
    """When the process that conducts is killed, those that play end as well."""
    command = "tournament dice-town random random --seats 2 --games 100000 --jobs 2 --out run"
    process = lanplay(*command.split(), folder=tmp_path)
    games = tmp_path / "run" / "games.csv"
    while process.poll() is None and not (games.exists() and games.stat().st_size > 2000):
        time.sleep(0.01)
    process.kill()
    process.communicate()  # ends once nobody holds the other end of the pipe


class Dying(ThreadPoolExecutor):
    """Breaks after a few tasks, as a pool of processes does when one of them is killed."""

    left = 3

    def submit(self, fn, /, *args, **kwargs):
        Dying.left -= 1
        if Dying.left == 0:
            broken: Future = Future()
            broken.set_exception(BrokenProcessPool("a process was killed"))
            return broken
        return super().submit(fn, *args, **kwargs)


def test_workers_that_die_lose_nothing(plan, tmp_path):
    """When the workers break, new ones play what was under way, and nothing counts twice."""
    whole = bytes_of(played(plan, tmp_path / "whole", Goal(8)).folder.path)
    run = played(plan, tmp_path / "run", Goal(8), Workers(lambda: Dying(2), 2))
    assert Dying.left < 0
    assert bytes_of(run.folder.path) == whole


class Dead(Executor):
    """Never does anything."""

    def submit(self, fn, /, *args, **kwargs):
        raise BrokenProcessPool("a process was killed")


def test_workers_that_keep_dying_are_told(plan, tmp_path):
    """A run whose workers do nothing but die ends with a sentence."""
    with pytest.raises(UserError, match=r"died 4 times.*--resume"):
        played(plan, tmp_path / "run", Goal(2), Workers(Dead, 2))


def test_what_ends_a_run_while_it_writes_ends_its_workers(plan, tmp_path):
    """They are not waited for, as when all that was wanted has come: a bot may hang for hours."""
    seen = []

    @contextmanager
    def opened():
        try:
            yield ThreadPoolExecutor(2)
        except BaseException as error:
            seen.append(type(error))
            raise

    def watcher(games, of, faults):
        if games:
            raise KeyboardInterrupt

    run = begin(plan, Goal(8), Folder(tmp_path / "run"))
    run.watcher = watcher
    with pytest.raises(KeyboardInterrupt):
        run.play(Workers(opened, 2))
    assert seen == [KeyboardInterrupt]


def test_tasks_are_cut_to_size(plan):
    """Tasks cover all deals once, one deal first, then as many as last about half a second."""
    feed = Feed(lambda first, last: Task(plan, first, last), 0, 100, 40)
    tasks = []
    while task := feed.task():
        tasks.append(task)
        feed.rate = 10.0 * len(tasks)
    assert [task.first for task in tasks] == [0, *[task.last for task in tasks[:-1]]]
    assert tasks[-1].last == 100
    assert [task.last - task.first for task in tasks[:3]] == [1, 5, 10]


def test_a_clear_answer_ends_the_run(tmp_path):
    """The test stops at the deal that makes it clear, for any number of jobs."""
    plan = make_plan("dice-town", ["steady", "random"], seed=2)
    goal = Goal(200, Sprt(elo1=100))
    alone = played(plan, tmp_path / "alone", goal)
    assert alone.finished
    assert FEWEST <= alone.tally.deals < 60
    many = played(plan, tmp_path / "many", goal, Workers(lambda: ThreadPoolExecutor(3), 3))
    assert bytes_of(many.folder.path) == bytes_of(alone.folder.path)
    found = concluded(many)
    assert found["complete"]
    assert found["sprt"]["verdict"] == "better"


BOTS = Path(__file__).resolve().parents[2] / "docs/bots.md"


class Faulty:
    """Answers nothing legal."""

    def answer(self, view, question):
        raise RuntimeError("no idea")


def test_a_bot_that_fails_is_answered_for(tmp_path, monkeypatch):
    """Faults are counted and listed, a stand-in answers, and the record holds what it answered."""
    make = bots.make

    def making(game, name, key, hidden):
        return Faulty() if name == "steady" else make(game, name, key, hidden)

    monkeypatch.setattr(bots, "make", making)
    plan = make_plan("dice-town", ["random", "steady"], seed=4)
    run = played(plan, tmp_path / "run", Goal(2))
    found = concluded(run)
    assert [entrant["faults"] for entrant in found["entrants"]] == [0, 4 * STRIKES]
    faults = (tmp_path / "run" / "faults.jsonl").read_text().splitlines()
    assert len(faults) == 4 * STRIKES
    assert "RuntimeError: no idea" in faults[0]
    monkeypatch.undo()
    record = record_of_game(Folder(tmp_path / "run"), 3)
    assert record.header.seats == ("random", "steady")
    [found] = re.findall(r"```python\n(import json.*?)```", BOTS.read_text(), re.DOTALL)
    for number in range(len(faults)):  # the page says how to come to the question of a fault
        known = {}
        exec(
            found.replace('"night"', repr(str(tmp_path / "run"))).replace("[0]", f"[{number}]"),
            known,
        )
        assert known["question"].name == known["fault"]["question"]
        assert known["view"].seat == known["seat"]


def test_any_game_again(plan, tmp_path):
    """A game played again from its number ends where the table of games says."""
    folder = played(plan, tmp_path / "run", Goal(4)).folder
    outcomes = [outcome for deal in folder.deals(plan) for outcome in deal]
    for outcome in (outcomes[0], outcomes[5]):
        record = record_of_game(folder, outcome.number + 1)
        assert record.state_hash.hex().startswith(outcome.state)
    with pytest.raises(UserError, match="from 1 to 8"):
        record_of_game(folder, 9)


@pytest.mark.parametrize(("rules", "why"), [(None, "a bot has changed"), ("0" * 32, "the rules")])
def test_a_game_that_ends_differently_names_its_cause(plan, tmp_path, rules, why):
    """Where the rules are others by now, it is not a bot that has changed."""
    plan = replace(plan, rules=rules or plan.rules)
    folder = played(plan, tmp_path, Goal(1)).folder
    state = next(folder.deals(plan))[0].state
    folder.games.write_text(folder.games.read_text().replace(state, state[::-1]))
    with pytest.raises(UserError, match=why):
        record_of_game(folder, 1)


def test_records_are_kept_if_asked(plan, tmp_path):
    """With records every game's file is there, and the same as the game played again."""
    folder = played(plan, tmp_path / "run", Goal(2, records=True)).folder
    kept = folder.record(3).read_bytes()
    folder.record(3).unlink()
    assert record_of_game(folder, 4).to_bytes() == kept


def test_a_folder_is_not_overwritten(plan, tmp_path):
    """A second run in the same folder is refused, with the command that goes on."""
    path = tmp_path / "it's $5"
    played(plan, path, Goal(1))
    with pytest.raises(UserError) as refused:
        begin(plan, Goal(1), Folder(path))
    command = str(refused.value).partition("go on with it: ")[2]
    if sys.platform != "win32":
        assert shlex.split(command) == ["lanplay", "tournament", "--resume", str(path)]
    assert command == Folder(path).going_on


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("plan.json", "{}", "cannot be used"),
        ("plan.json", "[", "cannot be used"),
        ("games.csv", "a,b\n", "does not begin with the columns"),
    ],
)
def test_a_damaged_folder_is_told(plan, tmp_path, name, text, hint):
    """A folder with another's files is refused with a sentence."""
    played(plan, tmp_path, Goal(1))
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=hint):
        resume(Folder(tmp_path))


def test_an_altered_table_is_told(plan, tmp_path):
    """Rows that are no deal of the plan are refused."""
    folder = played(plan, tmp_path, Goal(3)).folder
    lines = folder.games.read_text().splitlines(keepends=True)
    folder.games.write_text("".join([lines[0], *lines[5:9], *lines[1:5], *lines[9:]]))
    with pytest.raises(UserError, match="altered: from line 2 on"):
        resume(folder)


@pytest.mark.parametrize(
    "damage",
    [
        lambda row: b"",
        lambda row: row * 2,
        lambda row: b"\n",
        lambda row: row[:9] + b"\xff" + row[9:],
        lambda row: bytes(len(row)),
        lambda row: row.replace(b"\n", b"\r\n"),
        lambda row: b"x" + row,
        lambda row: row.replace(b",random", b",Random"),
        lambda row: re.sub(rb",(\d),(0|1|0\.5),", rb",\1,0.25,", row),
    ],
)
def test_a_damaged_table_says_which_lines_to_delete_and_goes_on_without_them(
    damage, plan, tmp_path
):
    """What was played before is kept, and the end is that of a run in one piece."""
    folder = played(plan, tmp_path / "run", Goal(6)).folder
    whole = bytes_of(folder.path)
    lines = folder.games.read_bytes().splitlines(keepends=True)
    damaged = [*lines[:10], damage(lines[10]), *lines[11:]]
    folder.games.write_bytes(b"".join(damaged))
    with pytest.raises(UserError, match=r"altered: from line 10 on.*Delete.*--resume"):
        resume(folder)
    folder.games.write_bytes(b"".join(damaged[:9]))
    run = resume(folder)
    run.play(local(1))
    concluded(run)
    assert bytes_of(folder.path) == whole


def test_a_part_numbers_its_games_as_the_whole_run_does(plan, tmp_path):
    """As faults.jsonl does, so that what it names can be played again."""
    whole = played(plan, tmp_path / "whole", Goal(4)).folder
    part = played(plan, tmp_path / "part", Goal(4, shard=(2, 2))).folder
    again = record_of_game(part, 6)
    assert again.to_bytes() == record_of_game(whole, 6).to_bytes()
    for number in (0, 4, 9):
        with pytest.raises(UserError, match="numbered from 5 to 8"):
            record_of_game(part, number)


def test_a_table_that_is_damaged_or_missing_is_told_to_who_wants_to_see_a_game(plan, tmp_path):
    folder = played(plan, tmp_path, Goal(1)).folder
    folder.games.write_text(folder.games.read_text().replace("\n1,", "\nx,"))
    with pytest.raises(UserError, match="altered: from line 2 on"):
        record_of_game(folder, 1)
    folder.games.unlink()
    with pytest.raises(UserError, match="is missing"):
        record_of_game(folder, 1)


def test_a_bot_draws_by_deal_and_seat(plan):
    """A bot in the same seat of the same deal has the same key in every game."""
    keys = []

    class Keyed(bots.Contestant):
        def __init__(self, plan, name, key, hidden):
            keys.append(key)

    game = load("dice-town")
    assert game
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "Contestant", Keyed)
        for line_up in line_ups(plan, 3):
            seated(plan, 3, line_up)
    assert keys[:2] == keys[2:]
    assert len(set(keys)) == 2
    assert deal_size(plan) == 2
    assert Chance(keys[0])
