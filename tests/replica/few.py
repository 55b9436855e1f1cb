"""Tables in memory at which laptops die, stand still and come back until a quorum is left.

    python -m tests.replica.few [--from SEED] [--seconds S]

One game a seed: of 3 to 6 peers some are killed, started again, stand still or lose a link, while
people think or not. In the end a quorum runs, and at least that reaches each other; the others may
be gone for good. The table must go on, as in the honest cases of ``tests.model``. Nobody is
accused, and who was always there keeps its seat as long as a quorum was.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from lanplay.games import load
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.faults import steps
from tests.replica.harness import Table, roster
from tests.replica.stalls import Standing

SMALL, LARGE = load("charidice"), load("dogs-life")
QUIET = 8
"""Phases that must follow, or the end of the game."""
PATIENCE = 400.0
"""Seconds of the table's own time in which they must."""
TIMES = (0.0, 0.5, 2.0, 4.0, 6.0, 9.0, 11.0, 20.0)


class Thinning(Standing, Thinking):
    """A table at which programs die or stand still, and people think."""


class Few:
    """One game and what happens to it. ``log`` says what did."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        self.peers = chance.choice((3, 4, 5, 5, 5, 6))
        settings = TableSettings(grace=chance.choice((3, 5, 8, 15)))
        small = self.peers <= max(SMALL.seats)
        rules = {"game": SMALL} if small else {"game": LARGE, "rounds": "10"}
        who = roster(self.peers, settings=settings, **rules)
        self.table = Thinning(who, seed=b"few %d" % seed)
        self.quorum = self.table.roster.quorum
        self.touched: set[int] = set()
        self.few = False
        self.log = [f"seed {seed}, {self.peers} peers, grace {settings.grace}"]

    def play(self) -> str:
        """Play to the end; return what is wrong with it, or an empty string."""
        table, chance = self.table, self.chance
        table.start()
        table.run(lambda t: all(r.transcript.begun for r in t.replicas))
        steps(table, chance.randint(1, 120))
        for _ in range(chance.randint(1, 6)):
            self._happen()
            self._pass()
        self._settle()
        self.goal = QUIET + max(r.transcript.number for r in table.replicas)
        table.run(self._gone_on, seconds=PATIENCE)
        return self._wrong()

    def _gone_on(self, table: Table) -> bool:
        return all(r.over or r.transcript.number >= self.goal for r in table.alive)

    def _say(self, what: str) -> None:
        phases = [r.transcript.number for r in self.table.replicas]
        self.log.append(f"{self.table.now:.1f} {what} at {phases}")

    def _pass(self) -> None:
        """Let so many things happen, or so much time pass."""
        steps(self.table, self.chance.choice((20, 60, 120)), self.chance.choice(TIMES))

    def _happen(self) -> None:
        table, chance = self.table, self.chance
        dead, still = sorted(table.dead), sorted(table.still)
        runs = [p for p in table.running if not table.replicas[p].over]
        what = chance.choice(("kill", "kill", "kill", "restart", "stall", "wake", "link", "think"))
        if what == "kill" and len(runs) > 1:
            self._say(f"kill {(peer := chance.choice(runs))}")
            table.kill(peer, lost=chance.random() < 0.5)
            self.touched.add(peer)
        elif what == "restart" and dead:
            self._restart(chance.choice(dead))
        elif what == "stall" and len(runs) > 1:
            self._say(f"stall {(peer := chance.choice(runs))}")
            table.stop(peer)
            self.touched.add(peer)
            if chance.random() < 0.5:
                table.lose(peer)
        elif what == "wake" and still:
            self._wake(chance.choice(still))
        elif what == "link" and len(runs) > 1:
            pair = chance.sample(runs, 2)
            self._say(f"link {pair}")
            table.disconnect(pair)
            self.touched |= set(pair)
        elif what == "think" and runs:
            table.think = {chance.choice(runs)}
            self._say(f"think {table.think}")
        self.few |= len(table.running) < self.quorum

    def _restart(self, peer: int) -> None:
        self._say(f"restart {peer}")
        self.table.restart(peer, flushed=self.chance.random() < 0.5)

    def _wake(self, peer: int) -> None:
        self._say(f"wake {peer}")
        self.table.wake(peer)

    def _settle(self) -> None:
        """Let a quorum run and reach each other; people answer."""
        table, chance = self.table, self.chance
        for peer in sorted(table.still):
            self._wake(peer)
            self._pass()
        stay = chance.randint(0, self.peers - self.quorum)
        for peer in sorted(table.dead, key=lambda _: chance.random())[stay:]:
            self._restart(peer)
            self._pass()
        table.connect(*(pair for pair in map(tuple, table.down) if not set(pair) & table.dead))
        self._pass()
        self._say("all well")
        table.answer()

    def _wrong(self) -> str:
        table = self.table
        replicas = [table.replicas[peer] for peer in table.running]
        for peer in range(self.peers):
            if table.accused(peer):
                return f"{peer} accuses {table.accused(peer)}"
            lost = {each for event in table.of(peer, ViewChanged) for each in event.lost}
            if not self.few and not lost <= self.touched:
                return f"{peer} gave up {sorted(lost)}"
        if not self._gone_on(table):
            where = [(r.transcript.view, r.transcript.number) for r in table.replicas]
            return f"hung at {where}"
        lines = [dict(enumerate(r.transcript.moves[:-1])) for r in replicas]
        same = all(one[n] == two[n] for one in lines for two in lines for n in one.keys() & two)
        return "" if same else "diverged"


def played(seed: int) -> tuple[str, str]:
    """Play the game of a seed; return what it was, and what went wrong."""
    game = Few(seed)
    fault = game.play()
    return "\n  ".join(game.log), fault


def main() -> int:
    """Play seeds until the time is over; print those that went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    end, bad, seed = time.monotonic() + given.seconds, 0, given.first
    with installed():
        while time.monotonic() < end:
            about, fault = played(seed)
            if fault:
                bad += 1
                print(f"{fault}: {about}", flush=True)
            seed += 1
    print(f"{seed - given.first} games from {given.first}, the next is {seed}: {bad} bad")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
