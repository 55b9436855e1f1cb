"""Whole games in memory while programs stand still and wake up: nobody is accused.

    python -m tests.replica.stalls --from 0 --seconds 600

One game a seed: of 2 to 4 peers one stands still, for any time, at any moment from the first
message to the last, in the middle of a view change too; in some games another one is killed. What
is sent to it waits in its sockets; after seven seconds the others hear that it is gone. Prints what
went wrong, with its seed; exit status 0 only if nothing did.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import Accused, ViewChanged
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.stand_ins import installed
from tests.replica.faults import LONG, steps
from tests.replica.harness import Table, roster

GAME = load("charidice")
SILENT = 7.0
LENGTHS = (0.7, 1.5, 3.0, 6.5, 9.0, 9.9, 10.5, 14.0, 44.0, 300.0)


class Standing(Table):
    """A table at which programs may stand still: nothing reaches them, and no time passes there."""

    def __post_init__(self):
        super().__post_init__()
        self.still = {}

    @property
    def running(self):
        return [peer for peer in super().running if peer not in self.still]

    def step(self, peer, given):
        if peer in self.still:
            self.still[peer].append(given)
        else:
            super().step(peer, given)

    def _deliver(self):
        held = [item for item in self.queue if item[1] in self.still]
        self.queue = type(self.queue)(item for item in self.queue if item[1] not in self.still)
        for sender, to, item in held:
            self.still[to].append((sender, to, item))
        if self.queue:
            super()._deliver()

    def stop(self, peer):
        """Let a program stand still."""
        self.still[peer] = []

    def lose(self, peer):
        """Let the others notice that nothing comes from a program that stands still."""
        for other in self.running:
            self.step(other, inputs.LinkDown(peer))
            self.down.add(frozenset((peer, other)))

    def wake(self, peer):
        """Let a program go on: it reads what waits, notices the gap, and finds its links gone."""
        waiting = self.still.pop(peer)
        gone = [other for other in self.running if frozenset((peer, other)) in self.down]
        for each in waiting:
            if isinstance(each, tuple):
                self.queue.append(each)
                self.queue.rotate(1)
                shuffle, self.shuffle_order = self.shuffle_order, False
                self._deliver()
                self.shuffle_order = shuffle
            else:
                self.step(peer, each)
        self.step(peer, inputs.Woken())
        for other in gone:
            self.step(peer, inputs.LinkDown(other))
        self.connect(*((peer, other) for other in gone if other != peer))


class Stall:
    """One game in which a program stands still. ``log`` says when, and for how long."""

    def __init__(self, seed):
        self.chance = chance = random.Random(seed)
        peers = chance.choice((2, 3, 3, 4))
        settings = TableSettings(grace=chance.choice((3, 8, 45)))
        peers_of = roster(peers, settings=settings, game=GAME)
        self.table = Standing(peers_of, seed=b"stall %d" % seed)
        self.victim, self.killed = chance.randrange(peers), None
        self.length = chance.choice(LENGTHS) * chance.uniform(0.9, 1.1)
        self.kills = peers > 2 and chance.random() < 0.4
        self.log = f"seed {seed}: {peers} peers, {self.victim} for {self.length:.1f} s"

    def play(self):
        """Play to the end; return what is wrong with it, or an empty string."""
        table, chance = self.table, self.chance
        table.start()
        steps(table, chance.choice((chance.randint(1, 60), chance.randint(60, 900))))
        if table.is_over():
            return self.wrong()
        if self.kills and chance.random() < 0.5:
            self.kill()
            steps(table, chance.randint(0, 60), chance.choice((0.5, 2.0, 6.0)))
        self.log += f" at {[r.transcript.number for r in table.replicas]}"
        table.stop(self.victim)
        first = min(self.length, SILENT)
        self.pass_by(first)
        if self.length > SILENT:
            table.lose(self.victim)
            if self.kills and self.killed is None and chance.random() < 0.5:
                self.kill()
            self.pass_by(self.length - first)
        table.wake(self.victim)
        table.run(lambda t: t.is_over(), seconds=LONG)
        return self.wrong()

    def kill(self):
        others = [p for p in range(len(self.table.replicas)) if p != self.victim]
        self.killed = self.chance.choice(others)
        self.log += f", {self.killed} killed"
        self.table.kill(self.killed, lost=self.chance.random() < 0.5)

    def pass_by(self, seconds):
        """Let time pass for the others, until it is time to go on."""
        table = self.table
        end = table.now + seconds
        while table.now < end:
            deadlines = [table.deadlines[peer] for peer in table.running]
            due = [each for each in deadlines if each is not None]
            if any(to not in table.still for _, to, _ in table.queue):
                table._deliver()
            elif due and max(table.now, min(due)) < end:
                table._wait()
            else:
                table.now = end

    def wrong(self):
        """Return what is wrong: somebody accused, somebody else given up, or no end."""
        table = self.table
        running = table.running
        for peer in range(len(table.replicas)):
            if table.of(peer, Accused):
                return f"{peer} accuses {table.of(peer, Accused)}"
            lost = {each for event in table.of(peer, ViewChanged) for each in event.lost}
            if not lost <= {self.victim, self.killed}:
                return f"{peer} gave up {sorted(lost)}"
        replicas = [table.replicas[peer] for peer in running]
        if any(r.halted and not r.transcript.begun for r in replicas):
            return ""  # the game had not begun: that is said, and a new table opened
        here = len(running) >= table.roster.quorum
        if here and not all(r.over for r in replicas):
            return f"hung at {[r.transcript.number for r in replicas]}"
        ends = {(r.context.transcript_hash, r.context.referee.table.hash()) for r in replicas}
        return "diverged" if here and len(ends) > 1 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--seconds", type=float, default=60.0)
    args = parser.parse_args()
    end, bad, seed = time.monotonic() + args.seconds, 0, args.first
    with installed():
        while time.monotonic() < end:
            stall = Stall(seed)
            if wrong := stall.play():
                bad += 1
                print(f"{wrong}: {stall.log}", flush=True)
            seed += 1
    print(f"{seed - args.first} games from {args.first}, the next is {seed}: {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
