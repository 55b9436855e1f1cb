#!/usr/bin/env python3
"""Whole games in memory in which programs end at every point, and come back: does any table suffer?

    python scripts/campaigns/survival.py exhaustive --jobs 2   each peer killed at every message
    python scripts/campaigns/survival.py random --games 2000 --jobs 2

``exhaustive`` plays one game of four peers and, before every message that any of them sends, leaves
it in the middle: before it is sent, after some have it, after all have. The survivors must end the
game with equal hashes; every tenth time the killed peer comes back and must agree with them.
``random`` draws kills, restarts (with or without the last writes), broken links and partitions, and
checks the record of one of the peers as ``lanplay verify`` does; with ``--file`` it can be broken
off, and goes on where it was. Needs os.fork. Prints every game that went wrong and one line of JSON
at the end.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if sys.platform == "win32":
    sys.exit("This needs os.fork, which Windows does not have.")

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lanplay.engine.record import Record, from_bytes
from lanplay.files import replace
from lanplay.games import load
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.settings import TableSettings  # needs the line above
from tests.replica.faults import LONG, Faults, wrong
from tests.replica.harness import Table, roster

PEERS = 4
STAGES = (0, 1, PEERS - 1)
"""How many of the others a message still reaches before its sender ends."""
BACK_EVERY = 10


class Forking(Table):  # type: ignore[misc]  # the tests are not typed
    """A table that a child process leaves at every message: there the sender is killed."""

    def play(self, jobs: int, part: int) -> Counter[str]:
        """Play the game to its end; return how the children ended."""
        self.found: Counter[str] = Counter()
        self._jobs, self._part, self._count = jobs, part, 0
        self._child = False
        self.start()
        self.run(lambda table: table.is_over(), seconds=LONG)
        return self.found

    def _post(self, peer: int, event: Any) -> None:
        if not self._child and self.replicas[peer].transcript.number >= SETUP:
            for stage in STAGES:
                self._count += 1
                if self._count % self._jobs == self._part and self._leave(peer, stage):
                    break
        super()._post(peer, event)

    def _leave(self, peer: int, stage: int) -> bool:
        """Fork; tell whether this is the child, in which the peer is about to end."""
        child = os.fork()
        if child:
            _, status = os.waitpid(child, 0)
            ended = ENDINGS[os.waitstatus_to_exitcode(status)]
            self.found[ended] += 1
            if sum(self.found.values()) % 200 == 0:
                print(f"{dict(self.found)} so far", file=sys.stderr, flush=True)
            if ended != "ok":
                print(f"{ended}: peer {peer}, message {self.sends[peer] + 1}, stage {stage}")
            return False
        self._child = True
        self.kill_at = (peer, self.sends[peer] + 1, stage)
        self._back = self._count % BACK_EVERY == 0
        return True

    def run(self, until: Any = lambda _: False, seconds: float = 60.0) -> None:
        """Run; a child ends its process here."""
        super().run(lambda table: until(table) or (self._child and self._finish()), seconds)
        if self._child:
            os._exit(self._ending())

    def _finish(self) -> bool:
        if self._back and self.dead and not self.dying and any(e for e in self._changed()):
            self._back = False
            self.restart(next(iter(self.dead)))
        return False

    def _changed(self) -> Iterator[bool]:
        return (bool(replica.begun) for replica in self.alive)

    def _ending(self) -> int:
        if all(replica.halted and not replica.transcript.begun for replica in self.alive):
            return 0  # the game had not begun: that is said, and a new table opened
        what = wrong(self)
        if what:
            print(what, flush=True)
        return next(n for n, name in enumerate(ENDINGS) if what.startswith(name)) if what else 0


ENDINGS = ("ok", "held", "hung", "somebody was accused", "diverged", "raised")
UNVERIFIED = "unverified"
"""How a game ends whose record does not hold."""


def exhaustive(job: tuple[int, int]) -> Counter[str]:
    """Play one part of the exhaustive campaign."""
    jobs, part = job
    table = Forking(roster(PEERS, settings=TableSettings(grace=3)), seed=b"survival")
    try:
        return table.play(jobs, part)
    except Exception:
        if table._child:
            os._exit(ENDINGS.index("raised"))
        raise


def unverified(table: Table, peer: int) -> str:
    """Return what is wrong with the record that a peer has of a whole game; empty if nothing is."""
    replica = table.replicas[peer]
    referee = replica.context.referee
    state = (tuple(referee.history), referee.table.hash(), replica.over)
    record = from_bytes(Record(table.roster.header, *state, extra=replica.proof).to_bytes())
    report = check_record(load(table.roster.game), record)
    if report.finding is None and report.ended:
        return ""
    return f"{UNVERIFIED} of {peer}: {report.finding or 'it has no end'}"


def random_game(seed: int) -> str:
    """Play one game of the random campaign."""
    faults = Faults(seed)
    what: str = faults.play() or unverified(faults.table, seed % len(faults.table.replicas))
    if what:
        print(f"{what}: {faults.log}", flush=True)
    return what.split(" ")[0] or "ok"


def main() -> int:
    """Run a campaign; exit status 0 only if every game was fine."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("kind", choices=["exhaustive", "random"])
    parser.add_argument("--games", type=int, default=2000, help="of the random campaign")
    parser.add_argument("--seed", type=int, default=0, help="of its first game")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf, help="of the random campaign")
    parser.add_argument("--file", type=Path, help="keeps the random campaign, and goes on from it")
    args = parser.parse_args()
    began = time.monotonic()
    state: dict[str, Any] = {"next": args.seed, "seconds": 0, "games": {}}
    if args.file is not None and args.file.exists():
        state = json.loads(args.file.read_text(encoding="utf-8"))
    found: Counter[str] = Counter(state["games"])
    with multiprocessing.Pool(args.jobs) as pool:
        if args.kind == "exhaustive":
            parts = [(args.jobs, part) for part in range(args.jobs)]
            for each in pool.imap_unordered(exhaustive, parts):
                found += each
        else:
            seeds = range(state["next"], args.seed + args.games)
            for seed, ended in zip(seeds, pool.imap(random_game, seeds), strict=True):
                found[ended] += 1
                seconds = state["seconds"] + round(time.monotonic() - began)
                kept = {"next": seed + 1, "seconds": seconds, "games": dict(found)}
                if args.file is not None:
                    replace(args.file, json.dumps(kept).encode())
                if found.total() % 50 == 0:
                    print(f"{dict(found)} so far", file=sys.stderr, flush=True)
                if time.monotonic() - began > args.seconds:
                    pool.terminate()
                    break
    seconds = state["seconds"] + round(time.monotonic() - began)
    print(json.dumps({"kind": args.kind, "seconds": seconds, "games": dict(found)}))
    return 0 if set(found) == {"ok"} else 1


if __name__ == "__main__":
    sys.exit(main())
