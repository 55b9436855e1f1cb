"""Two programs that dial each other at the same moment end with one link, the same for both."""

from __future__ import annotations

import os

import pytest
import trio

from lanplay_protocol.identity import Identity
from lanplay_protocol.shell.node import PeerMessage, open_node

HOST = "127.0.0.1"


async def message(node):
    while not isinstance(event := await node.events.receive(), PeerMessage):
        pass
    return event.body


@pytest.mark.parametrize("attempt", range(8))
async def test_who_dial_each_other_at_once_are_linked(attempt):
    """Neither closes what the other keeps, whichever connection each of them sees first."""
    async with (
        open_node(Identity(os.urandom(32)), "1") as one,
        open_node(Identity(os.urandom(32)), "1") as other,
    ):
        ports = await one.listen(0, HOST), await other.listen(0, HOST)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.dial, HOST, ports[1])
            nursery.start_soon(other.dial, HOST, ports[0])
        await trio.sleep(0.1)
        assert one.linked == {other.identity.public}
        assert other.linked == {one.identity.public}
        one.send(other.identity.public, b"from one")
        other.send(one.identity.public, b"from the other")
        with trio.fail_after(60):
            assert (await message(one), await message(other)) == (b"from the other", b"from one")


@pytest.mark.parametrize("first", [0, 1])
async def test_a_later_connection_takes_the_place_of_one_that_may_be_dead(first):
    """Whoever was gone for a while and dials is heard at once, whichever key is the smaller one."""
    identities = sorted([Identity(bytes([n]) * 32) for n in (1, 2)], key=lambda each: each.public)
    async with (
        open_node(identities[first], "1") as one,
        open_node(identities[1 - first], "1") as other,
    ):
        ports = await one.listen(0, HOST), await other.listen(0, HOST)
        await one.dial(HOST, ports[1])
        assert (await one.events.receive()).dialled
        assert not (await other.events.receive()).dialled
        (old,), (far,) = one._links.values(), other._links.values()
        old.since = far.since = trio.current_time() - 60
        await other.dial(HOST, ports[0])
        with trio.fail_after(60):
            assert not (await one.events.receive()).dialled
        assert old not in one._links.values()


async def test_a_sign_of_life_brings_another_so_that_a_table_wakes_at_one_time():
    """But none within a second of the last one: it is no echo."""
    async with (
        open_node(Identity(bytes(32)), "1") as one,
        open_node(Identity(bytes([1]) * 32), "1") as other,
    ):
        await one.dial(HOST, await other.listen(0, HOST))
        await other.events.receive()
        given = other._beaten = trio.current_time() - 1.0
        one._beat(0.0)
        for _ in range(90):
            await trio.sleep(0.01 if other._beaten == given else 0.0)
        assert other._beaten > given
        given = other._beaten
        one._beat(0.0)
        await trio.sleep(0.1)
        assert other._beaten == given
