"""``lanplay resume``: a program that was killed comes back to its table."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from lanplay.cli import main

COMMON = ["--interface", "127.0.0.1", "--auto", "steady", "--trust-new", "--json", "--quiet"]


def started(folder, *arguments):
    command = [sys.executable, "-m", "lanplay", *arguments, *COMMON, "--data", str(folder)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
    )


def result(process):
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return json.loads(out.splitlines()[-1])


def journal_of(folder, size):
    """Wait until the game in ``folder`` has so many bytes on disk."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for path in (folder / "games").glob("*.game"):
            if path.stat().st_size >= size:
                return path
        time.sleep(0.02)
    raise AssertionError("no game was begun")


@pytest.mark.parametrize("victim", ["host", "guest"])
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")
def test_a_killed_program_comes_back_and_the_game_ends_equal(tmp_path, victim):
    """kill -9 of the host or a guest in the middle of a game: resume, and both end in one state."""
    host = started(tmp_path / "a", "host", "dice-town", "--seats", "3", "--people", "2")
    line = host.stderr.readline()
    port = line.rsplit(" ", 1)[1].strip(".\n")
    guest = started(tmp_path / "b", "join", f"127.0.0.1:{port}")
    folder, process = {"host": (tmp_path / "a", host), "guest": (tmp_path / "b", guest)}[victim]
    path = journal_of(folder, 60_000)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert path.exists()
    again = started(folder, "resume")
    other = guest if victim == "host" else host
    ends = [result(again), result(other)]
    assert ends[0]["state_hash"] == ends[1]["state_hash"]
    assert not path.exists()


def test_nothing_to_go_on_with_is_said(tmp_path, capsys):
    """Without a game in progress the command says so and what else there is."""
    assert main(["resume", "--data", str(tmp_path)]) == 2
    assert "lanplay join" in capsys.readouterr().err
    assert main(["resume", "--list", "--data", str(tmp_path)]) == 0
