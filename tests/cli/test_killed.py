"""``lanplay play`` that is killed anywhere goes on with ``lanplay resume``."""

from __future__ import annotations

import os
import signal
from random import Random

import pytest

from lanplay.cli import main
from tests.cli.test_resume import journal_of, result, started

COMMON = ("--auto", "steady", "--json")


@pytest.mark.sweep(2)
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")
@pytest.mark.parametrize("seed", range(2))
def test_a_local_game_that_is_killed_goes_on(seed, tmp_path):
    """kill -9 with some of it on disk: it comes to an end, which its record leads to."""
    size = Random(seed).randrange(2_000, 120_000)
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
