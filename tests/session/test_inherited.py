"""A table that a program has inherited from a host with other AI than it has itself."""

from __future__ import annotations

from dataclasses import replace

import trio

from lanplay.session import commands as c
from lanplay.session.client import NO_PASSWORD
from lanplay.session.hosting import host_table, new_table, opened
from lanplay.session.settings import TableWish
from lanplay.session.table import TableSession, TableStage
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Seat
from lanplay_protocol.shell.node import open_node
from tests.session.harness import client_of
from tests.session.test_commands import until
from tests.shell.test_forming import LOOPBACK, VERSION


async def test_whoever_inherits_a_table_hosts_it_whatever_ai_sits_there(tmp_path):
    """Its host had AI of another package, or said so, and went: each heir's program ended."""
    client = client_of(tmp_path, "Ann")
    session = TableSession(client, NO_PASSWORD, None)
    identity = Identity(bytes(32))
    info = new_table(TableWish("charidice", 3, "random"), client.profile)
    info = replace(info, settings=replace(info.settings, bot="another's"))
    async with open_node(identity, VERSION) as node, trio.open_nursery() as nursery:
        await node.listen(0, LOOPBACK)
        table = opened(info, node, client.profile)
        seats = (table.lobby.info.seats[0], Seat("Zed", identity.public, "zed's own"), Seat())
        table.lobby.info = replace(table.lobby.info, seats=seats)
        nursery.start_soon(host_table, node, table, session)
        await until(lambda: session.stage is TableStage.FORMING)
        session.submit(c.StartGame())
        await until(lambda: session.stage is TableStage.PLAYING and session.played)
        nursery.cancel_scope.cancel()
