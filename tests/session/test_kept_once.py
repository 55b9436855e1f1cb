"""What a program keeps of a game at its end: each game once, and none nowhere."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
import trio

from lanplay.engine.record import SUFFIX
from lanplay.errors import Fault, UserError
from lanplay.session import lifecycle, on_disk, playing, saved
from lanplay.session.client import NO_PASSWORD
from lanplay.session.local import played_alone
from lanplay.session.profile import own_identity
from lanplay.session.settings import TableWish, Target
from lanplay.session.table import TableSession
from lanplay_protocol.replica.roster import Peer
from lanplay_protocol.shell.beginning import FrozenTable
from lanplay_protocol.shell.journal import Journal, SavedGame
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.shell.offers import Offers
from tests.replica.harness import roster
from tests.session.harness import client_of

WISH = TableWish(game="charidice", seats=2, bot="random", options={}, hints=True)


class Killed(BaseException):
    """The program ends here."""


@pytest.fixture
def client(monkeypatch, tmp_path):
    """An installation at which a program plays, and wants no rematch."""

    async def once(session):
        return False

    monkeypatch.setattr(TableSession, "wants_rematch", once)
    return client_of(tmp_path, auto="random")


def records(folder):
    return list((folder / "records").glob(f"*{SUFFIX}"))


async def test_a_game_whose_record_the_disk_refuses_can_be_gone_on_with(
    monkeypatch, tmp_path, client
):
    """Its journal was deleted all the same: it was nowhere then, though its person was told to make
    room."""
    (tmp_path / "records").write_text("in the way")
    await played_alone(TableSession(client, NO_PASSWORD, None), WISH, 7)
    (path,) = (tmp_path / "games").iterdir()
    (tmp_path / "records").unlink()
    await saved.resumed(TableSession(client, NO_PASSWORD, None), path)
    assert len(records(tmp_path)) == 1
    assert not list((tmp_path / "games").iterdir())


async def test_a_kept_game_has_the_whole_command_of_a_program(tmp_path, client):
    """It was cut off after 32 letters, and whatever that called was started in its place."""
    (tmp_path / "records").write_text("in the way")
    bot = f"cmd:{sys.executable} {tmp_path / 'bot.py'} {'x' * 64}"
    program = "import sys\nfor line in sys.stdin:\n    print(0, flush=True)\n"
    (tmp_path / "bot.py").write_text(program)
    await played_alone(TableSession(client, NO_PASSWORD, None), replace(WISH, bot=bot), 7)
    (path,) = (tmp_path / "games").iterdir()
    journal, kept, _entries = Journal.open(path)
    journal.close()
    assert kept.bots[1][0] == bot


async def test_who_is_killed_between_its_record_and_its_journal_has_the_game_once(
    monkeypatch, tmp_path, client
):
    """Gone on with, it was in the history twice; a game that is played again is another one."""
    close = playing.close

    def killed(journal, client, delete=False):
        if delete:
            raise Killed
        return close(journal, client)

    for _ in range(2):
        monkeypatch.setattr(playing, "close", killed)
        with pytest.raises(Killed):
            await played_alone(TableSession(client, NO_PASSWORD, None), WISH, 7)
        monkeypatch.setattr(playing, "close", close)
    assert len(records(tmp_path)) == 2
    for path in list((tmp_path / "games").iterdir()):
        await saved.resumed(TableSession(client, NO_PASSWORD, None), path)
    assert len(records(tmp_path)) == 2


async def test_what_was_accepted_at_a_table_that_is_left_with_a_reason_is_listed(
    monkeypatch, tmp_path
):
    """The program that goes back to its lobby had it open still: its person could not go on with it
    there."""
    session = TableSession(client_of(tmp_path), NO_PASSWORD, None)
    offer = replace(roster(2), table="7" * 32)

    async def sit_down(node, target, session):
        on_disk.keep_offer(session, FrozenTable(offer, {}), {}, False)
        raise UserError(Fault.NO_ADDRESS)

    monkeypatch.setattr(lifecycle, "sit_down", sit_down)
    with pytest.raises(ExceptionGroup):
        await lifecycle.play_until_left(session, own_identity(tmp_path, print), lambda _: Target())
    assert [kept.roster for _, kept in saved.all_games(tmp_path / "games")] == [offer]


async def test_an_accept_that_a_later_one_has_made_void_is_kept_no_longer(tmp_path):
    """Killed while the next one was kept: the void one stayed in the list of games for good."""
    own = own_identity(tmp_path, print)
    two = roster(2)
    me = Peer(own.public, "Me", two.peers[1].seats, bytes(32))
    offer = replace(two, table="7" * 32, peers=(two.peers[0], me))
    offers = Offers(tmp_path / "offers")
    assert offers.accept(replace(offer, term=1), own)
    session = TableSession(client_of(tmp_path), NO_PASSWORD, None)
    kept = SavedGame(offer, {}, bytes(32), {})
    session.accepted = (kept, Journal.create(tmp_path / "games", kept))
    async with open_node(own, "1.2.3") as node:
        node.offers = offers
        with pytest.raises(UserError), trio.fail_after(20):
            await saved._begun(node, kept, session)
    assert not list((tmp_path / "games").iterdir())
