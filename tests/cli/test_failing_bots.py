"""Bots that fail end no table and no run: every command goes on, and says what was wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.engine.record import FAILURES, load
from lanplay_ai.guard import STRIKES
from tests.ai.test_guard import Faulty, fails, plant

PROGRAM = """
import sys
from pytest import MonkeyPatch
from lanplay.cli import main
from tests.ai.test_guard import Faulty, fails, plant

plant(MonkeyPatch(), "dice-town", "failing", lambda key: Faulty(fails, key))
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def failing(monkeypatch, tmp_path):
    """The own bot ``failing`` of Dice Town fails from its third question on."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    plant(monkeypatch, "dice-town", "failing", lambda key: Faulty(fails, key))


def crash_file(errors):
    """Return what stands in the file that a message names."""
    [line] = [line for line in errors.splitlines() if "a fault of lanplay" in line]
    return Path(line.split("The details are in ")[1].split(";")[0]).read_text()


def test_simulate_finishes_and_its_status_tells(failing, capsys, tmp_path):
    """All games are played, counted and kept; 70, as it is a fault of lanplay, with the details."""
    arguments = ["--games", "4", "--seats", "2", "--bot", "failing", "--bot", "casual", "--json"]
    assert main(["simulate", "dice-town", *arguments, "--record", str(tmp_path / "kept")]) == 70
    out, errors = capsys.readouterr()
    rates = json.loads(out.splitlines()[-1])
    assert (rates["games"], rates["faults"]) == (4, [4 * STRIKES, 0])
    assert "first fault of failing: game 1, " in errors
    assert "IndexError" in crash_file(errors)
    record = load(tmp_path / "kept" / "game-000003.lanplay")
    assert [fault["bot"] for fault in record.extra[FAILURES]] == ["failing"] * STRIKES


def test_a_tournament_finishes_and_its_status_tells(failing, capsys, tmp_path):
    """All deals are played and written; the faults stand in the folder that is named."""
    folder = tmp_path / "run"
    run = ["--games", "4", "--quiet", "--json", "--jobs", "1", "--out", str(folder)]
    assert main(["tournament", "dice-town", "failing", "casual", *run]) == 70
    out, errors = capsys.readouterr()
    found = json.loads(out.splitlines()[-1])
    assert found["complete"]
    assert [entrant["faults"] for entrant in found["entrants"]] == [4 * STRIKES, 0]
    assert "first fault of failing: game 1, " in errors
    told = crash_file(errors)
    assert "IndexError" in told
    assert str(folder) in told
    more = ["--games", "6", "--quiet", "--jobs", "1"]
    assert main(["tournament", "--resume", str(folder), *more]) == 70


def test_a_bot_that_fails_at_a_persons_table_is_told_and_kept(failing, capsys, tmp_path):
    """``play`` ends with its result and status 0."""
    path = tmp_path / "game.lanplay"
    game = ["--bot", "failing", "--auto", "casual", "--seed", "3", "--seats", "3", "--json"]
    assert main(["play", "dice-town", *game, "--plain", "--record", str(path)]) == 0
    out, _ = capsys.readouterr()
    assert out.count("The bot failing has failed; a simpler one answers") == 2 * STRIKES
    assert json.loads(out.splitlines()[-1])["scores"]
    faults = load(path).extra[FAILURES]
    assert sorted(fault["seat"] for fault in faults) == [1] * STRIKES + [2] * STRIKES


def test_the_log_says_where_a_bot_failed_but_not_what_it_held(failing, tmp_path):
    """Bot, question, seat, step, game and lines of code: no text of the error."""
    log = tmp_path / "log"
    game = ["--bot", "failing", "--auto", "casual", "--seed", "3", "--seats", "2"]
    assert main(["play", "dice-town", *game, "--plain", "--log", str(log)]) == 0
    lines = [line for line in log.read_text().splitlines() if "lanplay_ai.guard" in line]
    assert len(lines) == STRIKES
    assert "failing failed at " in lines[0]
    assert ", seat 2, step " in lines[0]
    assert "of dice-town {'claim_row'" in lines[0]
    assert "IndexError [ai/test_guard.py:" in lines[0]
    assert "list index" not in lines[0]


def started(folder, *arguments):
    """Start a program whose bots fail."""
    common = ["--interface", "127.0.0.1", "--auto", "failing", "--trust-new", "--json", "--quiet"]
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments, *common, "--data", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def said(process, word):
    """Read what a program says until a line has the word; return that line."""
    for line in process.stderr:
        if word in line:
            return line
    raise AssertionError(f"{word} was not said")


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")
def test_a_failing_bot_goes_with_its_seat_and_ends_no_table(tmp_path):
    """The host's bots fail, it dies, who takes its seats has the same bots: both others finish."""
    table = ["host", "dice-town", "--seats", "3", "--people", "3", "--bot", "failing"]
    programs = [started(tmp_path / "0", *table, "--grace", "1")]
    try:
        port = said(programs[0], "is open on port").rsplit(" ", 1)[1].strip(".\n")
        programs += [started(tmp_path / str(n), "join", f"127.0.0.1:{port}") for n in (1, 2)]
        kept = tmp_path / "0" / "games"
        deadline = time.monotonic() + 200
        while not any(path.stat().st_size > 100_000 for path in kept.glob("*.game")):
            assert time.monotonic() < deadline
            assert all(program.poll() is None for program in programs)
            time.sleep(0.02)
        os.kill(programs[0].pid, signal.SIGKILL)
        ends = []
        for program in programs[1:]:
            out, errors = program.communicate()
            assert program.returncode == 0, errors
            ends.append(json.loads(out.splitlines()[-1]))
    finally:
        for program in programs:
            program.kill()
            program.communicate()
    assert ends[0]["state_hash"] == ends[1]["state_hash"]
    assert not any(end["held"] for end in ends)
    failed = []
    for end in ends:
        faults = load(tmp_path / end["record"]).extra[FAILURES]
        assert {fault["bot"] for fault in faults} == {"failing"}
        failed.append({fault["seat"] for fault in faults})
        assert main(["verify", str(tmp_path / end["record"])]) == 0
    assert len(failed[0] | failed[1]) == 3
    assert failed[0].isdisjoint(failed[1])
