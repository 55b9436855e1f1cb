"""What is left for the night: some cases of long sweeps, and tests that take long."""

from __future__ import annotations

import subprocess
import sys

import pytest

CASES = 18
"""Of the sweep over what kind of phase a peer is lost in."""
SWEEP = "tests/replica/test_cut.py::test_a_peer_lost_in_any_kind_of_phase_is_replaced"
LONG = "tests/project/test_compiled.py::test_compiled_modules_play_the_same_games"


@pytest.mark.parametrize(
    ("asked", "cases", "long"),
    [
        (("tests/replica/test_cut.py", "tests/project/test_compiled.py"), 5, 0),
        (("--all", "tests/replica/test_cut.py", "tests/project/test_compiled.py"), CASES, 1),
        ((SWEEP, LONG), CASES, 1),
    ],
)
def test_every_nth_case_of_a_sweep_runs_and_all_that_is_asked_for(asked, cases, long):
    command = (sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:xdist", *asked)
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert (told.count(SWEEP), told.count(LONG)) == (cases, long)
