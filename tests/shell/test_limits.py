"""What a stranger or a flooding peer can cost: a timer, its own socket, and nothing else."""

from __future__ import annotations

import os
import socket
import struct
from contextlib import AsyncExitStack

import pytest
import trio
import trio.testing

from lanplay_protocol.channel.password import Parties, PasswordProof
from lanplay_protocol.channel.secure import Channel, first_line
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Lobby
from lanplay_protocol.shell import node
from lanplay_protocol.shell.host import LobbyHost
from lanplay_protocol.shell.node import (
    EACH,
    FEW,
    SHORT,
    SIP,
    UNREAD,
    WAITING,
    PeerConnected,
    PeerMessage,
    open_node,
)
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.wire import encode
from tests.shell.test_table import new_table

LOOPBACK = "127.0.0.1"
MANY = 500


async def test_silent_strangers_do_not_keep_a_guest_out():
    """More silent connections than an address may have, its own too: the oldest are ended."""
    async with (
        open_node(Identity(os.urandom(32)), "1") as host,
        open_node(Identity(os.urandom(32)), "1") as guest,
    ):
        port = await host.listen(0, LOOPBACK)
        silent = [await trio.open_tcp_stream(LOOPBACK, port) for _ in range(EACH + 4)]
        assert await guest.dial(LOOPBACK, port) == host.identity.public
        assert len(host._strangers) <= EACH
        with trio.fail_after(100):
            assert await _all_bytes(silent[0]) == first_line("1")
        for stream in silent:
            await stream.aclose()


async def test_silent_strangers_from_many_addresses_have_no_more_room_together(monkeypatch):
    """Each is alone at its address: of them all the oldest are ended."""
    monkeypatch.setattr(node, "STRANGERS", 4)
    hosts = (f"10.0.0.{number}" for number in range(2, 99))
    monkeypatch.setattr(node, "end_of", lambda name: next(hosts))
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(open_node(Identity(os.urandom(32)), "1"))
        port = await host.listen(0, LOOPBACK)
        silent = []
        for _ in range(6):
            stream = await trio.open_tcp_stream(LOOPBACK, port)
            silent.append(await stack.enter_async_context(stream))
            await trio.testing.wait_all_tasks_blocked(0.05)
        assert list(host._strangers.values()) == [f"10.0.0.{number}" for number in range(4, 8)]
        with trio.fail_after(100):
            assert [await _all_bytes(each) for each in silent[:2]] == [first_line("1")] * 2


async def _all_bytes(stream):
    return b"".join([data async for data in stream])


async def test_links_without_a_seat_are_shared_between_addresses(monkeypatch):
    """One address fills its own share; those who wait at another one, and who plays, stay."""
    monkeypatch.setattr(node, "EACH", 2)
    hosts = (f"10.0.0.{min(number // 2, 3)}" for number in range(2, 99))  # each is asked twice
    monkeypatch.setattr(node, "end_of", lambda name: next(hosts) if "peer" in str(name) else "")
    plays, waits, *crowd = [Identity(os.urandom(32)) for _ in range(6)]
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(open_node(Identity(os.urandom(32)), "1"))
        port = await host.listen(0, LOOPBACK)
        host.seated = frozenset({plays.public})
        for identity in (plays, waits, *crowd):
            stream = await trio.open_tcp_stream(LOOPBACK, port)
            await stack.enter_async_context(stream)
            await _shaken(stream, identity)
            while identity.public not in host.linked:
                await host.events.receive()
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert host.linked == {plays.public, waits.public, *(each.public for each in crowd[-2:])}


async def test_where_there_are_too_many_links_one_without_a_seat_ends(monkeypatch):
    """It is the oldest of them; whoever plays stays, however long it has been here."""
    monkeypatch.setattr(node, "LINKS", 3)
    names = [Identity(os.urandom(32)) for _ in range(5)]
    keys = [identity.public for identity in names]
    came, ended = [], []
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(open_node(Identity(os.urandom(32)), "1"))
        port = await host.listen(0, LOOPBACK)
        host.seated = frozenset({keys[0], keys[2]})
        for count, identity in enumerate(names, 1):
            guest = await stack.enter_async_context(open_node(identity, "1"))
            await guest.dial(LOOPBACK, port)
            while len(came) < count or len(ended) < count - 3:
                event = await host.events.receive()
                (came if isinstance(event, PeerConnected) else ended).append(event.identity)
        assert (came, ended) == (keys, [keys[1], keys[3]])
        assert host.linked == {keys[0], keys[2], keys[4]}


async def test_a_connection_reset_at_any_moment_harms_nobody():
    """A stranger that resets its connection right after the handshake costs that connection."""
    async with open_node(Identity(os.urandom(32)), "1") as host:
        port = await host.listen(0, LOOPBACK)
        for _ in range(20):
            stream = await trio.open_tcp_stream(LOOPBACK, port)
            channel = Channel(True, Identity(os.urandom(32)), "1", os.urandom(32))
            while not channel.established:
                await stream.send_all(channel.data_to_send())
                channel.receive(await stream.receive_some(4096))
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            await stream.send_all(channel.data_to_send())
            await stream.aclose()
        async with open_node(Identity(os.urandom(32)), "1") as guest:
            assert await guest.dial(LOOPBACK, port) == host.identity.public


async def test_an_address_that_is_none_is_no_answer():
    """Whatever a roster calls an address, dialling it fails like any other."""
    async with open_node(Identity(os.urandom(32)), "1") as program:
        for host in ("..", "x" * 64):
            with pytest.raises(OSError, match=r".") as caught:
                await program.dial(host, 1)
            assert isinstance(caught.value, OSError)


async def test_a_connection_that_ends_in_its_handshake_is_no_answer():
    """Whoever breaks off says nothing about what it is: dialling it again may succeed."""
    listener = (await trio.open_tcp_listeners(0, host=LOOPBACK))[0]

    async def break_off():
        async with listener, await listener.accept():
            pass

    async with open_node(Identity(os.urandom(32)), "1") as program, trio.open_nursery() as nursery:
        nursery.start_soon(break_off)
        with pytest.raises(OSError, match="connection"):
            await program.dial(LOOPBACK, listener.socket.getsockname()[1])


async def test_links_of_an_address_that_went_are_dropped_at_once():
    """Those of other addresses stay; the peer is told as lost, and a new link takes its place."""
    async with (
        open_node(Identity(os.urandom(32)), "1") as host,
        open_node(Identity(os.urandom(32)), "1") as guest,
    ):
        port = await host.listen(0, LOOPBACK)
        peer = await guest.dial(LOOPBACK, port)
        assert isinstance(await guest.events.receive(), PeerConnected)
        assert guest.forsake({"10.0.0.1", "::1"}) == frozenset()
        assert guest.forsake({"10.0.0.1", LOOPBACK}) == {peer}
        assert guest.linked == frozenset()
        assert guest.forsake({LOOPBACK}) == frozenset()
        lost = await guest.events.receive()
        assert lost.identity == peer
        assert "network address is gone" in lost.why
        assert await guest.dial(LOOPBACK, port) == peer
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert guest.linked == {peer}
        assert host.linked == {guest.identity.public}


@pytest.mark.parametrize("seated", [True, False])
async def test_messages_that_nobody_takes_stay_in_the_senders_hands(seated):
    """A peer that floods fills its own socket, not this program's memory; nothing is lost. Of who
    has no seat fewer wait: what others say stood behind a thousand of them for many seconds."""
    async with (
        open_node(Identity(os.urandom(32)), "1") as host,
        open_node(Identity(os.urandom(32)), "1") as guest,
    ):
        port = await host.listen(0, LOOPBACK)
        host.seated = frozenset({guest.identity.public} if seated else ())
        await guest.dial(LOOPBACK, port)
        for number in range(MANY):
            guest.send(host.identity.public, b"%d" % number)
        assert isinstance(await host.events.receive(), PeerConnected)
        await trio.testing.wait_all_tasks_blocked(0.1)
        assert host.events.waiting == (UNREAD if seated else FEW)
        bodies = []
        while len(bodies) < MANY:
            event = await host.events.receive()
            assert isinstance(event, PeerMessage)
            bodies.append(int(event.body))
        assert bodies == list(range(MANY))


@pytest.mark.parametrize("seated", [True, False])
async def test_of_a_stranger_little_is_read_at_one_time(seated, monkeypatch):
    """Thousands of messages in which nothing is said, on sixteen links of one address, kept a host
    so busy between two turns of its loop that no guest came in."""
    read, real, stranger = [], Channel.receive, Identity(os.urandom(32))
    async with open_node(Identity(os.urandom(32)), "1") as host:
        host.seated = frozenset({stranger.public} if seated else ())
        port = await host.listen(0, LOOPBACK)
        stream, channel = await shaken_at(port, stranger)
        monkeypatch.setattr(
            Channel, "receive", lambda own, data: read.append(len(data)) or real(own, data)
        )
        for _ in range(3000):
            channel._post(channel._sender.encrypt(b"", b""))
        await stream.send_all(channel.data_to_send())
        await trio.sleep(0.5)
        await stream.aclose()
    assert sum(read) >= 3000 * 18
    assert (max(read) <= SIP) != seated


async def test_what_strangers_say_at_length_is_passed_over():
    """They have nothing long to say; to take such a message apart costs many milliseconds."""
    async with (
        open_node(Identity(os.urandom(32)), "1") as host,
        open_node(Identity(os.urandom(32)), "1") as guest,
    ):
        await guest.dial(LOOPBACK, await host.listen(0, LOOPBACK))
        assert isinstance(await host.events.receive(), PeerConnected)
        for body in (bytes(SHORT + 1), b"short"):
            guest.send(host.identity.public, body)
        assert (await host.events.receive()).body == b"short"
        host.seated = frozenset({guest.identity.public})
        guest.send(host.identity.public, bytes(SHORT + 1))
        assert (await host.events.receive()).body == bytes(SHORT + 1)


async def test_who_reads_nothing_fills_no_more_memory_than_is_meant_for_it():
    """It goes on to send, so that its link is not silent; what was read counts no more."""
    async with AsyncExitStack() as stack:
        program = await stack.enter_async_context(open_node(Identity(os.urandom(32)), "1"))
        stream, _ = await shaken_at(await program.listen(0, LOOPBACK))
        await stack.enter_async_context(stream)
        peer, large = (await program.events.receive()).identity, bytes(60_000)
        for _ in range(3):
            for _ in range(WAITING // 2 // len(large)):
                program.send(peer, large)
            read = 0
            while read < WAITING // 2 - 2 * len(large):
                data = await stream.receive_some(1 << 20)
                assert data
                read += len(data)
        assert program.linked == {peer}
        for _ in range(2 * WAITING // len(large)):
            program.send(peer, large)
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert program.linked == frozenset()


async def _shaken(stream, identity):
    """Shake hands with a program; return the channel."""
    channel = Channel(True, identity, "1", os.urandom(32))
    while not channel.established:
        await stream.send_all(channel.data_to_send())
        channel.receive(await stream.receive_some(4096))
    await stream.send_all(channel.data_to_send())
    return channel


async def shaken_at(port, identity=None):
    """Return a stream and a channel, shaken hands with a program."""
    stream = await trio.open_tcp_stream(LOOPBACK, port)
    return stream, await _shaken(stream, identity or Identity(os.urandom(32)))


@pytest.mark.parametrize("spoil", ["nonsense", "broken", "password"])
async def test_whatever_a_stranger_sends_the_lobby_goes_on(spoil):
    """Bad messages in a row, broken sealings, a proof left half-way: a guest still sits down."""
    async with open_node(Identity(os.urandom(32)), "1") as host:
        hosting = LobbyHost(host, Lobby(new_table(host, 3)), lambda info: None, Gate(host, "right"))
        port = await host.listen(0, LOOPBACK)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hosting.run, lambda info: False)
            for _ in range(4):
                stream, channel = await shaken_at(port)
                if spoil == "nonsense":
                    await stream.send_all(
                        b"".join(channel.send(encode(("nope", 0))) for _ in range(6))
                    )
                elif spoil == "broken":
                    await stream.send_all(b"\x00\x20" + bytes(32) + b"\x00\x20" + bytes(32))
                else:
                    element = PasswordProof(
                        True, "x", Parties(bytes(32), bytes(32), b""), os.urandom(32)
                    ).start()
                    await stream.send_all(channel.send(encode(("password", element))))
                await stream.aclose()
            host.send(bytes(32), b"nobody")
            async with open_node(Identity(os.urandom(32)), "1") as guest:
                assert await guest.dial(LOOPBACK, port) == host.identity.public
            nursery.cancel_scope.cancel()
