"""Games in which laptops are lost and come back, under every rule for lost seats.

    python -m tests.replica.absences [--from SEED] [--games N] [--seconds S]

Every game is a function of its seed, which is printed: a campaign goes on at any seed.
"""

from __future__ import annotations

from tests.byzantine.stand_ins import installed

if __name__ == "__main__":
    installed().__enter__()  # before the group is used by anybody, and for good

import argparse
import time
from dataclasses import replace
from weakref import WeakKeyDictionary

from lanplay.engine.chance import Chance
from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.deck import Deck
from lanplay_protocol.replica.events import AnswerNeeded, HandOpened, OpeningAsked, PhaseCompleted
from lanplay_protocol.replica.settings import ABSENT, PASS, PLAY, TableSettings
from tests.replica.harness import Table, roster

GAMES = {
    "charidice": {},
    "dice-town": {},
    "dogs-life": {"rounds": "10"},
    "fliptown": {"holdem": "each"},
}
GRACE = 3


class Thinking(Table):
    """A table at which the people in seats ``think`` do not answer until they are let."""

    def __post_init__(self):
        super().__post_init__()
        self.think, self.later = set(), []

    def handle(self, peer, output):
        asked = [e for e in output.events if isinstance(e, AnswerNeeded) and e.seat in self.think]
        self.later += [(peer, event) for event in asked]
        rest = tuple(event for event in output.events if event not in asked)
        super().handle(peer, replace(output, events=rest))

    def asks(self, peer):
        """Run until all wait for the person of one peer alone, who thinks."""
        self.think = {peer}

        def waits(table):
            lines = [replica.transcript for replica in table.replicas]
            asked = all(line.phase and not line.phase.prompt for line in lines)
            return asked and not table.queue and all(line.missing == {peer} for line in lines)

        self.run(waits, seconds=60)
        assert waits(self)

    def answer(self):
        """Let all answer who were thinking."""
        self.think.clear()
        self.queue.extend((peer, peer, event) for peer, event in self.later)
        self.later.clear()


LEARNED: WeakKeyDictionary[Deck, set[int]] = WeakKeyDictionary()
"""The cards of which each laptop has worked out the face."""


def _noted(faces):
    def note(deck, cards, shares):
        LEARNED.setdefault(deck, set()).update(cards)
        return faces(deck, cards, shares)

    return note


Deck.faces = _noted(Deck.faces)


class Absences(Thinking):
    """A table with an eye on what every laptop knows of the seats of others.

    ``agree`` are the peers whose people agree when they are asked. ``faults`` says what went wrong.
    """

    agree: frozenset[int] = frozenset()

    def __post_init__(self):
        super().__post_init__()
        self.faults: list[str] = []
        self.agreed: set[int] = set()

    def handle(self, peer, output):
        super().handle(peer, output)
        for event in output.events:
            if isinstance(event, OpeningAsked) and event.seats and peer in self.agree:
                self.agreed.add(peer)
                self.step(peer, inputs.OpenHands())
            if isinstance(event, PhaseCompleted):
                self.look(peer)

    def look(self, peer):
        """Note every hidden face of another person's seat that a laptop has come to know."""
        context, host_of = self.replicas[peer].context, self.roster.host
        came = {card for s, v in context.views.items() if host_of(s) == peer for card in v.own}
        for seat, view in context.views.items():
            host = host_of(seat)
            if host == peer or self.may_open(host):
                continue
            read = LEARNED.get(context.deck, set())  # not those that it followed while it mixed
            # nor those that were given to a seat of its own
            cards = view.own.keys() & read - context.referee.table.faces.keys() - came
            dice = view.cup and context.cups.owners.get(seat, peer) != peer  # or of an old roll
            if cards or dice:
                self.faults.append(f"peer {peer} sees {cards or view.cup} of seat {seat}")

    def may_open(self, host):
        """Tell whether every person but a lost one has agreed, at any time."""
        ahead = {p for p, r in enumerate(self.replicas) if r.openings.ahead}
        yes = self.agreed | (ahead if self.roster.settings.absent == PLAY else set())
        return self.roster.settings.absent != PASS and len(yes - {host}) >= self.roster.quorum


def played(seed: int) -> tuple[str, str]:
    """Play the game of a seed; return what it was, and what went wrong."""
    chance = Chance(b"absent %d" % seed)

    def below(limit, what):
        return chance.below(limit, what, ())

    game = sorted(GAMES)[below(len(GAMES), "game")]
    manifest = load(game).manifest
    absent = [each for each in ABSENT if each != PASS or manifest.passes]
    rule = absent[below(len(absent), "rule")]
    peers = min(3 + below(3, "peers"), manifest.seats[-1])
    settings = TableSettings(grace=GRACE, absent=rule)
    table = Absences(roster(peers, None, settings, load(game), **GAMES[game]), b"a%d" % seed)
    everybody = frozenset(range(peers))
    table.agree = everybody if below(2, "agree") else everybody - {below(peers, "dissents")}
    for replica in table.replicas:
        replica.openings.ahead = bool(below(4, "remembers"))
    table.start()
    lost = below(peers, "lost")
    ends = 8 + below(260, "phase")
    table.run(lambda t: t.replicas[lost].transcript.number >= ends, seconds=3000)
    how = ("kill", "leave", "links")[below(3, "how")]
    about = f"{seed}: {game} {rule} {peers} peers, {lost} lost by {how} in phase {ends}"
    if not table.replicas[lost].transcript.begun:
        return about, "the game did not begin"
    {
        "kill": lambda: table.kill(lost),
        "leave": lambda: table.step(lost, inputs.Leaving()),
        "links": lambda: table.disconnect(*table.pairs(lost)),
    }[how]()
    others = sorted(everybody - {lost})
    if below(2, "thinks"):
        table.think = {others[below(len(others), "thinker")]}
        table.run(seconds=2.5 * GRACE)
        table.answer()
    back = table.replicas[others[0]].transcript.number + below(200, "back")
    table.run(lambda t: t.replicas[others[0]].transcript.number >= back, seconds=3 * GRACE)
    if how == "kill" and below(4, "returns"):
        table.restart(lost, flushed=bool(below(2, "flushed")))
    elif how == "links":
        table.connect(*table.pairs(lost))
    table.run(Table.is_over, seconds=900)
    return about, "; ".join(wrong(table, others))


def wrong(table, others):
    """Yield what went wrong at a table."""
    yield from table.faults[:3]
    if not all(table.replicas[peer].over for peer in others):
        yield f"phases {[r.transcript.number for r in table.replicas]}: no end"
    if not table.plays_on([p for p in table.running if table.replicas[p].over]):
        yield "two ends"
    for peer in table.running:
        if accused := table.accused(peer):
            yield f"peer {peer} accuses {accused}"
    opened = {p for p in others if table.of(p, HandOpened)}
    if opened and opened != set(others):
        yield f"only {opened} tell of an opened hand"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=150)
    given = parser.parse_args()
    start, bad = time.monotonic(), 0
    for seed in range(given.first, given.first + given.games):
        if time.monotonic() - start > given.seconds:
            print(f"broken off before seed {seed}")
            break
        about, fault = played(seed)
        bad += bool(fault)
        print(about, "->", fault or "ok", flush=True)
    print(f"{bad} at fault")


if __name__ == "__main__":
    main()
