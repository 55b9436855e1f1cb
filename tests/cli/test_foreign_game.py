"""A game of another package in real programs: listed, simulated, hosted, joined, replayed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_lobby import Programs, port_of
from tests.games.packages import install, one_file_game

BROKEN = one_file_game("coin-flip").replace("        t.round += 1\n", "        t.round += 1 // 0\n")
TABLE = ("--people", "2", "--seats", "2", "--bot", "random")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a game of one file for all programs that are started."""
    home = install(tmp_path, monkeypatch, "coin-house", "coin-flip", one_file_game("coin-flip"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([home, os.environ.get("PYTHONPATH", "")]))


def run(*arguments):
    command = [sys.executable, "-m", "lanplay", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def said(*arguments):
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_of_another_package_is_listed_simulated_and_replayed(installed, tmp_path):
    """Nothing in the tree names it."""
    assert said("bots", "coin-flip").startswith("coin-flip:\n  random")
    table = ("coin-flip", "--bot", "random", "--games", 3, "--seats", 3, "--json")
    first, again = (json.loads(said("simulate", *table).splitlines()[-1]) for _ in range(2))
    assert first["hash"] == again["hash"]
    said("simulate", *table, "--record", tmp_path / "records")
    replayed = said("replay", tmp_path / "records" / "game-000001.lanplay", "--plain", "--no-step")
    assert replayed.count("The coin falls.") == 3
    done = run("replay", tmp_path / "records" / "game-000001.lanplay", "--review")
    assert done.returncode == 2
    assert "does not say what positions are worth" in done.stderr


def test_what_fails_in_a_game_of_another_package_is_not_called_a_fault_of_lanplay(
    tmp_path, monkeypatch
):
    """Neither where its code raises nor where its rules ask for what the engine does not have."""
    home = install(tmp_path, monkeypatch, "coin-house", "coin-flip", BROKEN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([home, os.environ.get("PYTHONPATH", "")]))
    module = Path(home) / "coin_house_game.py"
    commands = (("simulate", "coin-flip"), ("play", "coin-flip", "--auto", "random"))
    for command in commands:
        done = run(*command, "--seats", 2)
        assert done.returncode == 70
        assert "in coin-flip, a game of the package coin-house (ZeroDivisionError" in done.stderr
        assert "coin_house_game.py:" in done.stderr
        assert "check-game coin-flip" in done.stderr
    module.write_text(BROKEN.replace("+= 1 // 0", "+= 1").replace("yield OpenRoll", "yield "))
    for command in commands:
        assert "in coin-flip, a game of" in run(*command, "--seats", 2).stderr


def test_a_kept_game_whose_rules_fail_now_is_named_and_the_others_are_listed(tmp_path, monkeypatch):
    """And so are rules that cannot be read, and a game that cannot be used."""
    home = install(tmp_path, monkeypatch, "coin-house", "coin-flip", one_file_game("coin-flip"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([home, os.environ.get("PYTHONPATH", "")]))
    data = ("--data", tmp_path / "data")
    for game in ("charidice", "coin-flip"):
        said("play", game, "--auto", "random", "--seats", 2, *data)
    assert "no rules page" in run("rules", "coin-flip").stderr
    module = Path(home) / "coin_house_game.py"
    module.write_text(BROKEN)
    listed = run("history", *data)
    assert listed.returncode == 0
    assert "Charidice" in listed.stdout
    assert "ZeroDivisionError" in listed.stderr
    module.write_text("MANIFEST = 1 // 0")
    for command in ("rules", "bots"):
        assert (
            "coin-flip of the package coin-house cannot be used" in run(command, "coin-flip").stderr
        )


def test_a_word_that_is_missing_ends_no_game(tmp_path, monkeypatch):
    """What happened is told by its id then."""
    source = one_file_game("coin-flip").replace('    "falls": "The coin falls.",\n', "")
    home = install(tmp_path, monkeypatch, "coin-house", "coin-flip", source)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([home, os.environ.get("PYTHONPATH", "")]))
    assert said("play", "coin-flip", "--auto", "random", "--seats", 2).count("[falls]") == 3


def test_simulate_and_demo_play_it_with_its_plainest_bot_where_none_is_named(installed):
    """It has no bot of the usual level."""
    assert "random" in said("simulate", "coin-flip", "--games", 1)
    assert "replicas agree" in said("demo", "coin-flip", "--no-discovery", "--peers", 2)


def test_where_a_game_has_no_bot_of_the_usual_level_its_plainest_takes_free_seats(installed):
    """Unless it was named: then there is none such."""
    play = ("play", "coin-flip", "--auto", "random", "--seats", "2")
    assert "random 2" in said(*play, "--json")
    done = run(*play, "--bot", "strong")
    assert done.returncode == 2
    assert "no bot 'strong'" in done.stderr


def test_a_game_of_another_package_is_hosted_and_joined(installed, tmp_path):
    """Two programs play it to one end, and what they keep is verified."""
    with Programs(tmp_path) as programs:
        host = programs.start("ann", "host", "coin-flip", *TABLE, bot="random")
        guest = programs.start("ben", "join", f"127.0.0.1:{port_of(host)}", bot="random")
        ends = []
        for process in (host, guest):
            out, errors = process.communicate()
            assert process.returncode == 0, errors
            ends.append(json.loads(out.splitlines()[-1]))
    assert ends[0]["state_hash"] == ends[1]["state_hash"]
    assert "verified" in said("verify", next(tmp_path.rglob("*.lanplay")))
