"""Everything around honest peers: links, crashes, stalls, and what is on its way.

Patience is longer than a delivery and a question to all neighbours, so a wait ends only when
nothing is on its way among the honest peers that run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.model.peer import Peer, Table
from tests.model.statements import FAKE, Book, Rule, bits
from tests.model.wanting import hope

ASKS = 3
"""How often who is out asks again where nothing else happens."""
FORGIVEN = 4
"""How often a peer forgives, or asks back, between two views: without a quorum it were for ever."""


class Case(NamedTuple):
    """A table, and what may happen to it."""

    name: str
    peers: int
    liars: tuple[int, ...] = ()
    phases: int = 2
    turns: bool = False
    """In two phases of three one peer alone speaks; which, hangs on what was answered before."""
    lies: int = 6
    """How many provable lies there are in a game; there are any number of delays."""
    person: int = -1
    crashes: int = 0
    dies: int = 0
    """How many peers crash and never start again."""
    stalls: int = 0
    leaves: int = 0
    """How many say farewell as they go, to all who hear it, to liars alone, or to one more."""
    breaks: int = 0
    """How many links between honest peers break for good."""
    split: bool = False
    """Honest peers do not reach each other for a while."""


class Event(NamedTuple):
    """Something that can happen next: to whom, and what."""

    kind: str
    peer: int = -1
    what: Any = None


class World:
    """One game: honest peers, what is on its way, and who runs."""

    def __init__(self, case: Case, off: frozenset[Rule] = frozenset()) -> None:
        self.case, self.off = case, off
        self.book = Book(case.peers, off, case.phases if case.turns else 0)
        table = Table(self.book, case.phases, case.person, off=off)
        everybody = tuple(range(case.peers))
        self.honest = frozenset(everybody) - set(case.liars)
        self.peers = {me: Peer(me, table, everybody, (0, everybody)) for me in sorted(self.honest)}
        self.net: dict[tuple[int, int], None] = {}
        self.crashed: set[int] = set()
        self.dead: set[int] = set()
        self.stalled: set[int] = set()
        self.gone: set[int] = set()
        """Honest peers that once did not run, or reached no quorum: their seats may be lost."""
        self.broken: set[frozenset[int]] = set()
        self.apart = case.split
        self.left = {"lies": case.lies, "crashes": case.crashes, "stalls": case.stalls}
        self.left |= {"dies": case.dies, "leaves": case.leaves}
        self.farewells = 0
        """Those of honest peers: liars have heard them."""
        self.clock = 0
        self.heard = dict.fromkeys(range(case.peers), 0)
        """How many waits had ended when each peer was heard last by others, or heard others."""
        self.handed = 0
        """What liars have given to honest peers that run."""
        for me in self.peers:
            self._do(self.peers[me], self.peers[me].advance)

    # --- what happens by itself ---

    def running(self) -> list[Peer]:
        """Return the honest peers that run."""
        down = self.crashed | self.stalled
        return [p for p in self.peers.values() if p.me not in down]

    def linked(self, one: int, other: int) -> bool:
        """Tell whether two honest peers reach each other directly."""
        return not self.apart and frozenset((one, other)) not in self.broken

    def own(self) -> list[Event]:
        """Return what can happen by itself: deliveries, then questions to all, then waits end."""
        live = self.running()
        at = {p.me for p in live}
        found = [Event("gets", to, one) for to, one in self.net if to in at]
        asked = [p for p in live if p.phase == self.case.person and not (p.answered or p.sent)]
        answers = [Event("answers", p.me) for p in asked if p.done == FAKE and p.me in p.needed]
        if not found:
            found = [Event("asks all", p.me, lacks) for p in live if (lacks := self._lacks(p))]
        return [*found, *answers] if found else [*answers, *self._waits(live)]

    def _lacks(self, p: Peer) -> int:
        """Return what a peer is given when it asks its neighbours."""
        if p.done != FAKE or Rule.RELAY in self.off:
            return 0
        near = [o for o in self.running() if o is not p and self.linked(p.me, o.me)]
        known = 0
        for o in near:
            known |= (o.known | o.told()) & p.wanted()
            known |= o.led_here(p.past, (p.view, p.phase)) & ~p.known
        return known

    def _waits(self, live: list[Peer]) -> Iterator[Event]:
        alone = self.apart or len(live) < self.book.quorum
        tired = {p.me for p in live if p.me not in p.members and p.forgave >= FORGIVEN}
        judging = [p for p in live if p.me not in tired]
        waits = [
            (at, Event("suspects", p.me, tuple(sorted(debts))))
            for p in judging
            for at, debts in p.owing()
        ]
        lost = frozenset(self.crashed | self.stalled)
        missed = [p for p in live if p.done == FAKE and lost - p.missing]
        if Rule.MISSING not in self.off:
            misses = tuple(sorted(lost))
            waits += [(self._silent(p, lost), Event("misses", p.me, misses)) for p in missed]
        oldest = min((at for at, _ in waits), default=0)
        for at, event in waits:
            if at == oldest or Rule.OLDEST in self.off:
                yield event
        few = [p for p in live if p.done == FAKE and p.late and self._few(p)]
        few = [p for p in few if not alone or p.forgave < FORGIVEN]
        few = [p for p in few if oldest >= p.grew or not waits]  # mercy comes sooner than a wait
        few = few if Rule.MERCY not in self.off else []
        yield from (Event("forgives", p.me) for p in few)
        out = [p for p in live if p.done == FAKE and p.out and p.back >= p.view]
        often = 1 if waits or few else ASKS
        yield from (Event("asks again", p.me) for p in out if p.asks < often)

    def _silent(self, p: Peer, lost: frozenset[int]) -> int:
        """Return since when a peer hears none of some others, whatever happens at the table."""
        return max(self.heard[each] for each in (p.me, *(lost - p.missing)))

    def _few(self, p: Peer) -> bool:
        return len(frozenset(hope(p)) - p.mute) < self.book.quorum

    # --- what liars, crashes and links do ---

    def strikes(self) -> list[Event]:
        """Return what may befall the table, except lies."""
        found = []
        for p in self.running():
            falls = ("crashes", "dies", "stalls")
            found += [Event(fall, p.me) for fall in falls if self.left[fall]]
            found += self._farewells(p.me) if self.left["leaves"] else []
        found += [Event("starts again", me) for me in sorted(self.crashed - self.dead)]
        found += [Event("wakes", me) for me in sorted(self.stalled)]
        found += [Event("joined again")] if self.apart else []
        if len(self.broken) < self.case.breaks:
            found += [Event("link breaks", a, b) for a, b in self._spare()]
        return found

    def _farewells(self, me: int) -> Iterator[Event]:
        """Give the ways in which an honest peer may leave: who hears that it does."""
        others = self.honest - {me}
        for hear in (others, frozenset[int](), *(frozenset({o}) for o in sorted(others))):
            yield Event("leaves", me, tuple(sorted(hear)))
            if self.left["dies"]:
                yield Event("leaves for good", me, tuple(sorted(hear)))

    def _spare(self) -> list[tuple[int, int]]:
        """Return the links whose loss leaves each honest peer a way to every other."""
        pairs = [(a, b) for a in self.honest for b in self.honest if a < b]
        links = {frozenset(pair) for pair in pairs} - self.broken
        return [pair for pair in pairs if _whole(self.honest, links - {frozenset(pair)})]

    def do(self, event: Event) -> None:
        """Let something happen."""
        kind, me, what = event
        if kind == "joined again":
            self.apart = False
            for peer in self.running():
                peer.forgave = 0
                self._greet(peer.me)
        elif kind == "link breaks":
            self.broken.add(frozenset((me, what)))
        elif kind in ("crashes", "dies", "stalls"):
            self.left[kind] -= 1
            (self.stalled if kind == "stalls" else self.crashed).add(me)
            self.heard[me] = self.clock
            self.dead |= {me} if kind == "dies" else set()
            few = len(self.running()) < self.book.quorum  # then nobody reaches enough others
            self.gone |= self.honest if few else {me}
            if kind != "stalls":
                self.net = {(to, one): None for to, one in self.net if to != me}
        elif kind in ("leaves", "leaves for good"):
            said = self.peers[me].leave()
            self.farewells |= said
            self.left["leaves"] -= 1
            for other in what:
                self._send(said if self.linked(me, other) else 0, other)
            died = kind != "leaves"
            self.left["dies" if died else "crashes"] += 1
            self.do(Event("dies" if died else "crashes", me))
        elif kind in ("wakes", "starts again"):
            self._return(me, kind)
        else:
            self._act(event)

    def _act(self, event: Event) -> None:
        kind, me, what = event
        peer = self.peers[me]
        if kind == "gets":
            del self.net[me, what]
            self._do(peer, peer.receive, what)
        elif kind == "asks all":
            self._do(peer, peer.receive, what)
        elif kind == "is told":
            self.left["lies"] -= what.cost
            one = self.book.sign(what.said)
            self.handed |= one
            self._do(peer, peer.receive, one)
        elif kind == "answers":
            peer.answered = True
            self._do(peer, peer.advance)
        elif kind == "forgives":
            peer.forgive()
            self._do(peer, peer.advance)
        elif kind == "asks again":
            peer.ask_again()
            self._do(peer, peer.advance)
        elif kind == "misses":
            self.clock += 1
            peer.miss(frozenset(what))
            self._do(peer, peer.advance)
        elif kind == "suspects":
            self.clock += 1
            peer.suspect(frozenset(what))
            peer.grew = self.clock
            self._do(peer, peer.advance)

    def _return(self, me: int, kind: str) -> None:
        peer = self.peers[me]
        self.crashed.discard(me)
        self.stalled.discard(me)
        for other in self.running():
            other.forgave = 0
            other.meet(me)
            self._do(other, other.advance)
        if kind == "starts again":
            peer.restart()
        elif Rule.OWN_STALL in self.off:  # all its waits end before it reads what came meanwhile
            peer.late |= {debt for _, debts in peer.owing() for debt in debts}
        else:
            peer.late, peer.forgiven, peer.missing = set(), set(), frozenset()
        peer.owed, self.heard[me] = {}, self.clock
        self._greet(me)
        self._do(peer, peer.advance)

    def _greet(self, me: int) -> None:
        """Give a peer that is reached again the proofs of the others, and them its own."""
        if Rule.GREETING in self.off:
            return
        for other in self.peers.values():
            if other.me != me and self.linked(me, other.me):
                self._send(self.peers[me].proofs(self.peers[me].guilty), other.me)
                self._send(other.proofs(other.guilty), me)
                self._send(self.peers[me].told(), other.me)
                self._send(other.told() if other.me not in self.crashed else 0, me)

    def _do(self, peer: Peer, act: Callable[..., int], *what: int) -> None:
        """Let a peer act, and send what it says."""
        out = act(*what)
        peer.settle(self.clock)
        for other in self.honest - {peer.me}:
            if self.linked(peer.me, other):
                self._send(out, other)

    def _send(self, statements: int, to: int) -> None:
        if to not in self.crashed:
            for one in bits(statements):
                self.net[to, one] = None


def _whole(peers: frozenset[int], links: set[frozenset[int]]) -> bool:
    seen, edge = set[int](), {min(peers)}
    while edge:
        seen |= edge
        edge = {p for link in links if link & edge for p in link} - seen
    return seen == peers
