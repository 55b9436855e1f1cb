"""The trio shell: listens, dials and moves the bytes of authenticated links; decides nothing."""

from __future__ import annotations

import math
import os
import selectors
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress

import trio

from lanplay.errors import Fault, Unreachable
from lanplay.notices import Notice
from lanplay_protocol.channel.secure import Channel, Decrypted, Established, first_line
from lanplay_protocol.closing import closed, closing
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.shell.addresses import end_of, local_addresses, outward
from lanplay_protocol.shell.endings import Endings, NoEndings
from lanplay_protocol.shell.events import (
    Events,
    NodeEvent,
    PeerConnected,
    PeerDisconnected,
    PeerMessage,
)
from lanplay_protocol.shell.offers import Offers
from lanplay_protocol.shell.sockets import connect, listeners_at
from lanplay_protocol.shell.stillness import STILL_SECONDS
from lanplay_protocol.shell.strangers import REMEMBERED, Turnstile, crowded_out
from lanplay_protocol.table import PLACES
from lanplay_protocol.wire import encode

__all__ = ["Node", "NodeEvent", "PeerConnected", "PeerDisconnected", "PeerMessage", "open_node"]

EPHEMERAL = 32
READ_SIZE, SIP = 65536, 2048
"""Bytes read of a link at one time: few of a stranger's, which may be thousands of messages."""
HANDSHAKE_SECONDS = 5.0
CLOSE_SECONDS = 1.0
STRANGERS = 128
"""Connections that may be in their handshake at one time (see ``crowded_out``)."""
EACH = 16
"""Connections of one address in their handshake, and again as many without a seat."""
BEAT_SECONDS = 2.0
SILENT_SECONDS = 7.0
"""A link that brought nothing for so long is dead: TCP alone would notice a minute later."""
LINKS = 64
"""Programs that may be connected at one time; one more ends one that has no seat."""
UNREAD = 64
"""Messages of one peer that may wait to be taken; further ones stay in its socket."""
FEW, SHORT = 4, 16384
"""The same of somebody without a seat, and the most bytes of its messages: each is work."""
QUEUE, WAITING = 4096, 16 << 20
"""Messages that may wait for a slow link before it is given up, and bytes of them."""

BEAT = encode(("beat", ()))
"""The sign of life of a link that has nothing else to say."""


class _Link:
    def __init__(
        self, stream: trio.SocketStream, channel: Channel, stranger: trio.CancelScope | None = None
    ) -> None:
        self.stream = stream
        self.channel = channel
        self.identity = b""
        self.dialled = False
        self.since = math.inf
        self.host = end_of(stream.socket.getpeername)
        self.local = end_of(stream.socket.getsockname)
        self.closing = self.torn = False
        self.why = ""
        self.error: PeerError | None = None
        self.scope = trio.CancelScope()
        self.stranger = stranger or self.scope
        self.credit, self.few = trio.Semaphore(UNREAD), trio.Semaphore(FEW)
        self.heard = trio.current_time()
        self.written = trio.Event()
        self.send, self.queue = trio.open_memory_channel[bytes](QUEUE)
        self.waiting = 0

    def put(self, data: bytes) -> None:
        """Let bytes wait to be written; ``WouldBlock`` where too much does."""
        if self.waiting > WAITING:
            raise trio.WouldBlock
        self.send.send_nowait(data)
        self.waiting += len(data)


class Node:
    """All connections of this program. ``events`` brings what happens on them, in order."""

    def __init__(self, identity: Identity, version: str, nursery: trio.Nursery) -> None:
        self.identity = identity
        self.port = 0
        self.interfaces: Sequence[str] = ()
        """The addresses of this machine to name to others; all that it has if there are none."""
        self._version = version
        self._nursery = nursery
        self._links: dict[bytes, _Link] = {}
        self.seated: frozenset[bytes] = frozenset()
        self._line = first_line(version)
        self._strangers: dict[trio.CancelScope, str] = {}
        self._turns = Turnstile()
        self._beaten = trio.current_time()
        self.archive: Endings = NoEndings()
        self.offers = Offers()
        self.on_other_version: Callable[[str], None] = lambda _: None
        """Told, once for each of some addresses, why somebody there could not connect."""
        self._strange: set[str] = set()
        self.events = Events()

    @property
    def linked(self) -> frozenset[bytes]:
        """The identities this program has a link to."""
        return frozenset(self._links)

    def seen_at(self, identity: bytes) -> str:
        """Return the address at which a peer is linked, without scope; empty without a link."""
        return link.host if (link := self._links.get(identity)) is not None else ""

    def places(self, identity: bytes = b"") -> tuple[tuple[str, int], ...]:
        """Return where this program listens: first where a peer's link ends, if there is one."""
        hosts = outward(self.interfaces or local_addresses())
        near = link.local if (link := self._links.get(identity)) is not None else ""
        hosts.sort(key=lambda host: host != near)
        return tuple((host, self.port) for host in hosts[:PLACES])

    @property
    def unread(self) -> bool:
        """Whether something has come from those who have a seat that ``events`` did not bring."""
        if self.events.waiting:
            return True
        with selectors.DefaultSelector() as ready:
            for identity, link in self._links.items():
                if identity in self.seated and link.stream.socket.fileno() >= 0:
                    ready.register(link.stream.socket.fileno(), selectors.EVENT_READ)
            return bool(ready.get_map() and ready.select(0))

    async def listen(self, port: int = 0, host: str | None = None) -> int:
        """Listen on ``port`` (0: any free one) and return the port; ``OSError`` if it is taken."""
        listeners = await listeners_at(port, host)
        self.interfaces = [host] if host else self.interfaces
        self.port = listeners[0].socket.getsockname()[1]
        self._nursery.start_soon(self._serve, listeners)
        return int(self.port)

    async def _serve(self, listeners: list[trio.SocketListener]) -> None:
        await trio.serve_listeners(self._accept, listeners, handler_nursery=self._nursery)

    async def dial(self, host: str, port: int) -> bytes:
        """Connect and return the identity found there.

        A link-local IPv6 address without its scope is tried on every interface.
        Raises ``OSError`` if nothing answers or the connection breaks, ``PeerError`` if it is no
        table or another version.
        """
        with trio.move_on_after(HANDSHAKE_SECONDS):
            stream = await connect(host, port)
            link = self._link(stream)
            await self._nursery.start(self._run, link, True)
            if not link.identity:
                raise link.error or Unreachable(link.why or Fault.LINK_CLOSED)
            return link.identity
        raise Unreachable(Fault.HANDSHAKE, wait=round(HANDSHAKE_SECONDS))

    def send(self, identity: bytes, body: bytes) -> None:
        """Queue a message for a peer; it is dropped if there is no link (others will be asked)."""
        if (link := self._links.get(identity)) is not None:
            self._queue(link, body)

    def _queue(self, link: _Link, body: bytes) -> None:
        try:
            link.put(link.channel.send(body))
        except trio.WouldBlock:
            self._drop(link, Fault.LINK_SLOW.of())
        except (trio.ClosedResourceError, PeerError):
            pass  # closed, or broken by the other side: its end is on the way

    def close(self, identity: bytes, error: PeerError) -> None:
        """Tell a peer why and close its link; what it still sends is dropped."""
        link = self._links.get(identity)
        if link is None or link.closing:
            return
        link.closing = True
        self._queue(link, closing(error))
        link.why = error.text
        link.send.close()

    def forsake(self, addresses: Collection[str]) -> frozenset[bytes]:
        """Drop what is connected over addresses that this machine no longer has (IPv6: no scope).

        Returns whose links those were. They are dead, which silence would tell only later.
        """
        dead = [link for link in self._links.values() if link.local in addresses]
        for link in dead:
            self._drop(link, Fault.LINK_MOVED.of())
            self._gone(link)
        return frozenset(link.identity for link in dead)

    async def flush(self) -> None:
        """Give queued messages a moment to leave."""
        with trio.move_on_after(CLOSE_SECONDS, shield=True):
            for link in list(self._links.values()):
                link.send.close()
                await link.written.wait()

    def binding(self, identity: bytes) -> bytes:
        """Return 64 bytes that both ends of a peer's link have; ``PeerError`` without a link."""
        link = self._links.get(identity)
        if link is None:
            raise PeerError(Code.UNEXPECTED, Fault.LINK_CLOSED.of())
        return link.channel.binding

    def _link(self, stream: trio.SocketStream, stranger: trio.CancelScope | None = None) -> _Link:
        ephemeral = os.urandom(EPHEMERAL)
        channel = Channel(stranger is None, self.identity, self._version, ephemeral)
        return _Link(stream, channel, stranger)

    async def _accept(self, stream: trio.SocketStream) -> None:
        """Serve whoever has connected: until it says anything it costs next to nothing."""
        host = end_of(stream.socket.getpeername)
        scope = trio.CancelScope()
        self._strangers[scope] = host
        if (late := crowded_out(self._strangers, STRANGERS, EACH)) is not None:
            del self._strangers[late]
            late.cancel()
        try:
            with scope:
                if said := await self._greeted(stream, host):
                    await self._run(self._link(stream, scope), False, said)
        finally:
            self._strangers.pop(scope, None)
            await trio.aclose_forcefully(stream)

    async def _greeted(self, stream: trio.SocketStream, host: str) -> bytes:
        """Return what a stranger says first, when it is its turn; its handshake is work."""
        with suppress(trio.BrokenResourceError), trio.move_on_after(HANDSHAKE_SECONDS):
            await stream.send_all(self._line)
            if said := await stream.receive_some(SIP):
                await self._turn(host)
                return bytes(said)
        return b""

    async def _turn(self, host: str) -> None:
        turn = self._turns.wait(host)
        try:
            self._turns.advance(trio.current_time())
            if not turn.is_set():
                if self._turns.waiting == 1:
                    self._nursery.start_soon(self._turns.run)
                await turn.wait()
        finally:
            self._turns.leave(turn)

    async def _run(
        self,
        link: _Link,
        dialled: bool,
        said: bytes = b"",
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        try:
            with link.scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_write, link)
                    await self._converse(link, dialled, said, task_status)
                    link.scope.cancel()
        finally:
            link.send.close()
            self._gone(link)
            await trio.aclose_forcefully(link.stream)
            if not link.identity:
                task_status.started()

    async def _converse(
        self, link: _Link, dialled: bool, said: bytes, status: trio.TaskStatus[None]
    ) -> None:
        line = link.channel.data_to_send()
        try:
            if dialled:
                link.put(line)
            with trio.move_on_after(HANDSHAKE_SECONDS) as patience:
                while data := said or await self._read(link):
                    said = b""
                    for event in self._received(link, data):
                        if isinstance(event, Established):
                            patience.deadline = math.inf
                            self._established(link, event.peer, dialled)
                            status.started()
                        else:
                            await self._came(link, event.body)
        except PeerError as error:
            link.why, link.error = error.text, error
            if error.code is Code.VERSION and not dialled:
                self._differs(link.host, error.text)
            await self._say_goodbye(link, error)
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            link.why = link.why or Fault.LINK_BROKEN.of()

    async def _read(self, link: _Link) -> bytes:
        return bytes(await link.stream.receive_some(SIP if self._idle(link) else READ_SIZE))

    def _differs(self, host: str, why: str) -> None:
        if host not in self._strange and len(self._strange) < REMEMBERED:
            self._strange.add(host)
            self.on_other_version(Notice.AT_THE_DOOR.of(address=host, why=why))

    def _received(self, link: _Link, data: bytes) -> list[Established | Decrypted]:
        """Take bytes of a link; what the channel answers is queued before anything else."""
        link.heard = trio.current_time()
        try:
            return link.channel.receive(data)
        finally:
            if answer := link.channel.data_to_send():
                with suppress(trio.WouldBlock, trio.ClosedResourceError):
                    link.put(answer)

    async def _came(self, link: _Link, body: bytes) -> None:
        if body == BEAT:
            self._beat(BEAT_SECONDS / 2)  # all of a table at one time: each wakes once for all
        idle = self._idle(link)
        if body == BEAT or link.closing or (idle and len(body) > SHORT):
            return
        if (farewell := closed(body)) is not None:
            link.why = farewell.text
            link.scope.cancel()
        elif (answers := self.archive.answers(link.identity, body)) is not None:
            for answer in answers:
                self._queue(link, answer)
        else:
            credit = link.few if idle else link.credit
            await credit.acquire()
            self.events.put(PeerMessage(link.identity, body), credit)

    async def live(self) -> None:
        """Give signs of life on all links, and give up those that bring none."""
        while True:
            slept = trio.current_time()
            await trio.sleep_until(self._beaten + BEAT_SECONDS)
            now = trio.current_time()
            still = now - slept > BEAT_SECONDS + STILL_SECONDS  # then nobody was silent
            for link in self._links.values():
                link.heard = now if still else link.heard
                if now - link.heard > SILENT_SECONDS:
                    self._drop(link, Fault.LINK_SILENT.of(wait=round(SILENT_SECONDS)))
            self._beat(BEAT_SECONDS)

    def _beat(self, rest: float) -> None:
        """Give signs of life, but for so many seconds after the last ones."""
        now = trio.current_time()
        if now >= self._beaten + rest:
            self._beaten = now
            for link in self._links.values():
                self._queue(link, BEAT)

    def _established(self, link: _Link, identity: bytes, dialled: bool) -> None:
        self._strangers.pop(link.stranger, None)
        link.identity, link.dialled, link.since = identity, dialled, trio.current_time()
        old = self._links.get(identity)
        if old is not None and self._outlives(old, link):
            link.scope.cancel()
            return
        self._links[identity] = link
        if old is not None:
            old.scope.cancel()
        if (old is not None and self._idle(old)) or self.events.unread(identity) > UNREAD:
            self.events.forget(identity)  # who reads it at last asks again for what it lacks
        self._make_room()
        self.events.put(PeerConnected(identity, link.host, dialled))

    def _idle(self, link: _Link) -> bool:
        """Tell whether a link is of somebody who has come without a seat."""
        return not (link.dialled or link.identity in self.seated)

    def _make_room(self) -> None:
        """End a link of somebody without a seat where there are too many."""
        idle = [link for link in self._links.values() if self._idle(link)]
        room = LINKS - len(self._links) + len(idle)
        here = {link: link.host for link in idle if not link.scope.cancel_called}
        if (late := crowded_out(here, room, EACH)) is not None:
            self._drop(late, Fault.LINK_CROWD.of())

    def _outlives(self, old: _Link, new: _Link) -> bool:
        """Tell whether a link stays although there is a newer one with its peer.

        Of two that dial each other at one time each may see another link come first: both keep what
        the smaller key has dialled. Else the older one may be dead, and the newer one stays.
        """
        if old.dialled == new.dialled or new.since - old.since > HANDSHAKE_SECONDS:
            return False
        return old.dialled == (self.identity.public < new.identity)

    def _drop(self, link: _Link, why: str) -> None:
        link.why = why
        link.scope.cancel()

    def _gone(self, link: _Link) -> None:
        if link.identity and self._links.get(link.identity) is link:
            del self._links[link.identity]
            if not self._idle(link) or self.events.forget(link.identity):
                self.events.put(PeerDisconnected(link.identity, link.why))

    async def _say_goodbye(self, link: _Link, error: PeerError) -> None:
        self._gone(link)
        with suppress(trio.WouldBlock, trio.ClosedResourceError, PeerError):
            if link.channel.established:
                link.put(link.channel.send(closing(error)))
        link.send.close()
        with trio.move_on_after(CLOSE_SECONDS, shield=True):
            await link.written.wait()


async def _write(link: _Link) -> None:
    try:
        try:
            await _send_queued(link)
        except trio.Cancelled:
            if link.identity and not (link.scope.cancel_called or link.torn):
                with trio.move_on_after(CLOSE_SECONDS, shield=True):  # the program's last words
                    await _send_queued(link)
            raise
    except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
        link.why = link.why or Fault.LINK_BROKEN.of()
    finally:
        link.written.set()
        link.scope.cancel()


async def _send_queued(link: _Link) -> None:
    async for data in link.queue:
        link.torn = True
        await link.stream.send_all(data)
        link.torn = False
        link.waiting -= len(data)


@asynccontextmanager
async def open_node(identity: Identity, version: str) -> AsyncIterator[Node]:
    """Run a node; leaving the block closes all its links."""
    async with trio.open_nursery() as nursery:
        node = Node(identity, version, nursery)
        nursery.start_soon(node.live)
        try:
            yield node
        finally:
            await node.flush()
            nursery.cancel_scope.cancel()
