"""Whoever watches a game at one of its peers, without a seat: let in, listed, and shown all of it.

``("watch", name)`` is answered with ``("watching", (roster, addresses))``, at a table with a
password once that is proven; where enough watch already, with ``("elsewhere", addresses)`` of the
other peers. From then on a watcher is told every move and decision, and asks for what it lacks with
``("want", (phase, cuts))``. It is told what is said at the table too, and may say something itself:
``("say", text)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import trio

from lanplay.errors import Fault
from lanplay.notices import Notice
from lanplay_protocol.chat import TEXT
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.rates import Bucket
from lanplay_protocol.replica.messages import parse_position
from lanplay_protocol.replica.outbox import Entry
from lanplay_protocol.replica.spectator import NUDGE, Followed, answer, public
from lanplay_protocol.schema import items, message, text
from lanplay_protocol.shell import passwords
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.shell.stillness import beat
from lanplay_protocol.shell.strangers import crowded_out
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text
from lanplay_protocol.wire import encode

NOT_HERE = Fault.WATCH_SEATED.of()
FORBIDDEN = Fault.WATCH_FORBIDDEN.of()
SHUT = Fault.WATCH_SHUT.of()
SEATED = Fault.WATCH_OWN.of()
WATCHERS = 8
"""Watchers that one peer shows the game to; where several came from one address, the first of them
makes room for one from another."""
WANTS = 8
"""Times that one watcher may ask in ``NUDGE`` seconds; what it asks beyond that is not answered."""
ARRIVALS = 16
"""Watchers that may come to one peer in a minute from one address."""
MINUTE = 60.0
SILENT_SECONDS = 6.0
"""How long somebody without a seat may take to say what it wants."""
TYPING_SECONDS = 120.0
"""How long somebody who wants to watch may take to prove the table's password."""
RETRY_SECONDS = 1.0
"""How often it is looked who has said nothing."""
PROOFS = 8
"""Messages about the password that may wait to be checked; they are checked one by one."""
Addresses = Mapping[bytes, Sequence[tuple[str, int]]]


class SpectatorHub:
    """Whoever watches the game at this peer, and the names of those who watch at others.

    ``addresses`` tells where the peers listen; ``notice`` shows who comes and goes. With a ``gate``
    those alone watch who prove the table's password; with ``shut`` there is one that this program
    does not know, so that nobody watches here. ``says`` takes what somebody who watches here says,
    with its name; ``talk`` brings what is told of the talk to whoever comes.
    """

    def __init__(
        self,
        node: Node,
        peer: Followed,
        addresses: Callable[[], Addresses],
        notice: Callable[[str], None],
        gate: Gate | None = None,
        shut: bool = False,
        clock: Callable[[], float] = trio.current_time,
    ) -> None:
        self._node = node
        self._gate = gate
        self._shut = shut
        proofs = trio.open_memory_channel[tuple[bytes, object]](PROOFS)
        self._to_prove, self._proofs = proofs
        self._peer = peer
        self._seated = frozenset(each.public for each in peer.roster.peers)
        self._addresses = addresses
        self._notice = notice
        self._here: dict[bytes, str] = {}
        self._elsewhere: dict[int, tuple[str, ...]] = {}
        self._shown: Counter[str] = Counter()
        self._told, self._clock = Bucket(2 * WATCHERS, 0.25), clock
        self._wants: dict[bytes, list[float]] = {}
        self._came: dict[str, list[float]] = {}
        self.says: Callable[[str, str], None] = lambda name, words: None
        self.talk: Callable[[], Sequence[bytes]] = tuple
        self._silent: dict[bytes, float] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who watches, at any peer."""
        return tuple(sorted(self._everybody().elements()))

    @property
    def any_here(self) -> bool:
        """Tell whether somebody watches at this peer."""
        return bool(self._here)

    def linked(self, identity: bytes, now: float) -> None:
        """Note a new link of somebody without a seat, who has to say soon what for."""
        self.gone(identity)  # it may have lost the one before unnoticed, and asks anew
        self._silent[identity] = now + SILENT_SECONDS

    async def run(self) -> None:
        """Check what is said of the password, and close who says nothing, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._check_proofs)
            while True:
                self.close_silent(trio.current_time())
                self._tell()
                await beat(RETRY_SECONDS)

    async def _check_proofs(self) -> None:
        async for identity, payload in self._proofs:
            try:
                if self._gate is not None:
                    await self._gate.receive(identity, payload)
            except PeerError as error:
                self._node.close(identity, error)

    def close_silent(self, now: float) -> None:
        """Close the links on which nothing was said."""
        for identity in [who for who, until in self._silent.items() if now > until]:
            del self._silent[identity]
            self._node.close(identity, PeerError(Code.UNEXPECTED, NOT_HERE))

    def dismiss(self, why: str) -> None:
        """Close all who watch here, with a sentence."""
        for identity in self._here:
            self._node.close(identity, PeerError(Code.UNEXPECTED, why))

    def receive(self, identity: bytes, body: bytes, now: float) -> None:
        """Take what somebody without a seat sent; ``PeerError`` if it has to be closed."""
        if not self._node.seen_at(identity):
            return  # its link was closed while this waited: it would hold a place as nobody
        kind, payload = message(body)
        if kind == passwords.KIND and self._gate is not None and identity not in self._here:
            self._prove(identity, payload)
            return
        self._silent.pop(identity, None)
        if kind == "watch":
            self._admit(identity, clean_text(text(payload, 256, "name"), NICKNAME_LIMIT), now)
        elif identity not in self._here:
            raise PeerError(Code.UNEXPECTED, NOT_HERE)
        elif kind == "want":
            self._answer(identity, payload, now)
        elif kind == "say":
            self.says(self._here[identity], text(payload, 4 * TEXT, "text"))
        else:
            raise PeerError(Code.UNEXPECTED, "who watches asks for the game, and nothing else")

    def _admit(self, identity: bytes, name: str, now: float) -> None:
        roster = self._peer.roster
        if not roster.settings.spectators or self._shut:
            raise PeerError(Code.UNEXPECTED, SHUT if roster.settings.spectators else FORBIDDEN)
        if self._gate is not None and not self._gate.passed(identity):
            self._silent[identity] = now + TYPING_SECONDS
            self._gate.ask(identity)
            return
        if identity in self._here:
            return  # it asked again before it had its answer
        self._make_room(identity, now)
        self._here[identity] = name
        self._changed()
        self._node.send(identity, encode(("watching", (roster.plain(), self._known()))))
        for body in self.talk():
            self._node.send(identity, body)

    def _make_room(self, identity: bytes, now: float) -> None:
        """Find room for one more who watches; ``PeerError`` if there is none."""
        for host in [host for host, came in self._came.items() if now - came[-1] >= MINUTE]:
            del self._came[host]
        host = self._node.seen_at(identity)
        came = [at for at in self._came.get(host, ()) if now - at < MINUTE]
        here = {each: self._node.seen_at(each) for each in (*self._here, identity)}
        late = crowded_out(here, WATCHERS, WATCHERS)
        counts = Counter(here.values())
        full = late is not None and counts[here[late]] <= counts[host]
        if full or len(came) >= ARRIVALS:
            self._send_on(identity)
            raise PeerError(Code.UNEXPECTED, Fault.WATCH_FULL.of())
        self._came[host] = [*came, now]
        if late is not None:
            self._send_on(late)
            self._node.close(late, PeerError(Code.UNEXPECTED, Fault.WATCH_FULL.of()))
            del self._here[late]

    def _send_on(self, identity: bytes) -> None:
        self._node.send(identity, encode(("elsewhere", self._known())))

    def _known(self) -> tuple[tuple[bytes, tuple[tuple[str, int], ...]], ...]:
        """Return where the other peers are: first those at which fewest watch."""
        peers = [peer.public for peer in self._peer.roster.peers]
        watched = {peers[place]: len(names) for place, names in self._elsewhere.items()}
        known = sorted(self._addresses().items(), key=lambda each: watched.get(each[0], 0))
        return tuple((key, tuple(places)) for key, places in known)

    def _prove(self, identity: bytes, payload: object) -> None:
        try:
            self._to_prove.send_nowait((identity, payload))
        except trio.WouldBlock:
            raise PeerError(Code.UNEXPECTED, Fault.PROOFS_FULL.of()) from None

    def _answer(self, identity: bytes, payload: object, now: float) -> None:
        position = parse_position(payload)
        recent = [at for at in self._wants.get(identity, ()) if now - at < NUDGE]
        if len(recent) < WANTS:
            self._wants[identity] = [*recent, now]
            for body in answer(self._peer, position):
                self._node.send(identity, body)

    def show(self, entry: Entry) -> None:
        """Tell those who watch here what this peer has accepted, or says itself."""
        for body in public(entry) if self._here else ():
            self.tell(body)

    def tell(self, body: bytes) -> None:
        """Send something to all who watch here."""
        for identity in self._here:
            self._node.send(identity, body)

    def gone(self, identity: bytes) -> None:
        """Forget somebody without a seat whose link is gone."""
        self._wants.pop(identity, None)
        self._silent.pop(identity, None)
        if self._gate is not None:
            self._gate.gone(identity)
        if self._here.pop(identity, None) is not None:
            self._changed()

    def peer_linked(self, place: int) -> None:
        """Tell a peer that is linked again who watches here."""
        if self._here:
            self._node.send(self._peer.roster.peers[place].public, self._list())

    def peer_lost(self, place: int) -> None:
        """Drop the spectators of a peer that is gone: they may come to another one."""
        self._elsewhere.pop(place, None)
        self._tell()

    def peer_said(self, place: int, payload: object) -> None:
        """Take the names of those who watch at another peer."""
        self._elsewhere[place] = items(payload, WATCHERS, "watchers", _name)
        self._tell()

    def _list(self) -> bytes:
        return encode(("watchers", tuple(self._here.values())))

    def _changed(self) -> None:
        self._node.seated = self._seated | self._here.keys()
        for identity in self._seated - {self._node.identity.public}:
            self._node.send(identity, self._list())
        self._tell()

    def _everybody(self) -> Counter[str]:
        return Counter(chain(self._here.values(), *self._elsewhere.values()))

    def _tell(self) -> None:
        """Say who comes and goes, as fast as anybody can read it: a peer says what it likes."""
        now = self._everybody()
        if now == self._shown or not self._told.take(self._clock()):
            return
        names = ", ".join(sorted(now.elements()))
        for name in sorted((now - self._shown).elements()):
            several = now.total() > 1
            told = Notice.WATCHES_TOO.of(name=name, names=names) if several else None
            self._notice(told or Notice.WATCHES.of(name=name))
        for name in sorted((self._shown - now).elements()):
            told = Notice.WATCHES_NOT.of(name=name, names=names) if names else None
            self._notice(told or Notice.NOBODY_WATCHES.of(name=name))
        self._shown = now


def _name(value: object) -> str:
    return clean_text(text(value, 256, "name"), NICKNAME_LIMIT)
