"""A program that is started again after its accept, and whose seat was given up meanwhile."""

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


async def test_where_a_table_waits_for_ever_a_start_that_it_gave_up_is_not_waited_for(clock):
    """Honest people alone: a start came to nothing while one of them was away, and the host's
    person gave up that seat. The accept of who came back was passed over, and it waited for good.
    """
    async with trio.open_nursery() as nursery, open_node(ANN, VERSION) as ann:
        host, key = await asked_to_sit(nursery, ann, seats=3)
        await host.sees("host", "ann", "free")
        ben = await nursery.start(Accepts("ben").run, (LOOPBACK, host.port))
        await host.sees("host", "ann", "ben")
        info = host.hosting.lobby.info
        host.hosting.lobby.info = replace(info, settings=TableSettings(0), people=3)
        host.hosting.publish()
        await said(ann, "offer")
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
