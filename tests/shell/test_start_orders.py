"""The messages of a start in any order: whoever begins, begins the same game, and is not left in it
by who has signed a later one. The program's own agreement and opening, on links of this test."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import replace

import pytest

from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.start import ACCEPT
from lanplay_protocol.shell.beginning import Beginning, accepts_said, certificate
from lanplay_protocol.shell.node import PeerConnected, PeerMessage
from lanplay_protocol.shell.offers import Offers
from lanplay_protocol.wire import decode, encode
from tests.byzantine.stand_ins import installed
from tests.replica.harness import GAME, identity, roster

PEERS, HOST = 3, 0


class Laptop:
    """A program at a table: it waits for an offer, agrees, or has begun. It is its own node."""

    def __init__(self, table, place):
        self.table, self.place = table, place
        self.identity, self.offers = identity(place), Offers()
        self.agreeing, self.game, self.term = None, None, 0
        self.signed = {}

    def send(self, to, body):
        target = next(p for p in range(PEERS) if identity(p).public == to)
        self.table.send(self.place, target, body)

    def close(self, who, error: PeerError):
        raise AssertionError(error)

    def offered(self, offer, known=()):
        """Compare and accept an offer as a guest does, or make it as its host."""
        term, digest = self.offers.accepted(offer.table)
        if offer.term <= term and offer.digest() != digest:
            return
        self.game, self.term = None, offer.term
        self.agreeing = Beginning(self, offer, {}, identity(HOST).public, known)
        assert self.signed.setdefault(offer.term, offer.digest()) == offer.digest()
        self.agreeing._tell(self.agreeing._accepts.values(), self.agreeing._peers)

    def take(self, sender, body):
        kind, payload = decode(body)
        if kind == "offer" and self.game is None:
            term, known = payload
            self.offered(self.table.offer(term), accepts_said(ACCEPT, known))
        elif self.game is not None:
            if kind == ACCEPT:
                self.table.send(self.place, sender, certificate(self.game.roster))
            for each in accepts_said(kind, payload):
                self.game.step(inputs.Received(sender, ACCEPT, each.plain()), 0.0)
        elif self.agreeing is not None:
            self.agreeing._take(PeerMessage(identity(sender).public, body))
            self.look()

    def look(self):
        """Begin, or go back to the table, as ``Beginning.run`` does."""
        if (sealed := self.agreeing.sealed) is not None:
            for peer in self.agreeing._others:
                self.send(peer, certificate(sealed))
            self.agreeing, self.game = None, Replica(GAME, sealed, self.identity, bytes(32))
            assert sealed.term == max(self.signed)
        elif self.agreeing._ended is not None:
            self.agreeing = None

    @property
    def waits(self):
        """Whether it has begun a game that goes on for it."""
        return self.game is not None and not self.game.halted


class Start:
    """Three laptops; what is sent on a link arrives in order, and the links in any order."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.links = {(a, b): deque() for a in range(PEERS) for b in range(PEERS) if a != b}
        self.down = set()
        self.laptops = [Laptop(self, place) for place in range(PEERS)]
        self.propose(0)

    def offer(self, term):
        return replace(roster(PEERS), table="t" * 32, term=term)

    def propose(self, term):
        host = self.laptops[HOST]
        host.offered(self.offer(term))
        own = host.agreeing._accepts[host.identity.public, self.offer(term).digest()]
        for guest in range(1, PEERS):
            self.send(HOST, guest, encode(("offer", (term, own.plain()))))

    def send(self, sender, to, body):
        if frozenset((sender, to)) not in self.down:
            self.links[sender, to].append(body)

    def cut(self):
        """Break one link: what is on it is lost."""
        self.down = {frozenset(self.random.sample(range(PEERS), 2))}
        for a, b in self.links:
            if frozenset((a, b)) in self.down:
                self.links[a, b].clear()

    def mend(self):
        """The link is there again: both ends notice."""
        (pair,), self.down = self.down, set()
        for a, b in (sorted(pair), sorted(pair, reverse=True)):
            laptop = self.laptops[a]
            if laptop.agreeing is not None:
                laptop.agreeing._take(PeerConnected(identity(b).public, "", True))
            elif laptop.game is not None:
                self.send(a, b, certificate(laptop.game.roster))
            if a == HOST and laptop.agreeing is not None:
                offer = laptop.agreeing.offer
                own = laptop.agreeing._accepts[laptop.identity.public, offer.digest()]
                self.send(a, b, encode(("offer", (offer.term, own.plain()))))

    def run(self, events):
        """Deliver everything, and let events happen at moments of their own."""
        moments = sorted(self.random.randrange(20) for _ in events)
        turn = 0
        while True:
            while moments and (turn >= moments[0] or not any(self.links.values())):
                moments.pop(0)
                events.pop(0)()
            ready = [link for link, bodies in self.links.items() if bodies]
            if not ready:
                return
            sender, to = self.random.choice(ready)
            self.laptops[to].take(sender, self.links[sender, to].popleft())
            turn += 1

    def gives_up(self):
        """The host has waited for long enough, unless it has begun: it offers in the next term."""
        if self.laptops[HOST].agreeing is not None:
            self.propose(1)


@pytest.fixture(scope="module", autouse=True)
def cheap():
    with installed():
        yield


@pytest.mark.parametrize("what", ["nothing", "loss", "later term", "loss and later term"])
def test_whoever_begins_begins_the_same_game_and_nobody_stays_in_one_that_another_has_left(what):
    """In 60 orders each: all begin; or those who had begun before the host offered anew end that
    opening as soon as they hear of it, and nobody signs two offers of a term."""
    later = 0
    for seed in range(60):
        start = Start(seed)
        events = [start.cut, start.mend] if "loss" in what else []
        start.run([*events[:1], *([start.gives_up] if "later" in what else []), *events[1:]])
        waiting = {laptop.game.roster.digest() for laptop in start.laptops if laptop.waits}
        everybody = all(laptop.waits for laptop in start.laptops)
        assert len(waiting) <= 1, seed
        assert everybody or not waiting, seed
        assert everybody or "later" in what, seed
        later += not everybody or start.laptops[HOST].term
    assert bool(later) == ("later" in what)


def test_who_bears_witness_of_nothing_ends_no_opening():
    """An accept of who has no seat, of another table, or of this term changes nothing."""
    start = Start(0)
    start.run([])
    game = start.laptops[1].game
    elsewhere = replace(start.offer(3), table="e" * 32)
    for given in (
        Offers().accept(elsewhere, identity(2)),
        Offers().accept(start.offer(3), identity(5)),
        Offers().accept(start.offer(0), identity(2)),
    ):
        game.step(inputs.Received(2, ACCEPT, given.plain()), 0.0)
    assert not game.halted
    forged = replace(Offers().accept(start.offer(3), identity(2)), signature=bytes(64))
    with pytest.raises(PeerError) as refused:
        game.step(inputs.Received(2, ACCEPT, forged.plain()), 0.0)
    assert refused.value.code is Code.BAD_SIGNATURE
    assert not game.halted


def test_who_has_shown_one_peer_alone_its_accepts_of_other_tables_keeps_it_from_no_start():
    """Of one author two were kept, so that its third was none, also in everybody's certificate."""
    for seed in range(10):
        start = Start(seed)
        guest, host = start.laptops[1], start.laptops[HOST]
        guest.offered(start.offer(0), [Offers().accept(start.offer(0), host.identity)])
        for grace in (7, 8, 9):
            other = replace(start.offer(0), settings=TableSettings(grace=grace))
            lie = Offers().accept(other, identity(2))
            guest.take(2, encode((ACCEPT, lie.plain())))
        start.run([])
        assert all(laptop.waits for laptop in start.laptops)
