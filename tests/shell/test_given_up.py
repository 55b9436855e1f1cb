"""Starts that are waited for without end, at a table whose grace is 0, and how that ends."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from lanplay.errors import Mistake
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.beginning import Beginning, Unbegun
from lanplay_protocol.shell.guest import join
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.wire import encode
from tests.shell.test_beginning import ANN, asked_to_sit, said
from tests.shell.test_forming import LOOPBACK, VERSION, Program, end


@pytest.fixture
def clock():
    return MockClock(autojump_threshold=0.01)


class Accepts(Program):
    """It keeps what it accepts, and is killed then."""

    def accepting(self, offer):
        self.offer = offer
        self.node._nursery.start_soon(self.killed)

    async def killed(self):
        await trio.sleep(1)
        self.node.send = lambda *_: None
        self.die()

    async def attend(self, address):
        told = partial(join, self.node, *address, self.name, self.saw, self.ask)
        return await told(accepting=self.accepting)


async def offered_for_ever(host, ann):
    """Let a host offer its table, which waits for ever, now that all three sit there."""
    info = host.hosting.lobby.info
    host.hosting.lobby.info = replace(info, settings=TableSettings(0), people=3)
    host.hosting.publish()
    await said(ann, "offer")


async def test_where_a_table_waits_for_ever_a_start_that_it_gave_up_is_not_waited_for(clock):
    """Honest people alone: a start came to nothing while one of them was away, and the host's
    person gave up that seat. The accept of who came back was passed over, and it waited for good.
    """
    async with trio.open_nursery() as nursery, open_node(ANN, VERSION) as ann:
        host, key = await asked_to_sit(nursery, ann, seats=3)
        await host.sees("host", "ann", "free")
        ben = await nursery.start(Accepts("ben").run, (LOOPBACK, host.port))
        await host.sees("host", "ann", "ben")
        await offered_for_ever(host, ann)
        await trio.sleep(5)
        ann.send(key, encode(("refuse", (0, "options"))))
        await host.until(lambda it: it.hosting.lobby.awaited == {ben.identity.public})
        with pytest.raises(Mistake):
            host.hosting.give_up()
        host.hosting.give_up()
        await host.sees("host", "ann", "free")
        async with open_node(ben.identity, VERSION) as node:
            begins = Beginning(node, ben.offer.roster, ben.offer.addresses, key)
            with trio.fail_after(300):
                assert isinstance(await begins.run(str), Unbegun)
            assert key in node.linked  # it asks there for a seat
        end(nursery)


async def test_a_host_may_send_away_whom_a_start_waits_for(clock):
    """A guest that never accepts held a table that waits for ever: its host could only leave it.
    The others stay, and the game can begin."""
    async with trio.open_nursery() as nursery, open_node(ANN, VERSION) as ann:
        host, _key = await asked_to_sit(nursery, ann, seats=3)
        await host.sees("host", "ann", "free")
        cid = await nursery.start(Program("cid").run, (LOOPBACK, host.port))
        await host.sees("host", "ann", "cid")
        await offered_for_ever(host, ann)
        await trio.sleep(100)
        with pytest.raises(Mistake):
            host.hosting.kick("dan")
        host.hosting.kick("ann")
        await host.sees("host", "free", "cid")
        await cid.sees("host", "free", "cid")
        assert host.info.barred == (ANN.public,)
        assert not host.hosting.lobby.awaited
        await said(ann, "out")
        end(nursery)
