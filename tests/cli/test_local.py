"""The commands that need no network: simulate, play, replay."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.engine.knowledge import load_knowledge
from lanplay.engine.record import load
from lanplay.engine.stepper import Stepper
from lanplay.games import load as load_game


def lanplay(*arguments, stdin="", monkeypatch=None):
    if monkeypatch is not None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
    return main(list(arguments))


def test_simulate_reports_rates_and_one_hash(capsys):
    """The closing JSON line has the rates, the scores and the hash over all games."""
    assert lanplay("simulate", "dice-town", "--games", "5", "--seats", "3", "--json") == 0
    rates = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert rates["games"] == 5
    assert len(rates["hash"]) == 64
    assert len(rates["mean_scores"]) == 3
    assert sum(rates["win_shares"]) == pytest.approx(1, abs=0.001)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_simulate_shows_on_a_terminal_how_far_it_is_and_tells_its_sums_at_ctrl_c(tmp_path):
    """After how many games is said; what is counted is of those, and the status is 130."""
    terminal, theirs = os.openpty()
    command = [sys.executable, "-m", "lanplay", "simulate", "charidice", "--bot", "random"]
    with (tmp_path / "out").open("w+") as out, os.fdopen(terminal, "rb", buffering=0) as screen:
        run = subprocess.Popen(
            [*command, "--games", "1000000", "--seats", "2", "--json"], stdout=out, stderr=theirs
        )
        os.close(theirs)
        seen = b""
        while seen.count(b" of 1000000") < 2:
            seen += screen.read(4096)
        run.send_signal(signal.SIGINT)
        while b"Ctrl-C again" not in seen:
            seen += screen.read(4096)
        assert run.wait(60) == 130
        out.seek(0)
        told = out.read().splitlines()
    rates = json.loads(told[-1])
    assert told[0] == f"Stopped after {rates['games']} of 1000000 games."
    assert 0 < rates["games"] < 1_000_000
    assert sum(rates["win_shares"]) == pytest.approx(1, abs=0.001)


def test_simulate_says_where_a_decision_is_a_whole_turn(capsys):
    """Fliptown's picks are counted beside its decisions; of other games each decision is one."""
    play = ("simulate", "--games", "1", "--seats", "2", "--bot", "random", "--json")
    for game, whole in (("fliptown", True), ("charidice", False)):
        assert lanplay(*play, game) == 0
        lines = capsys.readouterr().out.splitlines()
        rates = json.loads(lines[-1])
        assert (rates["picks_per_second"] > rates["decisions_per_second"]) is whole
        assert any("is a whole turn" in line for line in lines) is whole


def test_the_hash_depends_on_the_seed_alone():
    """Processes with other hash seeds agree; another seed differs."""
    hashes = []
    for hash_seed, seed in (("0", "7"), ("123", "7"), ("0", "8")):
        command = [sys.executable, "-m", "lanplay", "simulate", "dice-town", "--games", "4"]
        run = subprocess.run(
            [*command, "--seed", seed, "--json"],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        )
        hashes.append(json.loads(run.stdout.splitlines()[-1])["hash"])
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["simulate", "chess"], "dice-town"),
        (["simulate", "dice-town", "--seats", "9"], "2 to 5"),
        (["simulate", "dice-town", "--option", "brute=strong"], "one_extra (one more die)"),
        (["simulate", "dice-town", "--option", "brute"], "NAME=VALUE"),
        (["simulate", "dice-town", "--bot", "deep"], "random, steady"),
        (["simulate", "dice-town", "--games", "0"], "at least one"),
        (["simulate", "dice-town", "--bot", "steady", "--bot", "random"], "4 seats"),
        (["play", "--seed", "-1"], "from 0"),
        (["replay", "nowhere.lanplay"], "nowhere.lanplay"),
        (["replay", "docs"], "docs is a folder. If it is a tournament's, name one of its games"),
        (["replay", "README.md", "--game", "2"], "README.md holds no tournament"),
        (["share", "nowhere"], "nowhere is not a lanplay bundle (No such file or directory)."),
        (["resume", "--forget", "nowhere"], "Check the name, and whether"),
        (["host", "charidice", "--password-file", "nowhere"], "from nowhere: No such file"),
        (["host", "dice-town", "--people", "9"], "1 to 4"),
        (["host", "dice-town", "--bot", "deep"], "random, steady"),
        (["demo", "--peers", "9"], "1 to 4"),
    ],
)
def test_what_a_person_can_mend_is_said(arguments, hint, capsys):
    """Wrong games, seats, options, bots and files end with status 2 and what would be right."""
    assert lanplay(*arguments) == 2
    errors = capsys.readouterr().err
    assert hint in errors
    assert "Traceback" not in errors


def test_a_game_of_bots_is_recorded_and_replays(tmp_path, capsys):
    """What ``play`` ends with is what ``replay`` ends with."""
    path = tmp_path / "game.lanplay"
    assert lanplay("play", "--auto", "steady", "--seed", "3", "--json", "--record", str(path)) == 0
    played = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert lanplay("replay", str(path), "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == played
    record = load(path)
    stepper = Stepper(load_game("dice-town"), record, load_knowledge(path, record.state_hash))
    assert stepper.known == (0, 1, 2, 3), "it can be stepped through, with every hand"
    assert Stepper(load_game("dice-town"), record).known == (), "and without the file beside it"


@pytest.mark.parametrize("damage", ["truncated", "altered", "other"])
def test_a_damaged_record_is_refused_by_name(damage, tmp_path, capsys):
    """Nothing is shown of a record that is truncated, altered or none at all."""
    path = tmp_path / "game.lanplay"
    lanplay("play", "charidice", "--auto", "random", "--seed", "3", "--record", str(path))
    capsys.readouterr()
    content = bytearray(path.read_bytes())
    if damage == "altered":
        content[len(content) // 2] ^= 1
    path.write_bytes(
        b"hello" if damage == "other" else content[: -100 * (damage == "truncated")] or content
    )
    assert lanplay("replay", str(path)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "game.lanplay" in said.err


def test_records_that_cannot_be_written_are_an_error_after_the_results(tmp_path, capsys):
    """Each command ends with 2; what was played is told, and a game goes to its usual place."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    many = ("simulate", "charidice", "--games", "3", "--seats", "2", "--bot", "random", "--json")
    assert lanplay(*many, "--record", str(blocked)) == 2
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[-1])["games"] == 3
    assert err.startswith("lanplay: From game 1 on no record could be saved: ")
    assert err.count("\n") == 1
    one = ("play", "charidice", "--seats", "2", "--bot", "random", "--auto", "random", "--json")
    kept = "--data", str(tmp_path / "data")
    refused = {blocked / "x": "Not a directory", tmp_path: "Is a directory"}
    if sys.platform == "linux":  # no folder can be made there, as on a drive that is missing
        refused[Path("/proc/nobody/x")] = "Not a directory"
    for path, why in refused.items():
        assert lanplay(*one, *kept, "--record", str(path)) == 2
        out, err = capsys.readouterr()
        assert err.splitlines()[-1].startswith(f"lanplay: {path} cannot be used ({why})")
        record = json.loads(out.splitlines()[-1])["record"]
        assert f"The record is kept in {record}." in err
        assert load(Path(record)).finished
    assert lanplay(*one, "--data", str(blocked)) == 0


def test_notes_of_the_time_that_cannot_be_written_are_an_error_after_the_result(tmp_path, capsys):
    """``--timing`` ends with 2 as ``--record`` does, once the game is over and kept."""
    (tmp_path / "file").write_text("")
    table = ("host", "charidice", "--seats", "2", "--people", "1", "--interface", "127.0.0.1")
    alone = ("--auto", "random", "--bot", "random", "--trust-new", "--data", str(tmp_path))
    path = tmp_path / "file" / "x"
    assert lanplay(*table, *alone, "--quiet", "--json", "--timing", str(path)) == 2
    out, err = capsys.readouterr()
    assert load(Path(json.loads(out.splitlines()[-1])["record"])).finished
    assert err.splitlines()[-1].startswith(f"lanplay: {path} cannot be used (Not a directory)")


def test_a_replay_from_behind_the_end_is_refused(tmp_path, capsys):
    """Status 2 and the last round there is, from which it can be shown."""
    path = str(tmp_path / "game.lanplay")
    lanplay("play", "charidice", "--auto", "random", "--seed", "3", "--record", path, "--json")
    rounds = json.loads(capsys.readouterr().out.splitlines()[-1])["rounds"]
    assert lanplay("replay", path, "--from", str(rounds)) == 0
    assert capsys.readouterr().out
    assert lanplay("replay", path, "--from", str(rounds + 1)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"lanplay: The record ends in round {rounds}. ")


def test_records_go_where_the_platform_keeps_data(tmp_path, monkeypatch, capsys):
    """Without ``--record`` the record lies in the data folder, and never over another one."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("LANPLAY_DATA")
    paths = set()
    for _ in range(2):
        lanplay("play", "charidice", "--auto", "random", "--seed", "4", "--json")
        paths.add(json.loads(capsys.readouterr().out.splitlines()[-1])["record"])
    assert len(paths) == 2
    assert all(path.startswith(str(tmp_path)) for path in paths)


def test_a_person_plays_with_numbers(monkeypatch, capsys, tmp_path):
    """Wrong input gets the reason and is asked again; '?' shows the rule; the game goes on."""
    answers = "x\n9\n1 1\n?\n1 2 3 4 5\n1\n" + "1\n" * 3000
    record = str(tmp_path / "r.lanplay")
    status = lanplay(
        "play", "--seed", "3", "--record", record, stdin=answers, monkeypatch=monkeypatch
    )
    said = capsys.readouterr()
    assert "'x' is not on the list" in said.out
    assert "'9' is not on the list" in said.out
    assert "Each number counts once." in said.out
    assert "DT-2.2" in said.out
    assert status == 0, said.err
    assert "wins with" in said.out


def test_what_numbers_would_mean_is_told_before_they_are_taken(monkeypatch, capsys):
    """'? 1 2' shows the price of a selection, or why it cannot be; nothing is answered by it."""
    typed = "? 1 2\n? 9\n?\nq\n"
    lanplay("play", "--seed", "3", "--no-hints", stdin=typed, monkeypatch=monkeypatch)
    said = capsys.readouterr().out
    assert "costs $1" in said
    assert "'9' is not on the list" in said
    assert said.count("Which dice do you keep?") == 1


def test_what_decided_the_game_is_told_at_its_end(monkeypatch, capsys, tmp_path):
    """The last lines are the events that moved most points, with their rounds."""
    record = str(tmp_path / "r.lanplay")
    assert lanplay("play", "charidice", "--auto", "casual", "--seed", "3", "--record", record) == 0
    _game, decided = capsys.readouterr().out.split("What decided it:\n")
    events = [line for line in decided.splitlines() if not line.startswith("    ")]  # else broken
    assert 1 <= len(events) <= 10
    assert decided.startswith("  round ")


def test_what_needs_other_people_is_explained_where_there_are_none(monkeypatch, capsys):
    """``say`` and ``pause`` say that nobody is there; ``who`` names the seats; nothing is lost."""
    typed = "say hello\nsay\npause\nwho\nhelp\nq\n"
    assert lanplay("play", "--seed", "3", stdin=typed, monkeypatch=monkeypatch) == 0
    said = capsys.readouterr().out
    assert said.count("You play alone with AI") == 3
    assert "(strong): AI" in said
    assert "hurry" not in said
    assert "is not a number" not in said


def test_the_end_of_the_input_is_said(monkeypatch, capsys):
    """A game whose input ends stops with one sentence."""
    assert lanplay("play", "--seed", "3", stdin="1\n", monkeypatch=monkeypatch) == 2
    assert "input has ended" in capsys.readouterr().err


def test_q_leaves_the_game(monkeypatch, capsys):
    """A person may leave at any question; that is no error."""
    assert lanplay("play", "--seed", "3", stdin="q\n", monkeypatch=monkeypatch) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[-1].startswith("You have left the game.")


def test_at_a_keyboard_leaving_is_said_twice(monkeypatch, capsys):
    """The first q asks, anything else means no, and is the answer that it is."""
    monkeypatch.setattr("lanplay.lines.console.at_keyboard", lambda: True)
    typed = "q\nwho\nq\nq\n"
    assert lanplay("play", "--seed", "3", stdin=typed, monkeypatch=monkeypatch) == 0
    said = capsys.readouterr()
    asked = "Leave the game? It waits until you come back. Type q again for yes"
    assert " ".join(said.out.split()).count(asked) == 2
    assert "(strong): AI" in said.out
    assert "You have left the game." in said.err


def test_lines_fit_a_narrow_screen(monkeypatch, capsys, tmp_path):
    """No line of a whole plain game is wider than 80 columns."""
    answers = "1\n" * 4000
    record = str(tmp_path / "r.lanplay")
    lanplay(
        "play",
        "--name",
        "Ann",
        "--seed",
        "5",
        "--record",
        record,
        stdin=answers,
        monkeypatch=monkeypatch,
    )
    assert max(map(len, capsys.readouterr().out.splitlines())) < 80


def test_who_goes_away_lets_an_ai_play_on(monkeypatch, capsys, tmp_path):
    """``away`` hands the seat to an AI to the end of the game; what is typed after it is kept."""
    record = str(tmp_path / "r.lanplay")
    typed = "away\n"
    status = lanplay(
        "play", "--seed", "3", "--record", record, stdin=typed, monkeypatch=monkeypatch
    )
    said = capsys.readouterr()
    assert status == 0, said.err
    assert "An AI answers for you to the end of this game." in said.out
    assert "Only AI is left at the table" in said.out
    assert "wins with" in said.out
