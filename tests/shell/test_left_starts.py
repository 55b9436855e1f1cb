"""Who leaves each start by its word, over real sockets on a virtual clock."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from lanplay_protocol.lobby import parse_table
from lanplay_protocol.replica.roster import parse_roster
from lanplay_protocol.replica.start import ACCEPT, accept
from lanplay_protocol.shell.events import Events, PeerConnected, PeerMessage
from lanplay_protocol.shell.host import OFTEN, REST_SECONDS
from lanplay_protocol.wire import decode, encode
from tests.shell.test_forming import LOOPBACK, Program, end, table, wish


@pytest.fixture
def clock():
    return MockClock(autojump_threshold=0.01)


class Leaves(Program):
    """It sits down, and leaves each start at once: as one that has accepted a later one."""

    offers = 0

    async def attend(self, address):
        host = await self.node.dial(*address)
        self.node.send(host, wish(self.identity, self.name, os.urandom(32)))
        while self.offers < 40:
            event = await self.node.events.receive()
            if isinstance(event, PeerMessage) and event.identity == host:
                kind, payload = decode(event.body)
                if kind == "table":
                    self.saw(parse_table(payload))
                elif kind == "offer":
                    self.offers += 1
                    offer = parse_roster(payload[0])
                    void = accept(replace(offer, term=offer.term + 1), self.identity)
                    self.node.send(host, encode((ACCEPT, void.plain())))
        await trio.sleep_forever()


async def test_a_host_rests_before_it_begins_again_what_is_left_each_time(clock):
    """Each offer is a write to the disk of everybody, and a term, of which a table has so many."""
    async with trio.open_nursery() as nursery:
        host, ann = await table(nursery, "ann", seats=3)
        ben = Leaves("ben")
        await nursery.start(ben.run, (LOOPBACK, host.port))
        await trio.sleep(2)
        assert ben.offers == OFTEN
        await trio.sleep(10 * REST_SECONDS)
        assert ben.offers <= OFTEN + 10
        assert ben.offers >= OFTEN + 9
        assert ann.info.term == host.info.term
        end(nursery)


async def test_who_leaves_each_start_makes_no_honest_guest_refuse(clock, monkeypatch):
    """An offer that followed at once was compared before the table that it is of was seen, and who
    is honest refused it, and was named."""
    monkeypatch.setattr("lanplay_protocol.shell.host.OFTEN", 40)
    async with trio.open_nursery() as nursery:
        host, ann = await table(nursery, "ann", seats=3)
        refused, real = [], ann.node.send

        def send(to, body):
            refused.extend([body] if decode(body)[0] == "refuse" else [])
            real(to, body)

        ann.node.send = send
        ben = Leaves("ben")
        await nursery.start(ben.run, (LOOPBACK, host.port))
        await trio.sleep(20)
        assert ben.offers == 40
        assert not refused
        end(nursery)


async def test_an_offer_that_comes_before_the_table_that_it_is_of_ends_no_program(clock):
    """Who had lost its host, and hosted the table itself meanwhile, asks to sit down again: what
    that host had said before comes first. Its program ended, as if the others had begun."""
    async with trio.open_nursery() as nursery:
        host, ann = await table(nursery, "ann", seats=3)
        real = host.node.send

        def send(to, body):
            if to == ben.identity.public and decode(body)[0] == "table":
                real(to, encode(("offer", ())))
            real(to, body)

        host.node.send = send
        ben = Program("ben")
        await nursery.start(ben.run, (LOOPBACK, host.port))
        for each in (host, ann, ben):
            await each.sees("host", "ann", "ben")
        end(nursery)


async def test_what_was_taken_too_early_comes_before_what_came_since():
    """A table was put behind the offer that hangs on it, or behind a newer one of its host."""
    events, said = Events(), [PeerMessage(b"host", bytes([n])) for n in range(4)]
    for each in said[:3]:
        events.put(each)
    taken = [PeerConnected(b"host", "", False), *[await events.receive() for _ in range(2)]]
    events.put(said[3])
    events.put_back(taken)
    assert [await events.receive() for _ in said] == said
