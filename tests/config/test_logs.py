"""The log file: off by default, one line for each entry, nothing secret."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lanplay.cli import logs, main

ROOT = Path(__file__).resolve().parents[2]
LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \d+ (?:DEBUG|INFO) [a-z_.]+: (.*)")
KNOWN = (
    r"lanplay \S+ \(protocol \d+, python \S+\): [a-z]+",
    r"ends with \d+",
    r"a game of \d+ peers, as peer \d+",
    r"phase \d+, [A-Za-z-]+",
    r"link to peer \d+ at \S*",
    r"no link to peer \d+: [^0-9]*",
    r"discovery: [A-Za-z ']*",
    r"[A-Z][A-Za-z]+ \d*",
)
"""All that may stand in a log after a sound game: no faces, no keys, no answers."""


def entries(path):
    """Return the texts of a log, each line of which has time, process, level and origin."""
    return [LINE.fullmatch(line)[1] for line in path.read_text(encoding="utf-8").splitlines()]


def test_there_is_no_log_unless_it_is_asked_for(tmp_path, monkeypatch):
    """Without flag, variable and key no handler is there and no file is made."""
    monkeypatch.chdir(tmp_path)
    before = {*tmp_path.iterdir()}
    assert main(["rules"]) == 0
    assert {*tmp_path.iterdir()} == before
    assert not any(logging.getLogger(name).handlers for name in logs.ROOTS)


def test_flag_variable_and_key_name_the_log(tmp_path, monkeypatch):
    """Each of the three starts a log, which tells the command and how it ended."""
    config = tmp_path / "config.toml"
    config.write_text(f"log = '{tmp_path / 'file.log'}'\n", encoding="utf-8")
    monkeypatch.setenv("LANPLAY_CONFIG", str(config))
    assert main(["rules"]) == 0
    assert main(["rules", "--log", str(tmp_path / "flag.log")]) == 0
    monkeypatch.setenv("LANPLAY_LOG", str(tmp_path / "variable.log"))
    assert main(["rules", "chess"]) == 2
    for name, status in (("file", 0), ("flag", 0), ("variable", 2)):
        first, last = entries(tmp_path / f"{name}.log")
        assert first.endswith(": rules")
        assert last == f"ends with {status}"


def test_a_log_is_added_to_and_is_its_owners(tmp_path):
    """The second run adds its lines; others cannot read them."""
    path = tmp_path / "folder" / "x.log"
    for _ in range(2):
        main(["rules", "--log", str(path)])
    assert len(entries(path)) == 4
    assert sys.platform == "win32" or path.stat().st_mode & 0o077 == 0


def test_nobody_can_write_lines_into_a_log(tmp_path):
    """Line breaks in names and reasons of others do not begin an entry."""
    logs.start(str(tmp_path / "x.log"))
    logs.note("no link to peer %d: %s", 1, "bye\n2026-01-01 00:00:00.000 1 INFO lanplay: fake\r")
    logs.stop()
    assert all(logging.getLogger(name).propagate for name in logs.ROOTS)
    [entry] = entries(tmp_path / "x.log")
    assert entry.endswith("fake\\r")


def test_no_terminal_in_which_a_log_is_read_obeys_it(tmp_path):
    """What steers a terminal, or turns the direction of letters, is spelled out there."""
    logs.start(str(tmp_path / "x.log"))
    logs.note("no link to peer %d: %s", 1, "\x1b]0;title\x07 \x1b[2J \u202e žluťoučký")
    logs.stop()
    [entry] = entries(tmp_path / "x.log")
    assert entry.endswith(r"\x1b]0;title\x07 \x1b[2J \u202e žluťoučký")


def test_a_log_that_cannot_be_written_is_told(tmp_path, capsys):
    """A folder in its place ends with status 2 and what to do."""
    assert main(["rules", "--log", str(tmp_path)]) == 2
    assert "LANPLAY_LOG" in capsys.readouterr().err


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    """Two programs play a game with a password and a log; return their folders and logs."""
    place = tmp_path_factory.mktemp("logged")
    (place / "password").write_text("correct horse\n", encoding="utf-8")
    common = ["--interface", "127.0.0.1", "--auto", "random", "--json", "--quiet"]
    common += ["--password-file", str(place / "password")]

    def started(name, *arguments):
        data = ["--data", str(place / name), "--log", str(place / f"{name}.log"), "--name", name]
        return subprocess.Popen(
            [sys.executable, "-m", "lanplay", *arguments, *common, *data],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    host = started("ann", "host", "dice-town", "--seats", "2", "--people", "2")
    said = ""
    for line in host.stderr:
        said += line
        if found := re.search(r"127\.0\.0\.1:(\d+)", line):
            guest = started("ben", "join", f"127.0.0.1:{found[1]}")
            break
    for process in (guest, host):
        out, err = process.communicate()
        assert process.returncode == 0, said + err
        assert json.loads(out.splitlines()[-1])["scores"]
    return place


@pytest.mark.parametrize("name", ["ann", "ben"])
def test_the_log_of_a_game_tells_what_happened_and_nothing_secret(logged, name):
    """Links and phases are in it; keys, passwords, faces and answers are not: only known texts."""
    text = (logged / f"{name}.log").read_text(encoding="utf-8")
    found = entries(logged / f"{name}.log")
    for entry in found:
        assert any(re.fullmatch(pattern, entry) for pattern in KNOWN), entry
    assert sum(entry.startswith("phase ") for entry in found) > 50
    assert any(entry.startswith("a game of 2 peers") for entry in found)
    assert "horse" not in text
    seed = (logged / name / "identity.key").read_bytes()
    assert seed.hex() not in text
    assert not re.search(r"[0-9a-f]{16}", text)
    assert list((logged / name / "records").glob("*.private"))
