"""Restart a peer from its journal cut off at every index of whole games, and answer otherwise.

    python -m tests.byzantine.cut_back --games charidice dice-town --seeds 3

A disk that said that it had written, and had not, makes a program forget what it signed. Whatever
it forgot, no honest peer may be convicted, and the game goes on. The journal loses between one
entry and all of them; what the program had sent just before it died arrives, or does not.
"""

from __future__ import annotations

from tests.byzantine.stand_ins import installed

if __name__ == "__main__":
    installed().__enter__()  # before the group is used by anybody, and for good

import argparse
import sys
from collections import defaultdict

from lanplay.games import load
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.run import in_a_copy
from tests.replica.harness import Table, Walker, roster

LOST = (1, 2, 3, 1, 5, 2, 8, 30, 1, 1 << 20)
"""Entries that the journal loses."""
ON = 5
"""Phases that must follow."""
VICTIM = 1


def sweep(game, seed, peers=3, every=1, first=0):
    """Cut at every so many-th index of a whole game; return how many, and what went wrong."""
    settings = TableSettings(grace=20)
    whole = Table(roster(peers, game=load(game), settings=settings), seed=seed)
    whole.start()
    whole.run(seconds=30_000)
    length = len(whole.kept(VICTIM))
    due = defaultdict(list)
    for index in range(first, length, every):
        due[min(length - 1, index + LOST[index % len(LOST)])].append(index)
    table = Table(roster(peers, game=load(game), settings=settings), seed=seed)
    table.start()
    faults = []
    for at, indices in sorted(due.items()):
        table.run(lambda t, at=at: len(t.kept(VICTIM)) >= at, seconds=30_000)
        for index in indices:
            found = in_a_copy(lambda index=index: {"faults": cut(table, index)})["faults"]
            faults += [f"{game} {seed!r} at {index} of {at}: {each}" for each in found]
    return sum(map(len, due.values())), faults


def cut(table, index):
    """Kill the victim, cut its journal, and go on; return what went wrong."""
    kept = table.kept(VICTIM)[:index]
    table.kill(VICTIM, lost=bool(index % 2))
    table.run(lambda t: not t.dying, seconds=1)
    table.disks[VICTIM] = [(kept, True)]
    table.walkers[VICTIM] = Walker(b"otherwise %d" % index)
    try:
        table.restart(VICTIM)
    except ValueError:
        table.restart(VICTIM, incomplete=True)
    everybody = range(len(table.replicas))
    goal = max(r.transcript.number for r in table.replicas) + ON

    def on(peer):
        replica = table.replicas[peer]
        return replica.over or replica.transcript.number >= goal

    table.run(lambda t: all(map(on, everybody)), seconds=200)
    faults = [f"{p} convicts {table.accused(p)}" for p in everybody if table.accused(p)]
    if not all(map(on, everybody)):
        faults.append(f"stands at {[r.transcript.at for r in table.replicas]}, {goal} was due")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=["charidice", "fliptown", "dice-town"])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--peers", type=int, default=3)
    args = parser.parse_args()
    wrong = []
    for seed in range(args.seeds):
        for game in args.games:
            count, faults = sweep(game, b"cut back %d" % seed, args.peers)
            print(f"{game}, seed {seed}: {count} cuts, {len(faults)} wrong", flush=True)
            print(*faults[:20], sep="\n", flush=True)
            wrong += faults
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
