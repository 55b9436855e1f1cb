"""Whole games in memory while connections break and programs end and come back, from a seed."""

from __future__ import annotations

import random

from lanplay.games import load
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.drawn_tables import drawn_table
from tests.replica.harness import Table

PEERS = (3, 4, 4, 4, 5)
GAMES = ("dice-town", "charidice", "fliptown", "dogs-life")
LONG = 900.0
"""Seconds of a table's own time that a game may take once all is well."""


def steps(table, count, seconds=3000.0):
    """Deliver so many messages, or let so much time pass."""
    left = [count]

    def enough(_):
        left[0] -= 1
        return left[0] < 0

    table.run(enough, seconds=seconds)


class Faults:
    """One game and what happens to it. ``log`` says what did."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        peers = self.chance.choice(PEERS)
        settings = TableSettings(grace=self.chance.choice((3, 5, 8)))
        game = load(self.chance.choice(GAMES))
        drawn = drawn_table(game, min(peers, max(game.seats)), settings, self.chance.randrange)
        self.table = Table(drawn, seed=b"faults %d" % seed)
        self.log = [f"seed {seed}, {game.name}, {len(drawn.peers)} peers, {len(drawn.names)} seats"]

    def play(self):
        """Play to the end; return what is wrong with it, or an empty string."""
        table = self.table
        table.start()
        steps(table, self.chance.randint(1, 700))
        table.run(lambda t: all(r.transcript.begun for r in t.replicas))
        for _ in range(self.chance.randint(1, 5)):
            self._happen()
            steps(table, self.chance.randint(1, 500), self.chance.choice((1.0, 3.0, 12.0, 60.0)))
        for peer in sorted(table.dead):
            table.restart(peer)
        table.connect(*map(tuple, table.down))
        table.run(lambda t: t.is_over(), seconds=LONG)
        return wrong(table)

    def _happen(self):
        table, chance = self.table, self.chance
        alive = [p for p in range(len(table.replicas)) if p not in table.dead]
        what = chance.choice(("kill", "kill", "part", "link", "restart", "restart", "heal"))
        phases = [replica.transcript.number for replica in table.replicas]
        if what == "kill" and len(alive) > 1:
            peer = chance.choice(alive)
            self.log.append(f"kill {peer} at {phases}")
            table.kill(peer, lost=chance.random() < 0.5)
        elif what == "part":
            sides = [chance.randint(0, 2) for _ in table.replicas]
            pairs = [(a, b) for b in range(len(sides)) for a in range(b) if sides[a] != sides[b]]
            self.log.append(f"parts {sides} at {phases}")
            table.disconnect(*pairs)
        elif what == "link":
            pair = chance.sample(range(len(table.replicas)), 2)
            self.log.append(f"link {pair} at {phases}")
            table.disconnect(pair)
        elif what == "restart" and table.dead:
            peer = chance.choice(sorted(table.dead))
            self.log.append(f"restart {peer} at {phases}")
            table.restart(peer, flushed=chance.random() < 0.5)
        elif what == "heal":
            self.log.append(f"heal at {phases}")
            table.connect(*(pair for pair in map(tuple, table.down) if not set(pair) & table.dead))


def wrong(table):
    """Return what is wrong with a table whose game should have ended; empty if nothing is."""
    running = [p for p in range(len(table.replicas)) if p not in table.dead]
    replicas = [table.replicas[peer] for peer in running]
    if any(replica.halted for replica in replicas):
        return "held"
    if not all(replica.over for replica in replicas):
        return f"hung at {[replica.transcript.number for replica in replicas]}"
    if any(table.accused(peer) for peer in running):
        return f"somebody was accused: {[table.accused(peer) for peer in running]}"
    # whom all finals had reached before it was lost has another end than who left it out: a limit
    ends = {(r.transcript.bases[-2], r.context.referee.table.hash()) for r in replicas}
    return "" if len(ends) == 1 else "diverged"
