"""Games in progress of this installation, as they are gone on with."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio

from lanplay.engine.record import SUFFIX, load
from lanplay.session import lifecycle, saved
from lanplay.session.client import NO_PASSWORD
from lanplay.session.local import played_alone
from lanplay.session.profile import own_identity
from lanplay.session.settings import TableWish
from lanplay.session.table import TableSession
from lanplay_protocol.replica.roster import Peer
from lanplay_protocol.shell.journal import Journal, SavedGame
from tests.replica.harness import roster
from tests.session.harness import client_of


async def test_a_game_continued_anew_is_gone_on_with_though_its_program_ended_as_it_began(
    monkeypatch, tmp_path
):
    """It was taken for an offer that nobody had begun: its peers, who play, had nothing to accept,
    and it went to look for a table that there was none of."""
    own = own_identity(tmp_path, print)
    two = roster(2)
    peers = (two.peers[0], Peer(own.public, "Me", two.peers[1].seats, bytes(32)))
    anew = replace(two, peers=peers, start=(1,))
    journal = Journal.create(tmp_path / "games", SavedGame(anew, {}, bytes(32), {}))
    journal.close()
    found = []

    async def go_on(node, journal, kept, entries, session):
        found.append((kept.roster, list(entries)))
        scope.cancel()
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(saved, "go_on", go_on)
    session = TableSession(client_of(tmp_path), NO_PASSWORD, None)
    monkeypatch.setattr(session, "identity", lambda: own)
    with trio.move_on_after(20) as scope:
        await saved.resumed(session, journal.path)
    assert found == [(anew, [])]


class Killed(BaseException):
    """The program ends here."""


async def test_who_is_killed_before_the_record_is_kept_has_it_once_the_game_is_gone_on_with(
    monkeypatch, tmp_path
):
    """Its journal was deleted before: a game on one machine was nowhere, and one among laptops was
    in no history."""
    keep = lifecycle.keep

    def killed(outcome, client):
        raise Killed

    async def once(session):
        return False

    monkeypatch.setattr(TableSession, "wants_rematch", once)
    wish = TableWish(game="charidice", seats=2, bot="random", options={}, hints=True)
    client = client_of(tmp_path, auto="random")
    monkeypatch.setattr(lifecycle, "keep", killed)
    with pytest.raises(Killed):
        await played_alone(TableSession(client, NO_PASSWORD, None), wish, 7)
    monkeypatch.setattr(lifecycle, "keep", keep)
    (path,) = (tmp_path / "games").iterdir()
    ended = await saved.resumed(TableSession(client, NO_PASSWORD, None), path)
    (record,) = (tmp_path / "records").glob(f"*{SUFFIX}")
    assert load(record).state_hash == ended.record.state_hash
    assert not list((tmp_path / "games").iterdir())
