"""Games in progress of this installation, as they are gone on with."""

from __future__ import annotations

import errno
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace

import pytest
import trio
from trio.testing import MockClock

from lanplay.engine.record import SUFFIX, load
from lanplay.errors import Fault, UserError
from lanplay.files import locked
from lanplay.session import joining, lifecycle, on_disk, saved
from lanplay.session.client import NO_PASSWORD
from lanplay.session.local import played_alone
from lanplay.session.playing import PlayedTable, trusts
from lanplay.session.profile import FILE, own_identity, session_identity
from lanplay.session.reconnect import running
from lanplay.session.settings import Network, TableWish
from lanplay.session.table import TableSession
from lanplay.session.trust import KnownKeys
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.restart import boundary, last_boundary
from lanplay_protocol.replica.roster import Peer
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.archive import Archive
from lanplay_protocol.shell.beginning import FrozenTable
from lanplay_protocol.shell.discovery import Found
from lanplay_protocol.shell.journal import Journal, SavedGame
from lanplay_protocol.shell.node import open_node
from tests.replica.harness import GAME, Table, roster
from tests.replica.test_ended_game import near_the_end, record_of
from tests.session.harness import client_of
from tests.shell.test_forming import LOOPBACK, VERSION, table


async def test_a_game_continued_anew_is_gone_on_with_though_its_program_ended_as_it_began(
    monkeypatch, tmp_path
):
    """It was taken for an offer that nobody had begun: its peers, who play, had nothing to accept,
    and it went to look for a table that there was none of."""
    own = own_identity(tmp_path, print)
    two = roster(2)
    peers = (two.peers[0], Peer(own.public, "Me", two.peers[1].seats, bytes(32)))
    played = Table(two, seed=b"anew")
    played.start()
    played.run(lambda t: t.replicas[0].context.referee.table.round > 1, seconds=600)
    past = list(played.replicas[0].context.referee.history)
    before = boundary(GAME, two.header, past, last_boundary(GAME, two, past))
    anew = replace(two, peers=peers, start=GAME.snapshot(before))
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


async def test_who_looks_at_the_lobby_first_is_told_that_another_program_has_its_identity(tmp_path):
    """The lobby shows ends that others missed, and had taken the warning for nobody."""
    table = near_the_end()
    table.run(seconds=60)
    Archive(tmp_path / "ended").keep(record_of(table), missed=True)
    (tmp_path / FILE).write_bytes(bytes(32))
    said = []
    with (tmp_path / FILE).open("rb+") as other:
        assert locked(other.fileno())
        async with client_of(tmp_path).tables():
            await trio.sleep(0.3)
        session_identity(tmp_path, said.append)
    assert [each.saying for each in said] == [Fault.IDENTITY_IN_USE]


def test_a_damaged_identity_is_named_each_time_that_it_is_needed(tmp_path):
    """The second time it counted as one that another program uses, and somebody unknown played."""
    (tmp_path / FILE).write_bytes(b"short")
    for _ in range(2):
        with pytest.raises(UserError) as caught:
            session_identity(tmp_path, pytest.fail)
        assert caught.value.told.saying is Fault.NO_IDENTITY


@pytest.fixture
def clock():
    """Seconds pass when every program waits for them, and for nothing else."""
    return MockClock(autojump_threshold=0.01)


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


async def test_what_was_accepted_is_kept_until_the_next_offer_is(monkeypatch, tmp_path):
    """Others may begin it as long as nothing else is signed: a program that was killed in between
    had accepted a game of which it kept nothing."""
    session = TableSession(client_of(tmp_path), NO_PASSWORD, None)
    first = replace(roster(2), table="7" * 32, term=1)
    on_disk.keep_offer(session, FrozenTable(first, {}), {}, False)
    create = Journal.create
    monkeypatch.setattr(Journal, "create", lambda *_: raised(Killed))
    with pytest.raises(Killed):
        on_disk.keep_offer(session, FrozenTable(replace(first, term=2), {}), {}, False)
    monkeypatch.setattr(Journal, "create", create)
    session.accepted[1].close()
    assert [kept.roster for _, kept in saved.all_games(tmp_path / "games")] == [first]


def raised(error):
    raise error


async def test_what_was_accepted_goes_with_the_next_offer_and_has_one_seed(tmp_path):
    session, seeds = TableSession(client_of(tmp_path), NO_PASSWORD, None), []
    for term in (1, 2, 2):
        offer = replace(roster(2), table="7" * 32, term=term)
        on_disk.keep_offer(session, FrozenTable(offer, {}), {}, False)
        seeds.append(session.accepted[0].seed)
    session.accepted[1].close()
    assert [kept.roster.term for _, kept in saved.all_games(tmp_path / "games")] == [2]
    assert seeds[0] != seeds[1] == seeds[2]


async def test_who_goes_on_where_its_port_is_taken_listens_at_another_one():
    """The others look for it where they last knew it, and find it where it is announced."""

    class Listens(SimpleNamespace):
        async def listen(self, port, host):
            self.ports.append(port)
            if port:
                raise OSError(errno.EADDRINUSE, "in use")

    two = roster(2)
    own = two.peers[0].public
    node = Listens(identity=SimpleNamespace(public=own), ports=[], interfaces=())
    kept = SavedGame(two, {own: ((LOOPBACK, 4001),)}, bytes(32), {})
    await saved._listen(node, kept, Network())
    assert node.ports == [4001, 0]


async def test_a_start_that_was_left_goes_once_its_table_offers_another(tmp_path):
    """It was a game that can go on, for good, and whoever went on with it waited there for nobody.
    What this program had trusted may have begun, and other tables are other tables; what it keeps
    as somebody else, whose key another program has now, is not for it to judge."""
    session = TableSession(client_of(tmp_path), NO_PASSWORD, None)
    games, own, offer = tmp_path / "games", session.identity().public, roster(2)
    other = replace(offer, table="7" * 32)
    offer = replace(other, peers=(Peer(own, "Me", (0,)), offer.peers[1]), term=3)
    trusted = ("move", (0, SETUP - 1, b"", bytes(64)))
    left, elsewhere = replace(offer, term=1), replace(offer, table="8" * 32, term=1)
    begun, others = replace(offer, term=0), replace(other, term=2)
    for start, entries in ((left, ()), (begun, (trusted,)), (elsewhere, ()), (others, ())):
        journal = Journal.create(games, SavedGame(start, {}, bytes(32), {}))
        for each in entries:
            journal.append(each)
        journal.close()
    on_disk.keep_offer(session, FrozenTable(offer, {}), {}, False)
    session.accepted[1].close()
    kept = {(each.roster.table[0], each.roster.term) for _, each in saved.all_games(games)}
    assert kept == {("7", 3), ("7", 2), ("7", 0), ("8", 1)}


async def test_who_was_restarted_in_a_setup_that_came_to_nothing_goes_back_to_the_table(
    monkeypatch, tmp_path
):
    """All others did so by themselves; its program took the game for ended, and told its person."""
    own = own_identity(tmp_path, print)
    two = replace(roster(2), table="7" * 32)
    me = Peer(own.public, "Me", two.peers[1].seats, bytes(32))
    begun = replace(two, peers=(two.peers[0], me), accepts=(bytes(64), bytes(64)))
    places = {two.peers[0].public: (("10.0.0.1", 4001),)}
    client = client_of(tmp_path)
    went = []

    async def go_on(node, journal, kept, entries, session):
        outcome = SimpleNamespace(halted=Fault.LEFT_EARLY.of(names="Ann"))
        return PlayedTable(outcome, FrozenTable(kept.roster, places), void=True)

    async def play_until_left(session, identity, seat):
        went.append(seat(SimpleNamespace(identity=identity)))

    monkeypatch.setattr(saved, "go_on", go_on)
    monkeypatch.setattr(saved, "play_until_left", play_until_left)
    session = TableSession(client, NO_PASSWORD, None)
    monkeypatch.setattr(session, "identity", lambda: own)
    journal = Journal.create(client.store.games, SavedGame(begun, {}, bytes(32), {}))
    journal.append(("anew", bytes(32)))
    journal.close()
    with trio.fail_after(20):
        await saved.resumed(session, journal.path)
    assert [target.places for target in went] == [places[two.peers[0].public]]


async def test_who_was_restarted_goes_back_to_the_host_whoever_answers_first(
    monkeypatch, tmp_path, clock
):
    """Its accept had come to nothing. It asked one of all that were there: a guest said that it
    hosts nothing, and the program ended."""
    own = own_identity(tmp_path, print)
    session = TableSession(client_of(tmp_path, "cid"), NO_PASSWORD, None)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            host, ann = await table(nursery, "ann")
            keys = (host.identity.public, ann.identity.public, own.public)
            peers = tuple(Peer(key, f"p{n}", (n,), bytes(32)) for n, key in enumerate(keys))
            void = replace(roster(3, settings=TableSettings(1)), peers=peers, table="7" * 32)
            places = {each.identity.public: ((LOOPBACK, each.port),) for each in (host, ann)}

            async def quickest_first(addresses):
                return sorted(addresses, key=lambda at: at[1] != ann.port)

            monkeypatch.setattr(joining, "quickest_first", quickest_first)
            monkeypatch.setattr(joining, "playable", lambda roster: None)
            async with open_node(own, VERSION) as node:
                found = await saved._begun(node, SavedGame(void, places, bytes(32), {}), session)
                assert {port for _, port in found.places} == {host.port, ann.port}
            async with open_node(own, VERSION) as node:
                nursery.start_soon(joining.sit_down, node, found, session)
                await host.sees("host", "ann", "cid", "free")
                nursery.cancel_scope.cancel()


async def test_a_password_that_was_proven_is_so_for_who_was_restarted_before_the_game(
    monkeypatch, tmp_path
):
    """Killed between its accept and the first word of the game it took the table for one without:
    it wanted words compared that no other screen showed, and a program without a person ended."""
    own = own_identity(tmp_path, print)
    two = replace(roster(2), table="7" * 32)
    me = Peer(own.public, "Me", two.peers[1].seats, bytes(32))
    begun = replace(two, peers=(two.peers[0], me), accepts=(bytes(64), bytes(64)))
    sat = []

    async def play(node, seated, session):
        known = KnownKeys(tmp_path)
        sat.append((trusts(seated, own.public, known, session.client.profile), seated.gate))
        scope.cancel()
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(lifecycle, "play", play)
    session = TableSession(client_of(tmp_path, auto="casual"), NO_PASSWORD, None)
    monkeypatch.setattr(session, "identity", lambda: own)
    Journal.create(tmp_path / "games", SavedGame(begun, {}, bytes(32), {}, "", True)).close()
    (path,) = (tmp_path / "games").iterdir()
    with trio.move_on_after(20) as scope:
        await saved.resumed(session, path)
    assert sat == [(True, None)]


async def test_the_newest_game_that_is_played_is_gone_on_with_whichever_is_announced_first(
    monkeypatch, tmp_path, clock
):
    """Two of four went on anew, one of them is started again; those left behind play the old game:
    what they announce came first, and it left the one that waited for it in the new game."""
    old = SavedGame(roster(4), {}, bytes(32), {})
    new = SavedGame(replace(roster(2), start=(1,)), {}, bytes(32), {})
    rows = [Found(running(each, roster(4).peers[0].public, 4000), ()) for each in (old, new)]
    seen = rows[:1]

    class Nearby:
        tables = property(lambda self: seen)

        async def changed(self):
            await trio.sleep(0.3)
            seen[:] = rows

    @asynccontextmanager
    async def opened(_):
        yield Nearby()

    monkeypatch.setattr(saved, "open_discovery", opened)
    games = [(tmp_path / name, kept) for name, kept in (("new", new), ("old", old))]
    found = await saved.looked_for(games, client_of(tmp_path).network)
    assert [game.playing for game in found] == [True, True]
