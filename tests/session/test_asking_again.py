"""A guest that asks for its seat again and again: its host and all others go on."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager, suppress

import trio

from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.client import NO_PASSWORD
from lanplay.session.settings import TableWish
from lanplay_protocol.channel.secure import Channel
from lanplay_protocol.identity import Identity
from lanplay_protocol.shell.journal import journals
from tests.session.harness import client_of
from tests.session.test_commands import Watched, following, port_of, until
from tests.shell.test_forming import LOOPBACK, VERSION, wish


async def test_a_guest_that_asks_to_join_again_and_again_ends_no_host(tmp_path):
    """Few of its requests show the table anew, whatever is announced of it meanwhile."""
    hosts = Watched(
        client_of(tmp_path / "a", "Ann").host(TableWish("charidice", 4, "random"), NO_PASSWORD)
    )
    async with _linked(hosts) as (stream, channel, asks):
        for _ in range(20):
            await stream.send_all(b"".join(channel.send(asks) for _ in range(100)))
        await trio.sleep(1)
        shown = [each.info.free for each in hosts.of(e.LobbyChanged)]
        assert shown[-1] == 2
        assert len(shown) < 20
        hosts.session.submit(c.LeaveTable())
        await until(lambda: hosts.left)


async def test_a_host_that_leaves_while_a_start_is_agreed_on_keeps_no_game(tmp_path):
    """Nobody can begin it any more; it was listed as one that can go on."""
    hosts = Watched(
        client_of(tmp_path / "a", "Ann").host(TableWish("charidice", 2, "random"), NO_PASSWORD)
    )
    async with _linked(hosts) as (stream, channel, asks):
        await stream.send_all(channel.send(asks))
        await until(lambda: journals(tmp_path / "a" / "games"))
        hosts.session.submit(c.LeaveTable())
        await until(lambda: hosts.left)
        assert not journals(tmp_path / "a" / "games")


@asynccontextmanager
async def _linked(hosts):
    """Give a stream and a channel of somebody linked to a host, and its wish for a seat."""
    async with following(hosts):
        await until(lambda: port_of(hosts))
        eve = Identity(os.urandom(32))
        stream, channel = await _shaken(int(port_of(hosts)), eve)
        async with stream, trio.open_nursery() as nursery:
            nursery.start_soon(_read, stream)
            yield stream, channel, wish(eve, "eve")
            nursery.cancel_scope.cancel()


async def _read(stream):
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        async for _ in stream:
            pass


async def _shaken(port, identity):
    """Return a stream and a channel, shaken hands with a program."""
    stream = await trio.open_tcp_stream(LOOPBACK, port)
    channel = Channel(True, identity, VERSION, os.urandom(32))
    while not channel.established:
        await stream.send_all(channel.data_to_send())
        channel.receive(await stream.receive_some(4096))
    await stream.send_all(channel.data_to_send())
    return stream, channel
