"""What an outsider, a guest, a host or a disk can do to the shell of an honest program."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio

from lanplay.errors import Fault
from lanplay.games import load
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.client import NO_PASSWORD
from lanplay.session.saved import all_games
from lanplay.session.settings import TableWish, Target
from lanplay_protocol.channel.attempts import Attempts
from lanplay_protocol.channel.secure import Channel
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo, filled
from lanplay_protocol.replica.roster import TERMS
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.beginning import Beginning
from lanplay_protocol.shell.guest import join
from lanplay_protocol.shell.host import LobbyHost
from lanplay_protocol.shell.journal import Damaged, Journal, JournalError, read_journal
from lanplay_protocol.shell.node import UNREAD, PeerMessage, open_node
from lanplay_protocol.shell.offers import Offers
from lanplay_protocol.shell.spectator_client import SpectatorClient
from lanplay_protocol.wire import encode
from tests.session.harness import client_of
from tests.session.test_commands import Watched, following, port_of, until
from tests.shell import test_beginning, test_journal
from tests.shell.test_beginning import Liar, sits
from tests.shell.test_forming import LOOPBACK, VERSION, Program, clock, end, table  # noqa: F401
from tests.shell.test_table import GAME, new_table

TABLE = "0" * 32


class OddHost(Liar):
    """A host of a game that everybody plays, with a table id of its own taste."""

    table = "odd"
    term = 0

    @property
    def info(self):
        game = load("charidice")
        me = Guest(self.identity.public, "liar", (), bytes(32))
        guests = (me, *self.seated.values())
        seats = (*(Seat(g.name, g.identity) for g in guests), Seat())
        options = tuple((name, values[0]) for name, values in game.options.items())
        head = (self.table, "a table", game.name, game.fingerprint, options)
        return TableInfo(*head, seats, guests, TableSettings(45), term=self.term)


async def test_a_guest_goes_on_with_the_table_of_a_host_that_gave_it_an_odd_id(tmp_path):
    """The id of a table is its host's word: its next host has to be able to announce it."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(OddHost().run)
        target = Target(f"127.0.0.1:{liar.port}")
        joins = [
            Watched(client_of(tmp_path / name, name).join(target, NO_PASSWORD))
            for name in ("Ben", "Cyd")
        ]
        async with following(*joins):
            await until(lambda: all(each.of(e.LobbyChanged) for each in joins))
            await until(
                lambda: all(len(each.of(e.LobbyChanged)[-1].info.guests) == 3 for each in joins)
            )
            for each in liar.seated:
                liar.node.send(each, encode(("left", ())))
            await until(lambda: any(each.of(e.LobbyChanged)[-1].hosted for each in joins), 1000)
            await trio.sleep(0.5)
            assert not any(each.left for each in joins)
        nursery.cancel_scope.cancel()


async def test_a_guest_that_asks_to_join_again_and_again_ends_no_host(tmp_path):
    """Each request publishes the table anew; what is announced of it falls behind."""
    hosts = Watched(
        client_of(tmp_path / "a", "Ann").host(TableWish("charidice", 4, "random"), NO_PASSWORD)
    )
    async with following(hosts):
        await until(lambda: port_of(hosts))
        stream, channel = await _shaken(int(port_of(hosts)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_read, stream)
            wish = encode(("join", ("eve", 1, bytes(32), "")))
            with suppress(trio.BrokenResourceError):
                for _ in range(300):
                    await stream.send_all(b"".join(channel.send(wish) for _ in range(100)))
            await trio.sleep(1)
            assert [each.info.free for each in hosts.of(e.LobbyChanged)][-1] == 2
            nursery.cancel_scope.cancel()
        hosts.session.submit(c.LeaveTable())
        await until(lambda: hosts.left)


async def _read(stream):
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        async for _ in stream:
            pass


async def _shaken(port):
    """Return a stream and a channel, shaken hands with a program."""
    stream = await trio.open_tcp_stream(LOOPBACK, port)
    channel = Channel(True, Identity(os.urandom(32)), VERSION, os.urandom(32))
    while not channel.established:
        await stream.send_all(channel.data_to_send())
        channel.receive(await stream.receive_some(4096))
    await stream.send_all(channel.data_to_send())
    return stream, channel


async def test_a_table_whose_liar_named_the_last_term_can_still_begin(clock):  # noqa: F811
    """The heirs of a host that offered in the last term there is go on; they must agree."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(OddHost().run)
        liar.table, liar.term = TABLE, TERMS - 1
        ann, ben = await sits(nursery, liar), await sits(nursery, liar, "ben")
        await ann.until(lambda it: len(it.info.guests) == 3)
        liar.send(liar.offer, ann.identity.public)
        await test_beginning.until(lambda: liar.of("accept"))
        for each in (ann, ben):
            liar.node.send(each.identity.public, encode(("left", ())))
        await trio.sleep(0.01)
        liar.node._nursery.cancel_scope.cancel()
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        for name in ("cid", "dan"):
            await nursery.start(partial(Program(name).run), (LOOPBACK, ann.port))
        await trio.sleep(60)
        assert ann.info.term < TERMS
        assert (ann.refused, ben.refused) == ("", "")
        assert ann.start.roster == ben.start.roster
        end(nursery)


async def _flood(port, times, bodies):
    """Connect as somebody new again and again, say something, and hang up."""
    for _ in range(times):
        stream, channel = await _shaken(port)
        await stream.send_all(b"".join(channel.send(body) for body in bodies))
        await trio.sleep(0.02)
        await trio.aclose_forcefully(stream)


async def test_strangers_fill_no_memory_while_a_guest_types_the_password():
    """Nobody takes events meanwhile; what a link has brought outlives it in the queue."""

    async def types():
        await trio.sleep_forever()

    async with (
        open_node(Identity(os.urandom(32)), VERSION) as host,
        open_node(Identity(os.urandom(32)), VERSION) as guest,
        trio.open_nursery() as nursery,
    ):
        port = await host.listen(0, LOOPBACK)
        own = await guest.listen(0, LOOPBACK)
        nursery.start_soon(partial(join, guest, LOOPBACK, port, "ann", lambda info: None, types))
        while not isinstance(event := await host.events.receive(), PeerMessage):
            pass
        host.send(event.identity, encode(("password", b"")))
        await trio.sleep(0.2)
        await _flood(own, 40, [encode(("x", bytes(100)))] * UNREAD)
        await trio.sleep(0.2)
        assert len(guest.linked) <= 2
        assert guest.events.waiting <= 4 * UNREAD
        nursery.cancel_scope.cancel()


async def test_strangers_fill_no_memory_while_a_start_is_agreed_on():
    """A guest that never accepts makes it wait; each stranger leaves its messages behind."""
    ann, ben = Identity(b"a" * 32), Identity(b"b" * 32)
    offer = filled(test_beginning.info_of(ann.public, ben.public)).roster()
    async with open_node(ann, VERSION) as node, trio.open_nursery() as nursery:
        port = await node.listen(0, LOOPBACK)
        beginning = Beginning(node, offer, {}, ann.public)
        nursery.start_soon(beginning.run, str)
        await _flood(port, 40, [encode(("x", bytes(100)))] * 64)
        await trio.sleep(0.2)
        assert not node.linked
        assert len(beginning.early) <= 4 * 64
        nursery.cancel_scope.cancel()


async def test_who_comes_and_goes_leaves_nothing_behind_at_a_host():
    """Each sits down under a new key, and hangs up: the host forgets it."""
    async with open_node(Identity(os.urandom(32)), VERSION) as node, trio.open_nursery() as nursery:
        hosting = LobbyHost(node, Lobby(new_table(node, 3)), lambda info: None)
        port = await node.listen(0, LOOPBACK)
        nursery.start_soon(hosting.run, lambda info: False)
        await _flood(port, 60, [encode(("join", ("eve", 1, bytes(32), "")))])
        await trio.sleep(0.5)
        assert len(hosting.lobby.info.guests) == 1
        assert len(hosting._lost) < 40  # each of them is dialled, one after the other
        assert len(hosting._hosts) < 40
        nursery.cancel_scope.cancel()


class Audience:
    def table(self, roster):
        return GAME

    def notice(self, text):
        pass

    def changed(self):
        pass


async def test_a_peer_that_sends_a_watcher_elsewhere_fills_no_memory():
    """It names addresses for as long as it says that the table forms."""
    async with (
        open_node(Identity(os.urandom(32)), VERSION) as host,
        open_node(Identity(os.urandom(32)), VERSION) as watcher,
        trio.open_nursery() as nursery,
    ):
        port = await host.listen(0, LOOPBACK)
        client = SpectatorClient(watcher, "eve", Audience())
        nursery.start_soon(client.run, [(LOOPBACK, port)])
        while not isinstance(event := await host.events.receive(), PeerMessage):
            pass
        for turn in range(30):
            places = tuple(
                (bytes([n]) * 32, tuple((f"10.{turn}.{n}.{m}", 1) for m in range(8)))
                for n in range(8)
            )
            host.send(event.identity, encode(("forming", ())))
            for _ in range(20):
                host.send(event.identity, encode(("elsewhere", places)))
            await trio.sleep(0.02)
        await trio.sleep(0.3)
        assert len(client._untried) <= 1000
        nursery.cancel_scope.cancel()


def test_what_another_program_added_while_a_journal_was_read_is_not_lost(tmp_path, monkeypatch):
    """It ended between the reading and the lock: who goes on has all, or is told that it cannot."""
    path = test_journal.written(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole)
    other, _, before = Journal.open(path)
    late = ("move", (1, 9, b"late", bytes(64)))
    real = Path.read_bytes

    def read_bytes(self):
        content = real(self)
        other.append(late)
        other.sync()
        other.close()
        monkeypatch.undo()
        return content

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    journal, _, entries = Journal.open(path)
    journal.close()
    assert entries == [*before, late]


def test_a_half_written_entry_that_was_completed_while_it_was_read_is_not_cut(
    tmp_path, monkeypatch
):
    """What another program wrote and signed stays in the file, whoever opens it."""
    path = test_journal.written(tmp_path)
    other, _, before = Journal.open(path)
    late = ("move", (1, 9, b"late", bytes(64)))
    real = Path.read_bytes

    def read_bytes(self):
        size = path.stat().st_size
        other.append(late)
        other.sync()
        other.close()
        monkeypatch.undo()
        return real(self)[: size + 20]

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    Journal.open(path)[0].close()
    assert test_journal.read(path)[1] == [*before, late]


class Killed(BaseException):
    """The program ends here."""


@pytest.mark.parametrize("call", range(1, 3))
def test_a_program_killed_while_it_sets_a_damaged_journal_aside_loses_no_game(
    call, tmp_path, monkeypatch
):
    """At any moment the game is found again when lanplay is started the next time."""
    path = test_journal.written(tmp_path)
    content = bytearray(path.read_bytes())
    content[-200] ^= 1
    path.write_bytes(content)
    with pytest.raises(Damaged) as caught:
        Journal.open(path)
    real, calls = Path.replace, []

    def replace_(self, target):
        calls.append(self)
        if len(calls) == call:
            raise Killed
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace_)
    with pytest.raises(Killed):
        caught.value.set_aside()
    monkeypatch.undo()
    assert all_games(tmp_path)


def test_a_game_that_another_program_ends_meanwhile_ends_no_list(tmp_path, monkeypatch):
    """Its file goes between the look into the folder and the look at the file."""
    path = test_journal.written(tmp_path)
    gone = test_journal.written(tmp_path)
    real = Path.stat

    def stat(self, **how):
        if self == gone:
            gone.unlink(missing_ok=True)
        return real(self, **how)

    monkeypatch.setattr(Path, "stat", stat)
    assert [each for each, _ in all_games(tmp_path)] == [path]


class Ghostly(OddHost):
    """A host that shows a seat of a program that is not at the table, and what that one says."""

    table = TABLE

    def __init__(self):
        super().__init__()
        self.ghost = Identity(os.urandom(32))

    @property
    def info(self):
        info = super().info
        return replace(info, seats=(*info.seats[:-1], Seat("ghost", self.ghost.public)))

    def haunt(self, to):
        bare = (self.ghost.public, 1, "ghost", "boo")
        signed = self.ghost.sign("chat", encode((TABLE, *bare)))
        self.node.send(to, encode(("chat", ((*bare, signed),))))


async def test_a_word_of_somebody_who_sits_at_no_laptop_ends_no_guest(clock):  # noqa: F811
    """The seat's program is none of the table's: such a table is refused, or the word is."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(Ghostly().run)
        ann = await nursery.start(partial(Program("ann").run), (LOOPBACK, liar.port))
        await ann.until(lambda it: it.info or it.refused)
        liar.haunt(ann.identity.public)
        await trio.sleep(5)
        assert ann.refused or ann.info
        end(nursery)


class Second(OddHost):
    """A guest that takes the host's part when that is gone: it shows a table, and hangs up."""

    async def run(self, *, task_status):
        async with open_node(self.identity, VERSION) as self.node:
            self.port = await self.node.listen(0, LOOPBACK)
            task_status.started(self)
            while True:
                event = await self.node.events.receive()
                if isinstance(event, PeerMessage):
                    kind, _ = test_beginning.decode(event.body)
                    if kind == "join":
                        self.node.send(event.identity, encode(("password", b"")))
                    if kind == "password":
                        keys = (self.identity.public, b"x" * 32, b"y" * 32)
                        seats = tuple(Seat(f"p{n}", key) for n, key in enumerate(keys))
                        guests = tuple(Guest(key, f"p{n}", ()) for n, key in enumerate(keys))
                        info = replace(self.info, seats=seats, guests=guests)
                        self.node.send(event.identity, encode(("table", info.plain())))
                        self.node.close(event.identity, PeerError(Code.UNEXPECTED, "bye"))


class WithSecond(OddHost):
    table = TABLE

    @property
    def info(self):
        info = super().info
        second = Guest(self.second.identity.public, "evil", ((LOOPBACK, self.second.port),))
        seats = (info.seats[0], Seat("evil", second.identity), *info.seats[1:])
        return replace(info, seats=seats, guests=(info.guests[0], second, *info.guests[1:]))


async def test_a_table_shown_before_the_password_is_proven_is_no_ones_table(clock):  # noqa: F811
    """A guest asks an earlier seat, which shows a table without it and hangs up: it goes on."""
    async with trio.open_nursery() as nursery:
        second = await nursery.start(Second().run)
        liar = WithSecond()
        liar.second = second
        liar = await nursery.start(liar.run)
        ann, ben = [
            await nursery.start(
                partial(Program(name).run, (LOOPBACK, liar.port), password="secret")
            )
            for name in ("ann", "ben")
        ]
        await ann.until(lambda it: it.info and len(it.info.guests) == 4)
        liar.node._nursery.cancel_scope.cancel()
        await ann.hosts("free", "evil", "ann", "ben", "free")
        end(nursery)


def test_who_knows_the_password_comes_in_beside_a_stranger_that_guesses():
    """``channel.attempts``: the delay of all is short enough that somebody who knows it gets in."""
    attempts, now, guessed, tried, came = Attempts(), 0.0, 0, 0, 0
    for turn in range(40 * 1800):  # half an hour of a stranger that has 40 handshakes a second
        now = turn / 40
        if turn % 200 == 7:  # a person that tries again every five seconds
            tried += 1
            try:
                attempts.begin(b"k" * 32, now)
            except PeerError:
                pass
            else:
                attempts.succeeded(b"k" * 32)
                came += 1
        try:
            attempts.begin(turn.to_bytes(32, "big"), now)
            guessed += 1
        except PeerError:
            pass
    assert came > 1, f"{guessed} guesses of the stranger, {came} of {tried} of the person"


def test_accepted_offers_do_not_grow_without_end(tmp_path):
    """A host may offer a table as often as it likes: of each the last one counts."""
    path = tmp_path / "offers"
    ann = Identity(b"a" * 32)
    offer = filled(test_beginning.info_of(ann.public, b"b" * 32)).roster()
    for term in range(300):
        Offers(path).accept(replace(offer, term=term), ann)
    assert len(path.read_text().split()) < 300


def odd_reasons():
    """Every fault that counts something, with a word where the number should be."""
    counted = ("LINK_SILENT", "HANDSHAKE", "PASSWORD_ATTEMPTS", "PEERS", "PEOPLE", "LINE_UP")
    for name in counted:
        yield name, tuple((key, "many") for key in sorted(Fault[name].fields))


@pytest.mark.parametrize("reason", [*odd_reasons()], ids=lambda reason: reason[0])
async def test_a_stranger_that_closes_with_an_odd_reason_ends_its_own_link(reason):
    """A word where a number is to be counted is no reason: nothing is formatted before it fits."""
    async with open_node(Identity(os.urandom(32)), VERSION) as node:
        port = await node.listen(0, LOOPBACK)
        stream, channel = await _shaken(port)
        await stream.send_all(channel.send(encode(("close", ("bye", reason)))))
        await trio.sleep(0.2)
        async with open_node(Identity(os.urandom(32)), VERSION) as other:
            assert await other.dial(LOOPBACK, port) == node.identity.public


async def test_a_host_that_refuses_with_an_odd_reason_ends_no_guest(clock):  # noqa: F811
    """Its guest is told no, in words or by a name."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(OddHost().run)
        liar.table = TABLE
        ann = await sits(nursery, liar)
        reason = next(odd_reasons())
        liar.node.send(ann.identity.public, encode(("no", reason)))
        await trio.sleep(5)
        assert ann.info
        end(nursery)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": b"s"},
        {"seed": 7},
        {"addresses": {b"k" * 32: ((None, 5),)}},
        {"addresses": {b"k" * 32: (5,)}},
        {"bots": {1: (None, b"b" * 32)}},
    ],
    ids=str,
)
def test_a_journal_whose_head_has_odd_fields_is_none(wrong, tmp_path):
    """Its entries are whole, and what they hold is no game: who goes on with it is told so."""
    journal = Journal.create(tmp_path, replace(test_journal.KEPT, **wrong))
    journal.close()
    with pytest.raises(JournalError):
        read_journal(journal.path)
