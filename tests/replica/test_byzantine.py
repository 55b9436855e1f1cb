"""Some schedules of the simulator: ``python -m tests.byzantine.run`` plays them for hours."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

GAMES = ("1", "6", "8")
"""Three games, of 3, 4 and 5 peers, with one or two liars."""
MOST = 18
"""Schedules of each: their number ends the test, not the time that a machine needs."""


@pytest.mark.timeout(1800)
def test_no_schedule_of_lies_and_faults_hurts_an_honest_peer():
    """None is convicted or loses its seat, verdicts agree, and every game goes on."""
    arguments = ("--games", *GAMES, "--most", str(MOST), "--seconds", "inf")
    command = (sys.executable, "-m", "tests.byzantine.run", *arguments)
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    played = re.search(r"^(\d+) schedules, 0 wrong", run.stdout, re.MULTILINE)
    assert played
    assert int(played[1]) >= MOST * len(GAMES)
