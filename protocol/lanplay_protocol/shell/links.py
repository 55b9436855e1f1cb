"""The links of a running game: every peer is dialled, wherever it may be, until there is one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import trio

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.shell.addresses import bare
from lanplay_protocol.shell.node import Node, PeerConnected
from lanplay_protocol.shell.sockets import quickest_first
from lanplay_protocol.shell.stillness import beat
from lanplay_protocol.table import PLACES

RETRY_SECONDS = 1.0
LATER = 3.0
"""Seconds after which a peer that should dial is dialled instead."""
ADDRESSES = 2 * PLACES
"""Addresses of one peer that are tried; half of them are what the game began with, and of these
the ones that the peer has signed come first."""
REST = 20.0
"""Seconds for which a peer is not dialled that is at another table by now."""
Address = tuple[str, int]


class Links:
    """This program's links to the peers of a roster, which are named by their places.

    ``addresses`` tells where they may listen. Earlier peers are dialled at once; later ones dial
    this program, unless it is ``eager``: they may not know where it is now.
    """

    def __init__(
        self, node: Node, roster: Roster, addresses: Mapping[bytes, Sequence[Address]], eager: bool
    ) -> None:
        self.addresses = {
            key: [(bare(host), port) for host, port in places] for key, places in addresses.items()
        }
        self.roster = roster
        self._given = {key: at[: ADDRESSES // 2] for key, at in self.addresses.items()}
        self.place = {peer.public: place for place, peer in enumerate(roster.peers)}
        self._node = node
        self._keys = [peer.public for peer in roster.peers]
        self._me = self.place[node.identity.public]
        self._eager = eager
        self._unlinked: dict[int, float] = {}
        self._rests: dict[int, float] = {}
        self._dialling: set[bytes] = set()

    @property
    def others(self) -> list[int]:
        """All peers but this one, in order."""
        return [place for place in range(len(self._keys)) if place != self._me]

    def up(self, place: int) -> bool:
        """Tell whether there is a link to a peer."""
        return self._keys[place] in self._node.linked

    def send(self, place: int, body: bytes) -> None:
        """Send to a peer, if there is a link."""
        self._node.send(self._keys[place], body)

    def post(self, envelope: Envelope) -> None:
        """Send a message to whom it is for."""
        if envelope.to is None:
            self.broadcast(envelope.body)
        else:
            self.send(envelope.to, envelope.body)

    def broadcast(self, body: bytes) -> None:
        """Send to all peers to which there is a link."""
        for place in self.others:
            self.send(place, body)

    async def keep(self) -> None:
        """Dial every peer there is no link to, until cancelled.

        Later ones dial this program first, so that two do not dial each other again and again.
        """
        async with trio.open_nursery() as nursery:
            while True:
                now = trio.current_time()
                for place in self.others:
                    if self._due(place, now):
                        nursery.start_soon(self._dial, self._keys[place])
                await beat(RETRY_SECONDS)

    def _due(self, place: int, now: float) -> bool:
        if self.up(place):
            self._unlinked.pop(place, None)
            return False
        since = self._unlinked.setdefault(place, now)
        due = place < self._me or self._eager or now - since > LATER
        return due and now >= self._rests.get(place, now)

    def turned_away(self, place: int, why: PeerError) -> None:
        """Close the link to a peer that is not in this game any more, and leave it in peace."""
        self.leave_in_peace(place)
        self._node.close(self._keys[place], why)

    def leave_in_peace(self, place: int) -> None:
        """Dial a peer that is at another table no more for a while."""
        self._rests[place] = trio.current_time() + REST

    async def _dial(self, identity: bytes) -> None:
        if identity in self._dialling:
            return
        self._dialling.add(identity)
        try:
            known, given = self.addresses.get(identity, ()), self._given.get(identity, ())
            for host, port in await quickest_first(known, given):
                if identity in self._node.linked:
                    return
                try:
                    if await self._node.dial(host, port) != identity:
                        self._not_at(identity, (host, port))
                except (OSError, PeerError):
                    continue
        finally:
            self._dialling.discard(identity)

    def _not_at(self, identity: bytes, address: Address) -> None:
        """Forget an address of a peer at which somebody else answers."""
        self.addresses[identity] = [at for at in self.addresses[identity] if at != address]

    def reach(self, identity: bytes) -> None:
        """Dial a peer every second from now on until there is a link, and do not wait for it to."""
        self._unlinked[self.place[identity]] = -math.inf

    def known_at(self, identity: bytes, address: Address) -> None:
        """Add an address of a peer, to be tried first; it crowds out none that was given."""
        newest, given = (bare(address[0]), address[1]), self._given.get(identity, ())
        places = dict.fromkeys((newest, *given, *self.addresses.get(identity, ())))
        self.addresses[identity] = list(places)[:ADDRESSES]

    def seen(self, event: PeerConnected) -> None:
        """Note where a peer that dialled this program listens: that host, the port known so far."""
        ports = [port for _, port in self.addresses.get(event.identity, ())]
        if event.host and ports and not event.dialled:
            self.known_at(event.identity, (event.host, ports[0]))
