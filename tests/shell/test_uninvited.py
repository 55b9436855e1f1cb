"""Words that nobody asked for cost a table nothing."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from lanplay_protocol.identity import Identity
from lanplay_protocol.shell import archive as archive_module
from lanplay_protocol.shell.archive import Archive, asking
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.wire import encode
from tests.byzantine.stand_ins import installed
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.shell.test_beginning import Liar, sits, until
from tests.shell.test_forming import LOOPBACK, VERSION, end


@pytest.fixture
def clock():
    return MockClock(autojump_threshold=0.01)


class Later(Liar):
    """A host that shows its table in a later term."""

    term = 0

    @property
    def info(self):
        return replace(super().info, term=self.term)


@pytest.mark.parametrize("body", [("start", 0), ("start", ((1,),))])
async def test_a_strangers_start_that_nobody_can_read_costs_nobody_the_seat(clock, body):
    """A start came to nothing; then somebody else sends a certificate that is none."""
    async with trio.open_nursery() as nursery:
        host = await nursery.start(Later().run)
        ann, _ = await sits(nursery, host), await sits(nursery, host, "ben")
        await ann.until(lambda it: len(it.info.guests) == 3)
        host.send(host.offer, ann.identity.public)
        await until(lambda: ann.kept)
        await trio.sleep(1)
        host.term = 1  # the host has given that start up
        host.node.send(ann.identity.public, encode(("table", host.info.plain())))
        await ann.until(lambda it: it.info.term == 1)
        async with open_node(Identity(os.urandom(32)), VERSION) as stranger:
            found = await stranger.dial(LOOPBACK, ann.port)
            stranger.send(found, encode(body))
            await trio.sleep(5)
        assert not ann.refused
        end(nursery)


def test_who_asks_for_an_ended_game_again_and_again_reads_no_disk_each_time(tmp_path, monkeypatch):
    """Whoever has played a game with this program once may ask for its end."""
    with installed():
        table = begun(3, seed=b"ended")
        table.run(seconds=900)
        assert table.is_over()
        record = record_of(table)
        archive = Archive(tmp_path)
        archive.keep(record, missed=False)
        loads = []
        real = archive_module.load
        monkeypatch.setattr(archive_module, "load", lambda path: loads.append(path) or real(path))
        for _ in range(20):
            archive.answers(table.roster.peers[2].public, asking(table.roster))
    assert len(loads) < 5
