"""Messages whose kind is no text: they end a connection, and no program."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.ended_game import EndedGame
from lanplay_protocol.shell.archive import Archive
from lanplay_protocol.shell.node import PeerMessage
from lanplay_protocol.wire import encode
from tests.replica.harness import Table, identity, roster
from tests.shell.test_asking import playing  # noqa: F401
from tests.shell.test_host import ANN, hosting

ODD = [encode(({}, 0)), encode((({},), 0))]


@pytest.mark.parametrize("body", ODD)
async def test_a_seated_peer_ends_no_game_by_a_kind_that_is_a_map(playing, body):  # noqa: F811
    playing._player.notice = lambda text: None
    playing._take(PeerMessage(identity(2).public, body))
    assert [to for to, _ in playing.node.closed] == [identity(2).public]


@pytest.mark.parametrize("body", ODD)
async def test_a_stranger_ends_no_forming_table_by_a_kind_that_is_a_map(body):
    table = hosting()
    await table._take(PeerMessage(ANN, body))


@pytest.mark.parametrize("body", ODD)
def test_who_is_shown_the_end_of_a_game_ends_no_program(tmp_path, body):
    table = Table(roster(3), seed=b"archived")
    table.start()
    table.run(lambda t: t.is_over(), seconds=3000)
    archive = Archive(tmp_path)
    archive._shown[identity(2).public] = EndedGame(table.replicas[0].proof)
    assert archive.answers(identity(2).public, body) in (None, ())
