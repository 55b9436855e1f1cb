"""Hashes of seeded tables: what their peers sent, kept and told, and where their games stand.

``python -m tests.replica.transcripts 200`` prints a line for each of so many tables. A change of
the protocol's code that is meant to change nothing leaves every line as it was. Their rosters name
no rules: a rewrite of rules that plays the same changes no line either.
"""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from typing import get_args

from lanplay.errors import Mistake
from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import Event
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import encode
from tests.replica.faults import Faults, steps
from tests.replica.harness import Table, parts, roster

GAMES = ("dice-town", "charidice", "fliptown", "dogs-life")
STEPS = 300
"""The most messages that are delivered between two things that happen to a table."""


class Hashed(Table):
    """A table that hashes what its replicas give: sent, kept and told, each in its order."""

    def __post_init__(self):
        self.given = [
            [blake2b(digest_size=16) for _ in range(3)] for _ in range(len(self.roster.peers))
        ]
        super().__post_init__()

    def handle(self, peer, output):
        sent, kept, told = self.given[peer]
        for envelope in output.send:
            sent.update(encode((envelope.to, envelope.body)))
        for entry in output.persist:
            kept.update(encode((entry, output.sync)))
        for event in output.events:
            told.update(encode(_told(event)))
        super().handle(peer, output)

    def digest(self):
        """Return a hash of all that this table's replicas gave, and of where they stand."""
        whole = blake2b(digest_size=12)
        for replica, given in zip(self.replicas, self.given, strict=True):
            for each in given:
                whole.update(each.digest())
            whole.update(encode((replica.transcript.number, len(replica.begun), replica.over)))
            whole.update(replica.context.transcript_hash + replica.context.referee.table.hash())
        return whole.hexdigest()


def _told(event):
    """Return an event as plain data that stays the same whatever its class is called."""
    plain = (int, str, bytes)
    fields = (getattr(event, name) for name in sorted(event.__slots__) if name != "kind")
    return get_args(Event).index(type(event)) + 2, [
        each for each in fields if isinstance(each, plain)
    ]


def _garbage(move):
    return parts(move, ("no such parts",))


def _other_past(move):
    return replace(move, state=bytes(32))


class Story(Faults):
    """One table of any game, what happens to it, and who cheats there."""

    def __init__(self, seed):
        self.chance = chance = random.Random(seed)
        game = load(GAMES[seed % len(GAMES)])
        seats = chance.choice(game.seats)
        seats = max(2, seats)
        peers = min(seats, chance.choice((2, 3, 4, 4, 5)))
        settings = TableSettings(grace=chance.choice((3, 5, 8)))
        bots = () if chance.random() < 0.5 else ("random",) * seats
        people = replace(roster(peers, seats, settings, game, bots), rules=bytes(16))
        offload = chance.random() < 0.3
        self.table = Hashed(people, b"transcript %d" % seed, offload=offload)
        self.log = []

    def play(self):
        """Play for a while; return the table's hash."""
        table, chance = self.table, self.chance
        table.start()
        steps(table, chance.randint(1, 60))
        table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
        if chance.random() < 0.5:
            self._cheat()
        for _ in range(chance.randint(2, 6)):
            steps(table, chance.randint(1, STEPS), chance.choice((1.0, 3.0, 12.0, 60.0)))
            chance.choice((self._happen, self._happen, self._person))()
        for peer in sorted(table.dead):
            table.restart(peer, incomplete=chance.random() < 0.3)
        table.connect(*map(tuple, table.down))
        steps(table, 3 * STEPS, 120.0)
        return table.digest()

    def _cheat(self):
        """Let one peer lie to some of the others, always or from time to time."""
        chance, peers = self.chance, range(len(self.table.replicas))
        cheat, victims = chance.choice(peers), set(chance.sample(peers, len(peers) // 2))
        how = chance.choice((None, None, _garbage, _other_past))
        first, often, twice = chance.randint(5, 60), chance.choice((1, 7)), chance.random() < 0.5

        def tamper(_, to, move):
            if move.phase < first or move.phase % often or to not in victims:
                return None
            return [] if how is None else [*([move] if twice else []), how(move)]

        self.table.tampers[cheat] = tamper

    def _person(self):
        """Let somebody do what a person may."""
        table, chance = self.table, self.chance
        alive = [peer for peer in range(len(table.replicas)) if peer not in table.dead]
        peer, other = chance.choice(alive), chance.randrange(len(table.replicas))
        given = chance.choice(
            (
                inputs.SkipWait(other),
                inputs.KeepWaiting(other),
                inputs.AwayChanged(frozenset(range(8))),
                inputs.AwayChanged(frozenset()),
                inputs.JournalFailed(),
                inputs.Leaving(),
                inputs.ContinueWithout(bytes([peer]) * 32),
            )
        )
        with suppress(Mistake):  # enough are here
            table.step(peer, given)


def transcript(seed):
    """Return the hash of the table of that seed."""
    return Story(seed).play()


if __name__ == "__main__":
    for each in range(int(sys.argv[1])):
        print(each, transcript(each), flush=True)
