"""``lanplay demo``: whoever asks for what cannot be gets one sentence, and nothing is started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lanplay.cli import demonstration, main
from lanplay.engine.record import load

SHORT = ["charidice", "--no-discovery", "--peers", "2", "--seats", "2", "--bot", "random"]


@pytest.fixture(autouse=True)
def crash_place(monkeypatch, tmp_path):
    """Keep what a fault would leave behind out of the person's folders."""
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("chess", "There is no game 'chess' here"),
        ("--seats 9", "dice-town is for 2 to 5 seats, not 9"),
        ("--bot nobody", "There is no bot 'nobody'"),
        ("--bot cmd:cat", "There is no bot 'cmd:cat'"),
        ("fliptown --seats 5", "fliptown is for 1 to 4 seats, not 5"),
        ("--peers 7", "7 processes cannot share 4 seats"),
    ],
)
def test_a_table_that_cannot_be_is_one_sentence_and_status_2(arguments, told, capsys):
    """It is said once, before any process is started, and is no fault of lanplay."""
    assert main(["demo", *arguments.split()]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"lanplay: {told}")


@pytest.mark.parametrize("who", ["_host_command", "_guest_command"])
def test_a_peer_that_does_not_come_ends_the_demonstration(who, monkeypatch, capsys):
    """What it said is passed on, the others are ended, and the status is 1."""
    monkeypatch.setattr(demonstration, who, lambda *_: ["host", "chess"])
    assert main(["demo", "--peers", "2", "--no-discovery"]) == 1
    told = capsys.readouterr().err
    assert "There is no game 'chess' here" in told
    assert "a peer did not finish" in told
    assert "fault of lanplay" not in told


def test_what_peers_say_comes_with_its_letters_whatever_pipes_have(monkeypatch, capsys):
    """On Windows programs write into them in the code page of the country."""
    monkeypatch.setenv("PYTHONIOENCODING", "cp1250")
    command = ["host", "chess", "--lang", "cs"]
    monkeypatch.setattr(demonstration, "_host_command", lambda *_: command)
    assert main(["demo", "--peers", "1", "--no-discovery"]) == 1
    assert "lanplay: Hra „chess“ tu není" in capsys.readouterr().err


def test_it_ends_with_json_and_keeps_the_record_where_it_is_asked_for(tmp_path, capsys):
    """``--json`` and ``--record`` mean what they mean for every other command."""
    path = tmp_path / "demo.lanplay"
    assert main(["demo", *SHORT, "--json", "--record", str(path)]) == 0
    ended = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert Path(ended["record"]) == path
    assert load(path).state_hash.hex() == ended["state_hash"]
    assert ended["peers"] == 2


def test_a_record_that_cannot_be_written_is_an_error_after_the_results(tmp_path, capsys):
    assert main(["demo", *SHORT, "--json", "--record", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[-1])["record"] is None
    assert err.startswith(f"lanplay: {tmp_path} cannot be used (")
