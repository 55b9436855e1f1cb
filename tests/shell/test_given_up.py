"""A program that is started again after its accept, and whose seat was given up meanwhile."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.roster import Peer
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.beginning import Beginning, Unbegun
from lanplay_protocol.shell.node import open_node
from tests.replica.harness import roster
from tests.shell.test_forming import LOOPBACK, TABLE, VERSION, end, table


@pytest.fixture
def clock():
    return MockClock(autojump_threshold=0.01)


async def test_where_a_table_waits_for_ever_a_start_that_it_gave_up_is_not_waited_for(clock):
    """Honest people alone: the start came to nothing, and the host freed the seat of who was away.
    That one's accept was passed over, and it waited for good for a start that nobody wants."""
    own = Identity(os.urandom(32))
    async with trio.open_nursery() as nursery:
        host, ann = await table(nursery, "ann")
        host.hosting.lobby.info = replace(host.hosting.lobby.info, term=2)
        keys = (host.identity.public, ann.identity.public, own.public)
        peers = tuple(Peer(key, f"p{n}", (n,), bytes(32)) for n, key in enumerate(keys))
        void = replace(roster(3, settings=TableSettings(0)), peers=peers, table=TABLE, term=1)
        places = {each.identity.public: ((LOOPBACK, each.port),) for each in (host, ann)}
        async with open_node(own, VERSION) as node:
            with trio.fail_after(300):
                found = await Beginning(node, void, places, keys[0]).run(str)
            assert isinstance(found, Unbegun)
            assert "went back to the table" in str(found.why)
            assert keys[0] in node.linked  # it asks there for a seat
        end(nursery)
