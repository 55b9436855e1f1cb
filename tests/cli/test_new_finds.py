"""Odd files and folders that a command calls a fault of lanplay."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.engine.record import load


@pytest.fixture(autouse=True)
def _logs(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_a_review_of_a_record_whose_seed_is_another_is_refused(tmp_path, capsys):
    """Replay holds it for sound, and what is worked out from its seed is then not what was played.

    A stranger's file ends in a sentence, not in a fault of lanplay.
    """
    said = ["--games", "1", "--seed", "1", "--bot", "casual", "--record", str(tmp_path)]
    assert main(["simulate", "dogs-life", *said]) == 0
    record = load(tmp_path / "game-000001.lanplay")
    path = tmp_path / "other.lanplay"
    replace(record, header=replace(record.header, seed=b"y" * 32)).save(path)
    status = main(["replay", str(path), "--review"])
    assert status == 2, capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_a_folder_in_which_nothing_can_be_made_is_named(capsys):
    """The system says that there is no such file."""
    said = ["--games", "2", "--jobs", "1", "--quiet", "--out", "/proc/self/x"]
    status = main(["tournament", "charidice", "random", "beginner", *said])
    assert status == 2, capsys.readouterr().err
