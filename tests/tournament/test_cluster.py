"""Tournaments on a Dask cluster, one worker of which is killed on the way."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from lanplay.errors import UserError
from lanplay.tournament.executor import cluster
from lanplay.tournament.plan import make_plan
from lanplay.tournament.storage import Goal
from tests.tournament.conftest import bytes_of, played

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="needs Dask")
ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
import os, signal, sys
from pathlib import Path
from distributed import LocalCluster
from lanplay.tournament.executor import cluster, local
from lanplay.tournament.plan import make_plan
from lanplay.tournament.running import begin
from lanplay.tournament.storage import Folder, Goal

class Killer:
    victim = None
    def __call__(self, games, of, faults):
        if games >= 20 and self.victim:
            os.kill(self.victim, signal.SIGKILL)
            self.victim = None
            print("killed", flush=True)

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1",
                      dashboard_address=None) as cluster_here:
        plan = make_plan("dice-town", ["random", "random", "random"], seats=2, seed=7)
        run = begin(plan, Goal(60), Folder(Path(sys.argv[1])))
        run.watcher = Killer()
        with cluster_here.get_client() as client:
            run.watcher.victim = next(iter(client.run(os.getpid).values()))
        run.play(cluster(cluster_here.scheduler_address))
        run.write(run.found())
        print("done", run.tally.games, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    """Two workers of a cluster, one killed in the middle: the bytes of a run in one process."""
    script = tmp_path / "clustered.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "run")],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split("\n")[:2] == ["killed", "done 120"], done.stderr
    plan = make_plan("dice-town", ["random", "random", "random"], seats=2, seed=7)
    alone = played(plan, tmp_path / "alone", Goal(60)).folder.path
    assert bytes_of(tmp_path / "run") == bytes_of(alone)


def test_no_scheduler_is_told(monkeypatch):
    """An address without a scheduler ends in a sentence."""
    with pytest.raises(UserError, match="No Dask scheduler"):
        cluster("nonsense://127.0.0.1:1")
