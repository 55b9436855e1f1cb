"""Bots of other packages cannot harm a tournament, whatever they do."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from contextlib import suppress
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.errors import UserError
from lanplay.tournament import bots
from lanplay.tournament.executor import Workers, local
from lanplay.tournament.outcome import from_csv
from lanplay.tournament.plan import make_plan
from lanplay.tournament.playing import Task, play
from lanplay.tournament.storage import Folder, Goal
from lanplay_ai.guard import STRIKES
from lanplay_ai.outside import program as program_module
from lanplay_ai.outside import walls
from tests.tournament.conftest import GAMES, bytes_of, played

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("guests")


def against(bot):
    return make_plan("dice-town", [bot, "beginner"], seed=4)


def batch_of(bot):
    batch = play(Task(against(bot), 0, 2))
    return batch, [each for rows in batch.rows for each in from_csv(rows.splitlines())]


def scores(outcomes):
    return [(each.scores, each.places, each.rounds, each.state) for each in outcomes]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        ("leaving", "SystemExit: 4"),
        ("interrupting", "KeyboardInterrupt"),
        ("looping@0.2", "said nothing for 0.2 s"),
        ("stuck@0.2", "said nothing for 0.2 s"),
        ("dying", "has ended"),
        ("lying", "ValueError:"),
    ],
)
def test_who_ends_or_hangs_is_answered_for(bot, fault):
    """A bot that exits, interrupts, loops, hangs in C or ends its process: the game goes on."""
    batch, outcomes = batch_of(bot)
    assert all(sum(each.faults) >= 1 for each in outcomes)
    assert all(entrant == 0 and fault in each.why for _, entrant, each in batch.faults)
    assert all(each.why.isprintable() for _, _, each in batch.faults)


def test_a_fault_says_where_it_came_from():
    """What another package raised is told with the lines of its code."""
    batch, _ = batch_of("lying")
    assert all("guests_of_tests.py:" in each.at for _, _, each in batch.faults)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("bot", ["cheating", "forgetting", "printing", "forking", "peeking"])
def test_what_a_bot_does_in_its_process_stays_there(bot):
    """Writing into its view, printing, forking, looking for others' views: nobody notices."""
    batch, outcomes = batch_of(bot)
    assert batch.faults == []
    assert scores(outcomes) == scores(batch_of("first")[1])


def test_an_answer_is_plain_data():
    """Objects, whose methods the rules would call, are no answers."""
    batch, _ = batch_of("objecting")
    assert all("answers are made of" in each.why for _, _, each in batch.faults)
    assert all(each.why.count("BotFault") == 1 for _, _, each in batch.faults)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("game", GAMES)
def test_views_of_every_game_are_shown(game):
    """A bot in its process answers as one in this process does, and can fork."""
    plan = make_plan(game, ["forking", "random"], seed=4)
    batch = play(Task(plan, 0, 1))
    assert batch.faults == []


def test_agents_of_finished_games_are_forgotten():
    """The process of a bot holds no more agents than there are in this one."""
    batch_of("first")
    [program] = [each for slot, each in program_module._running.items() if "First" in slot[1]]
    gc.collect()
    assert program.matches == set()


def test_guests_play_as_any_other(tmp_path):
    """No fault, no record, and the same bytes in this process and in workers."""
    alone = played(against("first"), tmp_path / "alone", Goal(3)).folder
    many = played(against("first"), tmp_path / "many", Goal(3), local(2)).folder
    assert bytes_of(many.path) == bytes_of(alone.path)
    assert not (alone.path / "faults.jsonl").exists()
    assert not (alone.path / "records").exists()


def test_what_a_program_dies_of_in_several_processes_is_shown_once_in_all(tmp_path, capsys):
    """The conductor shows it for all of them, and counts how often it came again."""
    (tmp_path / "bot.py").write_text("1 / 0")
    bot = f"cmd:{sys.executable} {tmp_path / 'bot.py'}"
    played(make_plan("dice-town", [bot, "beginner"], seed=4), tmp_path / "run", Goal(4), local(2))
    program_module.end_all()
    err = capsys.readouterr().err
    assert err.count("Traceback") == err.count("ZeroDivisionError") == 1
    assert f"… and {4 * 2 * STRIKES - 1} more times" in err


class Losing(Executor):
    """Says of every task that its workers died too often, as a cluster does."""

    def submit(self, fn, /, *args, **kwargs):
        lost: Future = Future()
        lost.set_exception(LookupError("attempted on 4 workers"))
        return lost


def test_a_run_ends_where_a_cluster_gives_up(tmp_path):
    """A task that ended all its workers ends the run."""
    workers = Workers(Losing, 2, lost=(LookupError,))
    with pytest.raises(UserError, match="died 4 times"):
        played(against("strong"), tmp_path / "run", Goal(2), workers)


def test_a_program_that_cannot_run_is_told_before_anything_is_played(tmp_path, capsys, monkeypatch):
    """A command that is none, or that ends at once, is an error of the command line."""
    monkeypatch.setattr(program_module, "SETTLING", 30.0)  # "at once" is not soon on a busy machine
    ending = f'cmd:"{sys.executable}" -c pass'
    for bot, why in (("cmd:nosuchprogram", "cannot be started"), (ending, "has ended")):
        arguments = ["dice-town", bot, "beginner", "--games", "2", "--out", str(tmp_path / "run")]
        assert main(["tournament", *arguments]) == 2
        assert why in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="files are not marked as programs there")
@pytest.mark.parametrize("more", [[], ["--trusted"]])
def test_a_file_that_may_not_run_is_not_called_missing(tmp_path, capsys, more):
    """Within walls as without, a script that is no program is told from one that is not there."""
    (tmp_path / "bot.py").touch()
    for name, why in (("bot.py", "Permission denied"), ("bat.py", "No such file")):
        bot = f"cmd:{tmp_path / name}"
        assert (
            main(["tournament", "dice-town", bot, "beginner", "--out", f"{tmp_path}/run", *more])
            == 2
        )
        assert why in capsys.readouterr().err


@pytest.mark.skipif(not walls.able(), reason="there can be no sandbox here")
@pytest.mark.parametrize("more", [[], ["--trusted"]])
def test_who_plays_in_a_sandbox_is_told_what_does_without(tmp_path, capsys, monkeypatch, more):
    """Before a bot fails for what it may not do there; a bot that is trusted may do it."""
    if not more:  # the other one does not end while it is tried out
        monkeypatch.setattr(program_module, "SETTLING", 30.0)
    bot = (
        f"""cmd:"{sys.executable}" -c "open('{tmp_path}/notes', 'w'); input(); input()" """.strip()
    )
    run = ["tournament", "charidice", bot, "beginner", "--games", "2", "--quiet", *more]
    assert main([*run, "--out", str(tmp_path / "run")]) == (0 if more else 2)
    assert ("--trusted" in capsys.readouterr().err) is not bool(more)
    assert (tmp_path / "notes").exists() is bool(more)


def test_a_run_that_is_refused_commits_to_nothing(tmp_path, capsys):
    """The commitment is told once the folder is the run's."""
    run = ["tournament", "dice-town", "leaving", "beginner", "--games", "2", "--quiet"]
    for status in (0, 2):
        assert main([*run, "--out", str(tmp_path / "run")]) == status
        assert ("Commitment" in capsys.readouterr().out) is (status == 0)


def test_the_first_fault_of_each_bot_is_told_at_the_end(tmp_path, capsys):
    """The terminal shows why a bot was answered for, a line for each."""
    entrants = ["leaving", "interrupting", "beginner"]
    run = ["--games", "2", "--quiet", "--out", str(tmp_path / "run")]
    assert main(["tournament", "dice-town", *entrants, *run]) == 0
    told = capsys.readouterr().err
    place = r"game \d, [\w-]+, seat \d, step \d+"
    assert re.search(rf"first fault of leaving: {place}: BotFault: SystemExit: 4 \[", told)
    assert re.search(rf"first fault of interrupting: {place}: BotFault: KeyboardInterrupt \[", told)
    assert told.count("first fault") == 2


def test_decisions_after_the_strikes_are_not_timed(tmp_path, monkeypatch):
    """A bot's mean time is over the decisions that it was asked for."""

    class Failing:
        def answer(self, view, question):
            raise RuntimeError

    monkeypatch.setattr(bots, "make", lambda game, name, key, hidden: Failing())
    plan = make_plan("dice-town", ["strong", "casual"])
    run = played(plan, tmp_path / "run", Goal(1))
    assert run.timing.decisions == [2 * STRIKES] * 2
    timing = json.loads((tmp_path / "run" / "timing.json").read_text())
    assert timing["decisions"] == [2 * STRIKES] * 2
    [deal] = run.folder.deals(plan)
    assert all(decisions > STRIKES for outcome in deal for decisions in outcome.decisions)


def plays(path):
    """Tell whether a bot of that path spins: one that is only tried out does not."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if path.encode() in status.with_name("cmdline").read_bytes():
                used = sum(map(int, status.read_text().rpartition(")")[2].split()[11:13]))
                if used > os.sysconf("SC_CLK_TCK"):
                    return True
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_second_ctrl_c_ends_at_once(jobs, guests, tmp_path):
    """While a bot hangs for (nearly) ever, the first Ctrl-C waits for it and the second ends."""
    command = f"tournament dice-town looping@9999 beginner --jobs {jobs} --out run"
    path = os.pathsep.join([str(ROOT), str(guests)])
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "lanplay", *command.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stderr
    said = iter(process.stderr)
    while process.poll() is None and not plays(str(guests)):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert any("Finishing" in line for line in said)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 130
    folder = Folder(tmp_path / "run", Path(os.environ["LANPLAY_DATA"]))
    assert folder.read_plan()[0].entrants == ("looping@9999", "beginner")
