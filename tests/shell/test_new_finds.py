"""What an outsider, a guest, a host or a disk can do to the shell of an honest program."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio

from lanplay.errors import Fault
from lanplay.games import load
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.client import NO_PASSWORD
from lanplay.session.saved import all_games
from lanplay.session.settings import TableWish, Target
from lanplay_protocol.channel.attempts import Attempts
from lanplay_protocol.channel.secure import Channel
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo, filled
from lanplay_protocol.replica.roster import TERMS
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.beginning import Beginning
from lanplay_protocol.shell.guest import join
from lanplay_protocol.shell.host import LobbyHost
from lanplay_protocol.shell.journal import Damaged, Journal, JournalError, read_journal
from lanplay_protocol.shell.node import UNREAD, PeerMessage, open_node
from lanplay_protocol.shell.offers import Offers
from lanplay_protocol.shell.spectator_client import SpectatorClient
from lanplay_protocol.wire import encode
from tests.session.harness import client_of
from tests.session.test_commands import Watched, following, port_of, until
from tests.shell import test_beginning, test_journal
from tests.shell.test_beginning import Liar, sits
from tests.shell.test_forming import LOOPBACK, VERSION, Program, clock, end, table  # noqa: F401
from tests.shell.test_table import GAME, new_table

TABLE = "0" * 32


async def test_a_guest_that_asks_to_join_again_and_again_ends_no_host(tmp_path):
    """Each request publishes the table anew; what is announced of it falls behind."""
    hosts = Watched(
        client_of(tmp_path / "a", "Ann").host(TableWish("charidice", 4, "random"), NO_PASSWORD)
    )
    async with following(hosts):
        await until(lambda: port_of(hosts))
        stream, channel = await _shaken(int(port_of(hosts)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_read, stream)
            wish = encode(("join", ("eve", 1, bytes(32), "")))
            with suppress(trio.BrokenResourceError):
                for _ in range(300):
                    await stream.send_all(b"".join(channel.send(wish) for _ in range(100)))
            await trio.sleep(1)
            assert [each.info.free for each in hosts.of(e.LobbyChanged)][-1] == 2
            nursery.cancel_scope.cancel()
        hosts.session.submit(c.LeaveTable())
        await until(lambda: hosts.left)


async def _read(stream):
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        async for _ in stream:
            pass


async def _shaken(port):
    """Return a stream and a channel, shaken hands with a program."""
    stream = await trio.open_tcp_stream(LOOPBACK, port)
    channel = Channel(True, Identity(os.urandom(32)), VERSION, os.urandom(32))
    while not channel.established:
        await stream.send_all(channel.data_to_send())
        channel.receive(await stream.receive_some(4096))
    await stream.send_all(channel.data_to_send())
    return stream, channel
