"""Games in which laptops go and come back in phases of a drawn kind, with an eye on what seats see.

    python -m tests.replica.own_hands [--from SEED] [--seconds S]

Whatever view begins in whatever phase: the cards and dice that a seat sees are the true ones.
"""

from __future__ import annotations

import argparse
import random
import time

from lanplay.games import load
from lanplay_protocol.crypto.group import mul
from lanplay_protocol.crypto.proofs import powers_of
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import PhaseCompleted
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.settings import ABSENT, PASS, TableSettings
from lanplay_protocol.replica.threshold import ThresholdOpening
from tests.byzantine.stand_ins import installed
from tests.replica.faults import steps
from tests.replica.harness import Table, roster

GAMES = {"dice-town": {}, "dogs-life": {"rounds": "10"}, "fliptown": {"holdem": "each"}}
KINDS = ("MixPiles", "DealCards", "CommitPhase", "RevealPhase", "ShufflePiles", "Entropy", "Reveal")
LATER = ("SeatLottery", "Handover", "ThresholdOpening")
FAR = {"MixPiles": 200}


def kinds(phase):
    """Return the names of a phase, and of those that it stands for or came before."""
    inner = phase.inner if isinstance(phase, ThresholdOpening) else None
    pending = getattr(phase, "pending", None)
    below = [*(kinds(inner) if inner else ()), *(kinds(pending.phase) if pending else ())]
    return [type(phase).__name__, *below]


class Watched(Table):
    """A table that compares what every seat sees with what is so."""

    def __post_init__(self):
        super().__post_init__()
        self.faults = []

    def handle(self, peer, output):
        super().handle(peer, output)
        replica = self.replicas[peer]
        gone_on = any(isinstance(event, PhaseCompleted) for event in output.events)
        if gone_on and replica.transcript.number > SETUP and not replica.over:
            self.faults += self.mistaken(replica)

    def mistaken(self, replica):
        """Yield what a peer's seats see otherwise than it is, and what they lack."""
        context, deck, cups = replica.context, replica.context.deck, replica.context.cups
        where = f"peer {replica.me} at {replica.transcript.at}"
        for seat, view in context.views.items():
            for card in view.own.keys() & deck._masked.keys():
                if view.own[card] != self.face(deck, card):
                    yield f"{where}: seat {seat} takes card {card} for another"
        for seat in context.seating.of(replica.me) if replica.me in context.present else ():
            if seat in context.seating.handover_due or context.is_sealed(seat, replica.me):
                continue
            view, owner = context.views[seat], cups.owners.get(seat)
            if not set(deck.known(seat)) <= view.own.keys():
                yield f"{where}: seat {seat} does not see its cards"
            if owner is not None and replica.me in (owner, cups.seen.get(seat)):
                key = self.replicas[owner].context.key
                if view.cup != tuple(cups.face(mul(key.x, base)) for base in cups.bases(seat)):
                    yield f"{where}: seat {seat} sees other dice"

    def face(self, deck, card):
        shares = {r.me: powers_of(r.context.key, deck.bases([card])) for r in self.replicas}
        return deck.faces([card], shares)[0]


class Game:
    """One game and what happens to it. ``log`` says what did."""

    def __init__(self, seed):
        self.chance = chance = random.Random(seed)
        game = load(chance.choices([*GAMES], (3, 1, 1))[0])
        absent = chance.choice([a for a in ABSENT if a != PASS or game.manifest.passes])
        most = game.manifest.seats[-1]
        peers = chance.randint(3, most)
        seats, settings = chance.randint(peers, most), TableSettings(grace=3, absent=absent)
        made = roster(peers, seats, settings, game, **GAMES[game.name])
        self.table = Watched(made, b"own %d" % seed, offload=chance.random() < 0.6)
        self.log = [f"seed {seed}, {game.name}, {peers} peers, {seats} seats, {absent}"]

    def play(self):
        """Play for a while; return what is wrong with it."""
        table, chance = self.table, self.chance
        table.start()
        table.run(lambda t: all(r.transcript.begun for r in t.replicas), seconds=60)
        for _ in range(chance.randint(1, 4)):
            self._seek(KINDS)
            for _ in range(chance.randint(1, 3)):
                self._happen()
                self._seek(LATER)
            self._heal()
        goal = 20 + max(r.transcript.number for r in table.replicas)

        def gone_on(_):
            return all(r.over or r.transcript.number >= goal for r in table.alive)

        table.run(lambda t: t.faults or gone_on(t), seconds=900)
        accused = [f"{p} accuses {table.accused(p)}" for p in table.running if table.accused(p)]
        return [*table.faults, *accused, *(() if table.faults or gone_on(table) else ("hung",))]

    def _seek(self, wanted):
        """Go on until somebody is in a phase of a drawn kind, and a few messages further."""
        table, kind = self.table, self.chance.choice(wanted)
        one = table.replicas[self.chance.choice(table.running)]
        far = one.transcript.number + FAR.get(kind, 25)

        def there(t):
            phase, over = one.transcript.phase, one.transcript.number > far
            return t.faults or over or any(each.startswith(kind) for each in kinds(phase))

        table.run(there, seconds=15)
        steps(table, self.chance.choice((0, 1, 3, 8)))

    def _happen(self):
        table, chance = self.table, self.chance
        peer, what = chance.choice(table.running), chance.choice(("kill", "leave", "links", "heal"))
        self.log.append(f"{what} {peer} at {[r.transcript.at for r in table.replicas]}")
        if what == "heal":
            self._heal()
        elif what == "links":
            table.disconnect(*table.pairs(peer))
        elif len(table.running) > 1:
            if what == "leave":
                table.step(peer, inputs.Leaving())
            table.kill(peer, lost=chance.random() < 0.5)

    def _heal(self):
        table = self.table
        table.connect(*(tuple(pair) for pair in table.down if not pair & table.dead))
        for peer in sorted(table.dead):
            table.restart(peer, flushed=self.chance.random() < 0.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    end, seed, bad = time.monotonic() + given.seconds, given.first, 0
    with installed():
        while time.monotonic() < end:
            game = Game(seed)
            if wrong := game.play():
                bad += 1
                print("\n  ".join([*game.log, *wrong[:4]]), flush=True)
            seed += 1
    print(f"{seed - given.first} games, the next is {seed}: {bad} bad")


if __name__ == "__main__":
    main()
