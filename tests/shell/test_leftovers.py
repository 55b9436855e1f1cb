"""Who comes, says something and goes leaves nothing behind, however often it does."""

from __future__ import annotations

import os
from functools import partial

import trio

from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import filled
from lanplay_protocol.shell.beginning import Beginning
from lanplay_protocol.shell.guest import join
from lanplay_protocol.shell.node import UNREAD, PeerMessage, open_node
from lanplay_protocol.wire import encode
from tests.shell.test_beginning import info_of
from tests.shell.test_forming import LOOPBACK, VERSION
from tests.shell.test_limits import shaken_at


async def _flood(port, times, bodies):
    """Connect as somebody new again and again, say something, and hang up."""
    for _ in range(times):
        stream, channel = await shaken_at(port)
        await stream.send_all(b"".join(channel.send(body) for body in bodies))
        await trio.sleep(0.02)
        await trio.aclose_forcefully(stream)


async def test_strangers_fill_no_memory_while_a_guest_types_the_password():
    """Nobody takes events meanwhile; what a link has brought outlives it in the queue."""

    async def types():
        await trio.sleep_forever()

    async with (
        open_node(Identity(os.urandom(32)), VERSION) as host,
        open_node(Identity(os.urandom(32)), VERSION) as guest,
        trio.open_nursery() as nursery,
    ):
        port = await host.listen(0, LOOPBACK)
        own = await guest.listen(0, LOOPBACK)
        nursery.start_soon(partial(join, guest, LOOPBACK, port, "ann", lambda info: None, types))
        while not isinstance(event := await host.events.receive(), PeerMessage):
            pass
        host.send(event.identity, encode(("password", b"")))
        await trio.sleep(0.2)
        await _flood(own, 40, [encode(("x", bytes(100)))] * UNREAD)
        await trio.sleep(0.2)
        assert len(guest.linked) <= 2
        assert guest.events.waiting <= 4 * UNREAD
        nursery.cancel_scope.cancel()


async def test_strangers_fill_no_memory_while_a_start_is_agreed_on():
    """A guest that never accepts makes it wait; each stranger leaves its messages behind."""
    ann, ben = Identity(b"a" * 32), Identity(b"b" * 32)
    offer = filled(info_of(ann.public, ben.public)).roster()
    async with open_node(ann, VERSION) as node, trio.open_nursery() as nursery:
        port = await node.listen(0, LOOPBACK)
        beginning = Beginning(node, offer, {}, ann.public)
        nursery.start_soon(beginning.run, str)
        await _flood(port, 40, [encode(("x", bytes(100)))] * 64)
        await trio.sleep(0.2)
        assert not node.linked
        assert len(beginning.early) <= 4 * 64
        nursery.cancel_scope.cancel()
