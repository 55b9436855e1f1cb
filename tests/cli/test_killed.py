"""``lanplay play`` that is killed anywhere goes on with ``lanplay resume``."""

from __future__ import annotations

import json
import os
import signal
from random import Random

import pytest

from lanplay.cli import main
from tests.cli.test_resume import journal_of, result, started

COMMON = ("--auto", "steady", "--json")


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")
@pytest.mark.parametrize("seed", range(4))
def test_a_local_game_that_is_killed_goes_on(seed, tmp_path):
    """kill -9 with some of it on disk: it comes to an end, which its record leads to."""
    size = Random(seed).randrange(2_000, 150_000)
    played = started(tmp_path, "play", "dice-town", "--seats", "5", common=COMMON)
    try:
        assert journal_of(tmp_path, size).exists()
        os.kill(played.pid, signal.SIGKILL)
    finally:
        played.kill()
        played.communicate()
    again = result(started(tmp_path, "resume", common=COMMON))
    assert not list((tmp_path / "games").iterdir())
    record = again["record"]
    assert main(["replay", record, "--json"]) == 0
    assert len(again["scores"]) == 5


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")
def test_what_was_answered_before_the_kill_stays_answered(tmp_path, capsys):
    """A person's answer that was taken is on the disk: the record begins with it."""
    played = started(tmp_path, "play", "charidice", "--seats", "2", common=COMMON)
    try:
        path = journal_of(tmp_path, 8_000)
        os.kill(played.pid, signal.SIGKILL)
    finally:
        played.kill()
        played.communicate()
    assert main(["resume", "--list", "--data", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert path.name in told
    again = result(started(tmp_path, "resume", common=COMMON))
    assert json.loads(json.dumps(again))["record"]
