#!/usr/bin/env python3
"""How long a peer takes to catch up when it comes back: seconds of its own work, by rounds missed.

    python scripts/bench_return.py --peers 5

Plays games in memory; one peer loses its connections, is cut off, and is connected again so many
rounds later. What it does from then until it is level with the others is timed: every message it
missed is verified, nothing that it had verified before. A second line times a restart from disk.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lanplay_protocol.replica.opening import OPENING
from lanplay_protocol.replica.settings import TableSettings  # needs the line above
from tests.replica.harness import Table, roster

BACK = 1


class Timed(Table):  # type: ignore[misc]  # the tests are not typed
    """A table that times what one peer does."""

    spent = 0.0

    def _deliver(self) -> None:
        self._timed(self.queue[0][1], super()._deliver)

    def _timed(self, peer: int, do: Any) -> None:
        began = time.perf_counter()
        do()
        if peer == BACK:
            self.spent += time.perf_counter() - began

    def level(self) -> bool:
        """Tell whether the peer has come as far as the others."""
        others = [r.transcript.number for p, r in enumerate(self.replicas) if p != BACK]
        return bool(self.replicas[BACK].transcript.number >= max(others) - 1)


def caught_up(peers: int, rounds: int, restart: bool) -> tuple[int, float]:
    """Return the phases missed and the seconds it took to catch up."""
    settings = TableSettings(grace=3, bot="random")
    table = Timed(roster(peers, 5, settings), seed=b"return", shuffle_order=False)
    table.start()
    table.run(lambda t: all(r.transcript.number >= OPENING for r in t.replicas))
    state = table.replicas[0].context.referee.table
    table.run(lambda _: state.round >= 2, seconds=600)
    table.kill(BACK) if restart else table.disconnect(*table.pairs(BACK))
    table.run(lambda _: state.round >= 2 + rounds, seconds=600)
    missed = table.replicas[0].transcript.number - table.replicas[BACK].transcript.number
    table.spent = 0.0
    began = time.perf_counter()
    if restart:
        table.restart(BACK)
        table.spent = time.perf_counter() - began
    else:
        table.connect(*table.pairs(BACK))
    table.run(lambda t: t.level(), seconds=60)
    return missed, table.spent


def main() -> int:
    """Print one line of JSON a gap."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--peers", type=int, default=5)
    args = parser.parse_args()
    for restart in (False, True):
        for rounds in (1, 2, 4):
            missed, seconds = caught_up(args.peers, rounds, restart)
            line = {"restart": restart, "rounds": rounds, "phases": missed, "seconds": seconds}
            print(json.dumps({**line, "seconds": round(seconds, 2)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
