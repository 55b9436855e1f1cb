"""The shell of a forming table: hosting one, and joining one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from protocol.errors import Code, PeerError
from protocol.lobby import Guest, Lobby, TableInfo, parse_table
from protocol.replica.roster import Roster, parse_roster
from protocol.schema import fields, text, uint
from protocol.shell.node import LinkDown, LinkUp, Message, Node, NodeEvent
from protocol.text import NICKNAME_LIMIT, clean_text
from protocol.wire import decode, encode

Addresses = Mapping[bytes, tuple[tuple[str, int], ...]]


@dataclass(frozen=True, slots=True)
class Start:
    """The frozen table: who plays, and where each of them listens."""

    roster: Roster
    addresses: Addresses


class Hosting:
    """The host's shell of a forming table.

    ``changed`` is called with the table after every change. Call ``start`` when it is full.
    """

    def __init__(self, node: Node, lobby: Lobby, changed: Callable[[TableInfo], None]) -> None:
        self.lobby = lobby
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
                if self.lobby.leave(event.identity):
                    self.publish()
            else:
                self._asked(event)

    def _asked(self, event: Message) -> None:
        try:
            kind, payload = fields(decode(event.body), 2, "message")
            if kind != "join":
                raise PeerError(Code.UNEXPECTED, f"{kind!r} is no request of a guest")
            name, port = fields(payload, 2, "join")
            shown = clean_text(text(name, 256, "name"), NICKNAME_LIMIT)
            address = (self._hosts.get(event.identity, ""), uint(port, 1 << 16, "port"))
            self.lobby.join(Guest(event.identity, shown, (address,)))
        except PeerError as error:
            self._node.close(event.identity, error)
        else:
            self.publish()

    def publish(self) -> None:
        """Send the table as it is now to all guests."""
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
    node: Node, host: str, port: int, name: str, changed: Callable[[TableInfo], None]
) -> Start:
    """Join the table at an address and wait for it to start.

    Raises ``OSError`` if nothing answers, ``PeerError`` with the host's reason if it refuses or
    leaves before the start.
    """
    identity = await node.dial(host, port)
    node.send(identity, encode(("join", (name, node.port))))
    early: list[NodeEvent] = []
    while True:
        event = await node.events.receive()
        if isinstance(event, LinkDown) and event.identity == identity:
            raise PeerError(Code.UNEXPECTED, event.why or "the host closed the table")
        if event.identity != identity:
            early.append(event)
        elif isinstance(event, Message):
            kind, payload = fields(decode(event.body), 2, "message")
            if kind == "start":
                for other in early:
                    node.put_back(other)
                return _start(payload, identity, (host, port))
            if kind == "table":
                changed(parse_table(payload))


def _start(payload: object, host: bytes, address: tuple[str, int]) -> Start:
    roster, addresses = fields(payload, 2, "start")
    known = {}
    for entry in addresses:
        identity, places = fields(entry, 2, "addresses")
        known[identity] = tuple((text(h, 64, "host"), uint(p, 1 << 16, "port")) for h, p in places)
    known[host] = (address,)
    return Start(parse_roster(roster), known)
