"""The shell of a forming table: hosting one, and joining one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from protocol.errors import Code, PeerError
from protocol.lobby import Guest, Lobby, TableInfo, parse_address, parse_table
from protocol.replica.roster import NONCE, PEERS, Roster, parse_roster
from protocol.schema import binary, fields, items, text, uint
from protocol.shell import passwords
from protocol.shell.node import LinkDown, LinkUp, Message, Node, NodeEvent
from protocol.shell.passwords import Gate
from protocol.text import NICKNAME_LIMIT, clean_text
from protocol.wire import decode, encode

EARLY = 64
"""Messages of other peers that are kept until the game starts here too."""

Addresses = Mapping[bytes, tuple[tuple[str, int], ...]]


@dataclass(frozen=True, slots=True)
class Start:
    """The frozen table: who plays, and where each of them listens."""

    roster: Roster
    addresses: Addresses


class Hosting:
    """The host's shell of a forming table.

    ``changed`` is called with the table after every change. Call ``start`` when it is full. With a
    ``gate``, only those sit down who prove the table's password.
    """

    def __init__(
        self,
        node: Node,
        lobby: Lobby,
        changed: Callable[[TableInfo], None],
        gate: Gate | None = None,
    ) -> None:
        self.lobby = lobby
        self._gate = gate
        self._node = node
        self._changed = changed
        self._hosts: dict[bytes, str] = {}

    async def run(self, ready: Callable[[TableInfo], bool]) -> None:
        """Serve guests until ``ready`` says of the table that it may start."""
        while not ready(self.lobby.info):
            event = await self._node.events.receive()
            if isinstance(event, LinkUp):
                self._hosts[event.identity] = event.host
            elif isinstance(event, LinkDown):
                if self._gate is not None:
                    self._gate.gone(event.identity)
                if self.lobby.leave(event.identity):
                    self.publish()
            else:
                await self._asked(event)

    async def _asked(self, event: Message) -> None:
        try:
            kind, payload = fields(decode(event.body), 2, "message")
            if kind == passwords.KIND and self._gate is not None:
                await self._gate.receive(event.identity, payload)
            elif kind != "join":
                raise PeerError(Code.UNEXPECTED, f"{clean_text(str(kind), 32)!r} is no request")
            elif self._gate is None or self._gate.passed(event.identity):
                self._seat(event.identity, payload)
            else:
                self._gate.ask(event.identity)
        except PeerError as error:
            self._node.close(event.identity, error)

    def _seat(self, identity: bytes, payload: object) -> None:
        name, port, nonce = fields(payload, 3, "join")
        shown = clean_text(text(name, 256, "name"), NICKNAME_LIMIT)
        address = (self._hosts.get(identity, ""), uint(port, 1 << 16, "port"))
        self.lobby.join(Guest(identity, shown, (address,), binary(nonce, NONCE, "nonce")))
        self.publish()

    def publish(self) -> None:
        """Send the table as it is now to all guests."""
        self._node.seated = frozenset(guest.identity for guest in self.lobby.info.guests)
        self._to_guests(encode(("table", self.lobby.info.plain())))
        self._changed(self.lobby.info)

    def _to_guests(self, body: bytes) -> None:
        for guest in self.lobby.info.guests[1:]:
            self._node.send(guest.identity, body)

    def start(self) -> Start:
        """Freeze the table and tell everybody; ``ValueError`` while a seat is free."""
        roster = self.lobby.start()
        guests = self.lobby.info.guests
        addresses = tuple((guest.identity, guest.addresses) for guest in guests)
        self._to_guests(encode(("start", (roster.plain(), addresses))))
        return Start(roster, dict(addresses))


async def join(
    node: Node,
    host: str,
    port: int,
    name: str,
    changed: Callable[[TableInfo], None],
    ask: passwords.AskPassword | None = None,
) -> Start:
    """Join the table at an address and wait for it to start; ``ask`` is for its password.

    Raises ``OSError`` if nothing answers, ``PeerError`` with the host's reason if it refuses or
    leaves before the start.
    """
    identity = await node.dial(host, port)
    nonce = os.urandom(NONCE)
    request = encode(("join", (name, node.port, nonce)))
    node.send(identity, request)
    early: list[NodeEvent] = []
    while True:
        kind, payload = await _message(node, identity, early)
        if kind == "start":
            for other in early:
                node.put_back(other)
            start = _start(payload, identity, (host, port))
            return _seated(start, node.identity.public, nonce)
        if kind == "table":
            changed(parse_table(payload))
        elif kind == passwords.KIND:
            if ask is None:
                raise PeerError(Code.UNEXPECTED, "this table has a password")
            await passwords.prove(
                node, identity, ask, partial(_of_kind, node, identity, early, passwords.KIND)
            )
            node.send(identity, request)


async def _message(node: Node, identity: bytes, early: list[NodeEvent]) -> tuple[object, object]:
    """Return what the host says next; other events are kept for later."""
    while True:
        event = await node.events.receive()
        if isinstance(event, LinkDown) and event.identity == identity:
            raise PeerError(Code.UNEXPECTED, event.why or "the host closed the table")
        if event.identity != identity:
            if isinstance(event, Message) and len(early) < EARLY:
                early.append(event)  # what is lost here is asked for again
        elif isinstance(event, Message):
            kind, payload = fields(decode(event.body), 2, "message")
            return kind, payload


async def _of_kind(node: Node, identity: bytes, early: list[NodeEvent], wanted: str) -> object:
    while True:
        kind, payload = await _message(node, identity, early)
        if kind == wanted:
            return payload


def _seated(start: Start, own: bytes, nonce: bytes) -> Start:
    """Return a start in which this program sits, with the nonce it gave: of no earlier game."""
    if all((peer.public, peer.nonce) != (own, nonce) for peer in start.roster.peers):
        raise PeerError(Code.UNEXPECTED, "the host began the game without this program")
    return start


def _start(payload: object, host: bytes, address: tuple[str, int]) -> Start:
    roster, addresses = fields(payload, 2, "start")
    known = dict(items(addresses, PEERS, "addresses", _addresses))
    known[host] = (address,)
    return Start(parse_roster(roster), known)


def _addresses(value: object) -> tuple[bytes, tuple[tuple[str, int], ...]]:
    identity, places = fields(value, 2, "addresses")
    return binary(identity, 32, "identity"), items(places, 8, "places", parse_address)
