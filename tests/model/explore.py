"""Play games with liars at random, shrink what goes wrong, and show that every rule is needed.

    python -m tests.model.explore run --seconds 600 [--from 0] [--case NAME]
    python -m tests.model.explore run --case five --from 59 --seeds 1 [--off RULE]
    python -m tests.model.explore rules [--seconds 30] [--off RULE]

A seed is a game of a case: the same whenever it is played, so that a search goes on where it ended.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tests.model.invariants import broken, quiet
from tests.model.liars import Lie, lies
from tests.model.peer import Peer
from tests.model.statements import FAKE, Rule
from tests.model.world import Case, Event, World

HOWS = ("", " holding its own", " holding another", " from the start", " ahead", " elsewhere")
KINDS = (
    *("move", "other move", "invalid", "past of nothing", "false show", "bad part", "empty"),
    *("other past", "late invalid", "ahead", "again", "complaint"),
    *(f"{kind}{how}" for kind in ("join", "attempt", "back") for how in HOWS),
)
FAREWELLS = ("farewell", "farewell shown")
FREE = {"move", "back", "again", "join", "farewell shown"}
"""What an honest peer might say too: any number of it."""
STEPS = 700
"""A game that has not ended then never does; fewer honest peers than a quorum may ask for ever."""
PATIENCE = 10_000
"""How many steps are replayed to shrink a counterexample."""
CASES = (
    Case("bad-to-one", 3, (2,)),
    Case("person", 4, (3,), phases=1, person=0, lies=3),
    Case("two-liars", 3, (0, 2), lies=8),
    Case("crash", 3, (2,), crashes=1, lies=4),
    Case("stall", 3, (2,), stalls=2, lies=4),
    Case("long", 3, (0,), phases=4, person=1, lies=8),
    Case("crash-person", 4, (1,), phases=3, crashes=1, stalls=1, person=1),
    Case("two-of-four", 4, (0, 3), person=1, lies=8),
    Case("nobody-lies", 4, crashes=2, stalls=2, person=1),
    Case("split", 3, (1,), split=True, phases=3),
    Case("two", 2, crashes=2, stalls=2, phases=3),
    Case("two-one-lies", 2, (1,), lies=4),
    Case("five", 5, (4,), crashes=2, stalls=1, lies=4),
    Case("five-two-lie", 5, (1, 3), lies=6),
    Case("five-two-crash", 5, crashes=2, stalls=2, breaks=2),
    Case("links", 4, (2,), breaks=1, lies=4),
    Case("returns", 3, (2,), lies=0),
    Case("often-gone", 3, crashes=4, stalls=4),
    Case("split-four", 4, (1,), split=True, phases=3),
    Case("five-two-die", 5, dies=2, stalls=2, phases=3),
    Case("four-one-dies", 4, (3,), dies=1, stalls=1, lies=4),
    Case("five-two-lie-crash", 5, (1, 3), crashes=1, lies=6),
    Case("four-told", 4, (3,), crashes=1, lies=2),
    Case("leave", 3, leaves=3, crashes=1),
    Case("leave-one-lies", 3, (2,), leaves=2, crashes=1, lies=4),
    Case("four-leave", 4, (3,), leaves=2, stalls=1, lies=4),
    Case("five-leave", 5, leaves=3, dies=2, crashes=1),
    Case("five-leave-one-lies", 5, (4,), leaves=3, dies=1, lies=4),
    Case("five-leave-two-lie", 5, (1, 3), leaves=3, lies=6),
    Case("six-leave-two-lie", 6, (4, 5), leaves=2, lies=4),
    Case("turns", 3, (2,), phases=6, turns=True, lies=4),
    Case("turns-four", 4, (1,), phases=5, turns=True, person=2, stalls=1, lies=4),
    Case("turns-two-of-four", 4, (0, 2), phases=5, turns=True, lies=6),
    Case("turns-two-of-five", 5, (1, 3), phases=6, turns=True, crashes=1, lies=6),
    Case("turns-nobody-lies", 5, phases=7, turns=True, crashes=2, stalls=2, leaves=1, person=1),
)
NEEDED = {
    Rule.E1: ("two-liars", 0),
    Rule.E2: ("five-two-lie", 4),
    Rule.E3: ("two-one-lies", 71),
    Rule.UNSAID: ("person", 1),
    Rule.E4: ("five-two-lie", 4),
    Rule.E4_FALSE: ("five-two-lie", 2),
    Rule.E5: ("two-one-lies", 16),
    Rule.E6: ("two-liars", 143),
    Rule.ONE_LINE: ("split", 22),
    Rule.SLOT: ("two-liars", 382),
    Rule.REFS: ("two-one-lies", 25),
    Rule.COMPLAINT_CARRIES: ("split-four", 492),
    Rule.KEEP: ("five-leave-two-lie", 3),
    Rule.PROOF_FIRST: ("five-two-lie", 1),
    Rule.GREETING: ("split", 23),
    Rule.RELAY: ("nobody-lies", 0),
    Rule.ASKED_PAST: ("turns", 1023),
    Rule.ENDED: ("person", 155),
    Rule.QUORUM: ("split-four", 0),
    Rule.ALL_SIGN: ("person", 0),
    Rule.PROMISE: ("person", 0),
    Rule.FURTHEST: ("crash", 0),
    Rule.OPINION: ("stall", 0),
    Rule.NUMBER: ("five", 0),
    Rule.LEFT_FEW: ("split", 0),
    Rule.ASK_AGAIN: ("stall", 1514),
    Rule.DEBT: ("five", 26),
    Rule.PAID_BY_JOINING: ("four-told", 15),
    Rule.PAID_BY_CARRY: ("turns-two-of-five", 5),
    Rule.OLDEST: ("five-two-crash", 2),
    Rule.CARRIED: ("leave", 0),
    Rule.FINALS: ("nobody-lies", 0),
    Rule.FINALS_STAND: ("person", 42),
    Rule.MERCY: ("five-two-die", 12),
    Rule.FOLLOW_MERCY: ("five-two-crash", 20009),
    Rule.PERSON: ("person", 461),
    Rule.OWN_STALL: ("four-leave", 51),
    Rule.JOURNAL: ("crash", 0),
    Rule.AGREED: ("turns-two-of-five", 5),
    Rule.BUDGET: ("returns", 227),
    Rule.POSITION: ("crash-person", 25),
    Rule.MISSING: ("nobody-lies", 1),
    Rule.TOGETHER: ("five-two-die", 2930),
    Rule.WHOEVER: ("split", 0),
    Rule.PASSED_ON: ("four-told", 30),
    Rule.OWN_COUNTS: ("four-leave", 196),
    Rule.SIGNED_SINCE: ("four-leave", 8),
    Rule.TAKEN_BACK: ("leave-one-lies", 3),
    Rule.ALONE: ("leave-one-lies", 119),
    Rule.FORGIVEN: ("six-leave-two-lie", 96),
}
"""For each rule a case and a seed that go wrong without it (made by ``rules``)."""
COVERED = frozenset({Rule.OLDEST, Rule.AGREED, Rule.PASSED_ON, Rule.FOLLOW_MERCY})
"""Rules without which a game goes wrong only where ``BACKED`` is off as well: it makes good for
them."""
SPARE = frozenset({Rule.BACKED, Rule.NEWEST, Rule.WITH_OTHERS})
"""Rules of which no game was found that needs one of them alone."""


class Found(NamedTuple):
    """How a game went: what was wrong, if anything, and by which steps."""

    wrong: str
    end: str
    steps: tuple[str, ...]


class Game:
    """One game, played by a seed or along given steps."""

    def __init__(self, case: Case, off: frozenset[Rule] = frozenset()) -> None:
        self.world = World(case, off)
        self.steps: list[str] = []

    def pairs(self) -> list[tuple[int, Peer]]:
        """Return each liar with each honest peer that still listens."""
        w = self.world
        return [(liar, p) for p in w.running() if p.done == FAKE for liar in w.case.liars]

    def lies(
        self,
        pairs: Sequence[tuple[int, Peer]],
        kinds: frozenset[str] = frozenset({*KINDS, *FAREWELLS}),
    ) -> dict[str, list[Event]]:
        """Return what some liars may hand to some peers now, by kind."""
        w, found = self.world, dict[str, list[Event]]()
        for liar, p in pairs:
            for kind, said in lies(w, liar, p):
                cost = int(kind not in FREE)
                fits = kind in kinds and cost <= w.left["lies"]
                if fits and not w.book.find(said) & p.known:
                    found.setdefault(kind, []).append(Event("is told", p.me, Lie(said, cost)))
        return found

    def label(self, event: Event) -> str:
        """Return an event's words, by which it is found again in a replay."""
        kind, me, what = event
        book = self.world.book
        if kind == "gets":
            what = book.name(what)
        elif kind == "is told":
            what = book.words(what.said)
        elif kind in ("asks all", "suspects"):
            debts = [f"{who} for {v}.{k}" for who, v, k in what] if kind == "suspects" else []
            what = ", ".join(debts)
        elif kind in ("misses", "leaves", "leaves for good"):
            what = ", ".join(map(str, what))
        return " ".join(str(word) for word in (me, kind, what) if word not in (None, ""))

    def do(self, event: Event) -> str:
        """Let an event happen; return what is wrong then."""
        self.steps.append(self.label(event))
        self.world.do(event)
        return self.judge()

    def judge(self) -> str:
        """Return what is wrong now, if anything."""
        if wrong := next(broken(self.world), ""):
            return wrong
        state = "" if self.world.own() else quiet(self.world)
        return state if state.startswith("WRONG") else ""

    def endless(self) -> Found:
        """Return how a game went that is broken off."""
        few = len(self.world.running()) < self.world.book.quorum
        wrong = "" if few else f"no end after {STEPS} steps"
        return Found(wrong, quiet(self.world) if few else "", tuple(self.steps))


def walk(case: Case, seed: int, off: frozenset[Rule] = frozenset()) -> Found:
    """Play one game at random, with liars that strike often or seldom."""
    rng, game = random.Random(f"{case.name} {seed}"), Game(case, off)
    w, often = game.world, rng.choice((0.05, 0.15, 0.3, 0.6, 0.95))
    kinds = frozenset(k for k in KINDS if rng.random() < (0.8 if k in FREE else 0.5))
    leave = random.Random(f"{case.name} {seed} farewells")
    kinds |= {k for k in FAREWELLS if leave.random() < 0.5}
    slow = {me for me in w.peers if rng.random() < 0.25}
    while len(game.steps) < STEPS:
        own = w.own()
        events = _strike(game, rng, kinds) if not own or rng.random() < often else own
        if not (events := events or own):
            return Found("", quiet(w), tuple(game.steps))
        fast = [e for e in events if e.peer not in slow]
        event = rng.choice(fast if fast and rng.random() < 0.9 else events)
        if wrong := game.do(event):
            return Found(wrong, "", tuple(game.steps))
    return game.endless()


def _strike(game: Game, rng: random.Random, kinds: frozenset[str]) -> list[Event]:
    strikes = game.world.strikes()
    told, pairs = dict[str, list[Event]](), game.pairs()
    if pairs and (not strikes or rng.random() < 0.7):
        told = game.lies([rng.choice(pairs)], kinds) or game.lies(pairs, kinds)
    return told[rng.choice(sorted(told))] if told else strikes


def replay(case: Case, steps: tuple[str, ...], off: frozenset[Rule] = frozenset()) -> Found:
    """Play along the steps that are possible, then let happen whatever comes first."""
    game, wrong, rest = Game(case, off), "", list(steps)
    while not wrong and len(game.steps) < STEPS:
        if rest:
            event = _named(game, rest.pop(0))
        else:
            own = game.world.own()
            if not own:
                return Found("", quiet(game.world), tuple(game.steps))
            event = own[0]
        wrong = game.do(event) if event else ""
    return Found(wrong, "", tuple(game.steps)) if wrong else game.endless()


def _named(game: Game, step: str) -> Event | None:
    """Return the event that has a name now, or one that differs in its transcript only."""
    events = [*game.world.own(), *game.world.strikes()]
    if " is told " in step:
        events = [e for es in game.lies(game.pairs()).values() for e in es]
    labels = {game.label(e): e for e in reversed(events)}
    bare = {_bare(label): e for label, e in labels.items()}
    return labels.get(step) or bare.get(_bare(step))


def _bare(label: str) -> str:
    return re.sub(r"@[0-9a-f]{3}", "", label)


def shrink(case: Case, found: Found, off: frozenset[Rule] = frozenset()) -> Found:
    """Leave out steps, many and then few, as long as the same goes wrong."""
    best = replay(case, found.steps, off)
    if best.wrong != found.wrong:
        return found
    size, left = len(best.steps) // 2, PATIENCE
    while size and left > 0:
        at, shorter = 0, False
        while at < len(best.steps) and left > 0:
            tried = replay(case, best.steps[:at] + best.steps[at + size :], off)
            left -= len(tried.steps)
            if tried.wrong == best.wrong and len(tried.steps) < len(best.steps):
                best, shorter = tried, True
            else:
                at += size
        size = size if shorter and size == 1 else size // 2
    return best


def main() -> int:
    """Search, and print each fault with the shortest way to it."""
    form = argparse.RawTextHelpFormatter
    args = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    args.add_argument("what", choices=("run", "rules"))
    args.add_argument("--case", action="append", choices=[c.name for c in CASES])
    args.add_argument("--off", action="append", default=[], choices=[r.name for r in Rule])
    args.add_argument("--from", dest="first", type=int, default=0)
    args.add_argument("--seeds", type=int, default=1 << 40)
    args.add_argument("--no-shrink", dest="shrink", action="store_false")
    args.add_argument("--seconds", type=float, default=60)
    given = args.parse_args()
    cases = [c for c in CASES if not given.case or c.name in given.case]
    if given.what == "rules":
        return rules(cases, [Rule[r] for r in given.off] or list(Rule), given)
    off = frozenset(Rule[r] for r in given.off)
    return run(cases, off, given)


def run(cases: list[Case], off: frozenset[Rule], given: argparse.Namespace) -> int:
    """Play the same seeds of every case until the time is over."""
    begun, ends, states = time.monotonic(), {c.name: Counter[str]() for c in cases}, 0
    faults: dict[tuple[str, str], int] = {}
    seed = given.first
    while seed < given.first + given.seeds and time.monotonic() < begun + given.seconds:
        for case in cases:
            found = walk(case, seed, off)
            states += len(found.steps)
            ends[case.name][found.end or "FAULT " + found.wrong] += 1
            if found.wrong and (case.name, found.wrong) not in faults:
                faults[case.name, found.wrong] = seed
                print(f"{case.name} {seed}: {found.wrong}", flush=True)
                tell(shrink(case, found, off) if given.shrink else found)
        seed += 1
    for name, count in ends.items():
        print(f"{name}: " + ", ".join(f"{end} {times}" for end, times in count.most_common()))
    print(
        f"seeds {given.first} to {seed - 1} of {len(cases)} cases, {states:,} states, "
        f"{time.monotonic() - begun:.0f} s; {len(faults)} faults"
    )
    return int(bool(faults))


def rules(cases: list[Case], switched: list[Rule], given: argparse.Namespace) -> int:
    """Switch off each rule and print how many seeds it takes until that is found out."""
    missed = 0
    for rule in switched:
        begun, seeds = time.monotonic(), range(given.first, given.first + given.seeds)
        until = begun + given.seconds
        found = missing(rule, cases, seeds, until)
        missed += not found
        name, seed, wrong = found or ("", -1, "NOT FOUND")
        took = f"{time.monotonic() - begun:.0f} s"
        print(f'    Rule.{rule.name}: ("{name}", {seed}),  # {wrong}, {took}', flush=True)
    return int(missed > 0)


def missing(
    rule: Rule, cases: Sequence[Case], seeds: range, until: float
) -> tuple[str, int, str] | None:
    """Return a case and a seed that break without a rule, and how; none if not found in time."""
    for seed in seeds:
        for case in cases:
            wrong = walk(case, seed, frozenset([rule])).wrong
            if wrong and not walk(case, seed).wrong:
                return case.name, seed, wrong
        if time.monotonic() > until:
            break
    return None


def tell(found: Found) -> None:
    """Print a counterexample."""
    print(f"  {found.wrong}:", *(f"    {step}" for step in found.steps), sep="\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
