"""From an offer to its start certificate: everybody tells everybody who has accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import trio

from lanplay.errors import Fault
from lanplay.notices import Notice, part
from lanplay.told import Told
from lanplay_protocol.errors import PeerError
from lanplay_protocol.lobby_chat import KIND as CHAT
from lanplay_protocol.replica.roster import PEERS, Roster
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from lanplay_protocol.replica.start import (
    ACCEPT,
    Accept,
    accepts_of,
    certified,
    parse_accept,
    signed_twice,
)
from lanplay_protocol.schema import fields, items, message, text
from lanplay_protocol.shell.links import Links
from lanplay_protocol.shell.node import (
    Node,
    NodeEvent,
    PeerConnected,
    PeerDisconnected,
    PeerMessage,
)
from lanplay_protocol.shell.stillness import PULSE_SECONDS, Stillness, next_beat
from lanplay_protocol.table import parse_table
from lanplay_protocol.text import clean_text
from lanplay_protocol.wire import encode

EARLY = 64
"""Messages of each program that are kept until the start is settled."""
FIELD = 32
SOON = 3.0
"""Seconds after which it is said for whom a start waits."""
KINDS = frozenset(
    {ACCEPT, "start", "offer", "table", "join", "left", "refuse", "game", "seat", "unseat", CHAT}
)
"""What is said at a table before its game, and may come when that has begun already."""

Addresses = Mapping[bytes, tuple[tuple[str, int], ...]]


@dataclass(frozen=True, slots=True)
class FrozenTable:
    """The frozen table: who plays, where each of them listens, and what the table is called.

    ``proven``: the host of it has proven its password to this program, a guest.
    """

    roster: Roster
    addresses: Addresses
    name: str = ""
    proven: bool = False


def certificate(roster: Roster) -> bytes:
    """Return the message with which a peer that has the start of a game gives it to others."""
    return encode(("start", tuple(each.plain() for each in accepts_of(roster))))


def grace(settings: TableSettings) -> float:
    """Return the seconds for which a table waits for somebody."""
    return inf if settings.grace == FOREVER else float(settings.grace)


def accepts_said(kind: object, payload: Any) -> tuple[Accept, ...]:
    """Return the accepts that a message of a start brings."""
    given = (payload,) if kind == ACCEPT else payload if kind == "start" else ()
    return items(given, PEERS, "accepts", parse_accept)


def started(offer: Roster, payload: Any) -> Roster | None:
    """Return the table with the certificate that somebody gives; ``None`` if it is of another."""
    return certified(offer, items(payload, PEERS, "accepts", parse_accept))


@dataclass
class Unbegun:
    """Why a start has come to nothing: ``liar`` has offered two tables at once.

    ``by_word``: somebody refused it, and would again. ``silent`` did not take part in it for the
    whole of the grace, linked or not: they may sit at the table elsewhere.
    """

    why: Told
    liar: bytes = b""
    by_word: bool = False
    silent: frozenset[bytes] = frozenset()


@dataclass
class Beginning:
    """Collects what all have signed of one offer, at its host and its guests alike.

    ``host`` made the offer; ``greeting`` is what it tells whoever is linked and has not accepted.
    ``early`` is what came meanwhile and is of the table, or of the game.
    """

    node: Node
    offer: Roster
    addresses: Mapping[bytes, Sequence[tuple[str, int]]]
    host: bytes
    known: Iterable[Accept] = ()
    greeting: tuple[bytes, ...] = ()
    early: list[NodeEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._peers = {peer.public: peer for peer in self.offer.peers}
        self._accepts: dict[tuple[bytes, bytes], Accept] = {}
        self._ended: Unbegun | None = None
        self._took_part: set[bytes] = set()
        own = self.node.offers.accept(self.offer, self.node.identity)
        if own is None:
            self._ended = Unbegun(Fault.OFFER_VOID.of())
        for each in (*self.known, *([own] if own else ())):
            self._accepts[each.public, each.offer] = each

    @property
    def missing(self) -> str:
        """The names of those whose accept has not come."""
        have = {who for who, offer in self._accepts if offer == self.offer.digest()}
        return ", ".join(
            self.offer.shown(place)
            for place, peer in enumerate(self.offer.peers)
            if peer.public not in have
        )

    async def run(self, notice: Callable[[str], None]) -> Roster | Unbegun:
        """Return the table with its certificate, or why there is none, within the grace: from when
        this program stood still it is waited for anew.

        ``notice`` is told for whom it waits.
        """
        links = Links(self.node, self.offer, self.addresses, eager=False)
        self.node.seated = frozenset(self._peers)
        wait, stillness = grace(self.offer.settings), Stillness()
        until = trio.current_time() + wait
        async with trio.open_nursery() as nursery:
            nursery.start_soon(links.keep)
            self._tell(self._accepts.values(), self._peers)
            nursery.start_soon(self._say, notice)
            while self._ended is None and self.sealed is None and trio.current_time() < until:
                with trio.move_on_at(min(until, next_beat(PULSE_SECONDS))):
                    self._take(await self.node.events.receive())
                if stillness.turn():  # then what has come is unread, and nobody was late
                    until = trio.current_time() + wait
            nursery.cancel_scope.cancel()
        if (sealed := self.sealed) is not None:
            for peer in self._others:
                self.node.send(peer, certificate(sealed))
            return sealed
        return self._ended or self._late()

    def stop(self) -> None:
        """Wait no longer, as soon as this program looks again: its person has had enough."""
        self._ended = self._ended or self._late()

    def _late(self) -> Unbegun:
        silent = frozenset(self._others) - self._took_part
        return Unbegun(Fault.NOT_ACCEPTED.of(names=self.missing), silent=silent)

    async def _say(self, notice: Callable[[str], None]) -> None:
        await trio.sleep(SOON)
        notice(Notice.AGREEING.of(names=self.missing))

    @property
    def sealed(self) -> Roster | None:
        """The table with the accepts of all."""
        return certified(self.offer, self._accepts.values())

    @property
    def _others(self) -> list[bytes]:
        return [peer for peer in self._peers if peer != self.node.identity.public]

    def _tell(self, accepts: Iterable[Accept], peers: Iterable[bytes]) -> None:
        for peer in peers:
            for each in accepts:
                if peer not in (self.node.identity.public, each.public):
                    self.node.send(peer, encode((ACCEPT, each.plain())))

    def _take(self, event: NodeEvent) -> None:
        if isinstance(event, PeerDisconnected):  # who is not there in the end is seen then
            if event.identity not in self._peers:
                self.early = [each for each in self.early if each.identity != event.identity]
            return
        if event.identity not in self._peers or not isinstance(event, PeerMessage):
            self._keep(event)
            if isinstance(event, PeerConnected):
                self._greet(event.identity)
            return
        try:
            kind, payload = message(event.body)
            self._heard(event, kind, payload)
        except PeerError as error:
            self.node.close(event.identity, error)

    def _greet(self, identity: bytes) -> None:
        if identity in self._peers:
            for body in self.greeting:
                self.node.send(identity, body)
            self._tell(self._accepts.values(), [identity])

    def _heard(self, event: PeerMessage, kind: object, payload: Any) -> None:
        name = clean_text(self._peers[event.identity].name, FIELD)
        if kind in (ACCEPT, "start", "join"):
            self._took_part.add(event.identity)
        if kind in (ACCEPT, "start"):
            for each in accepts_said(kind, payload):
                self._accepted(each)
        elif kind == "join":
            if self.greeting and fields(payload, 6, "join")[2] != self._peers[event.identity].nonce:
                self._keep(event)  # it sits down anew, and can sign nothing of before that
                self._left(event.identity)
            self._greet(event.identity)
        elif kind == "refuse" and self.greeting:
            term, said = fields(payload, 2, "refuse")
            what = part(text(said, 256, "field")).of()
            if term != self.offer.term:
                return  # one of before is answered late
            self._ended = Unbegun(Fault.OFFER_REFUSED.of(name=name, what=what), by_word=True)
        elif kind == "offer" and event.identity == self.host:
            return  # the same once more; another one shows in its accept
        else:
            self._keep(event)
            now = self.offer.table, self.offer.term
            if kind == "left" or (kind == "table" and parse_table(payload).follows(*now)):
                self._left(event.identity)

    def _left(self, who: bytes) -> None:
        name = clean_text(self._peers[who].name, FIELD)
        self._ended = Unbegun(Fault.START_LEFT.of(name=name))

    def _accepted(self, given: Accept) -> None:
        """Take what somebody has signed of this table, of this offer or of another one: who signs
        for a later term has left this start."""
        here = given.table == self.offer.table and given.public in self._peers
        if here and given.term > self.offer.term:
            self._left(given.public)
        key = (given.public, given.offer)
        mine = here and given.term == self.offer.term and key not in self._accepts
        others = sum(who == given.public for who, _ in self._accepts)
        if not mine or (others > 1 and given.offer != self.offer.digest()):
            return
        self._accepts[key] = given
        self._tell([given], self._peers)
        self.node.offers.found(self._accepts.values())
        if self.host in signed_twice(self._accepts.values()):
            name = clean_text(self._peers[self.host].name, FIELD)
            self._ended = Unbegun(Fault.OFFERED_TWICE.of(name=name), self.host)

    def _keep(self, event: NodeEvent) -> None:
        if sum(each.identity == event.identity for each in self.early) < EARLY:
            self.early.append(event)
