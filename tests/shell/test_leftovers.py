"""Who comes, says something and goes leaves nothing behind, however often it does."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from functools import partial

import trio

from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, filled
from lanplay_protocol.shell import offers
from lanplay_protocol.shell.beginning import Beginning
from lanplay_protocol.shell.guest import join
from lanplay_protocol.shell.host import LOST, LobbyHost
from lanplay_protocol.shell.node import FEW, UNREAD, PeerDisconnected, PeerMessage, open_node
from lanplay_protocol.shell.offers import Offers
from lanplay_protocol.shell.spectator_client import PLACES, SpectatorClient
from lanplay_protocol.wire import encode
from tests.shell.test_beginning import info_of
from tests.shell.test_forming import LOOPBACK, VERSION, wish
from tests.shell.test_limits import shaken_at
from tests.shell.test_table import GAME, new_table


async def _flood(port, times, bodies=(), as_one=None):
    """Connect as somebody new, or as one, again and again, say something, and hang up: that it
    wants to sit down where nothing else is given."""
    for _ in range(times):
        identity = as_one or Identity(os.urandom(32))
        stream, channel = await shaken_at(port, identity)
        said = bodies or [wish(identity, "eve")]
        await stream.send_all(b"".join(channel.send(body) for body in said))
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
        await _flood(own, 40, [encode(("x", bytes(100)))] * FEW)
        await trio.sleep(0.2)
        assert len(guest.linked) <= 2
        assert guest.events.waiting <= 4 * UNREAD
        nursery.cancel_scope.cancel()


async def test_who_played_fills_no_memory_while_the_end_is_shown():
    """Nobody takes events while a person looks at a result, and who had a seat comes anew again and
    again: of each link there was left what it had brought."""
    liar = Identity(os.urandom(32))
    async with open_node(Identity(os.urandom(32)), VERSION) as node:
        port = await node.listen(0, LOOPBACK)
        node.seated = frozenset({liar.public})
        await _flood(port, 20, [encode(("x", bytes(100)))] * UNREAD, liar)
        await trio.sleep(0.2)
        assert node.events.waiting <= 4 * UNREAD


async def test_strangers_fill_no_memory_while_a_start_is_agreed_on():
    """A guest that never accepts makes it wait; each stranger leaves its messages behind."""
    ann, ben = Identity(b"a" * 32), Identity(b"b" * 32)
    offer = filled(info_of(ann.public, ben.public)).roster()
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
        await _flood(port, 60)
        await trio.sleep(0.5)
        assert len(hosting.lobby.info.guests) == 1
        assert len(hosting._lost) <= LOST  # each of them is dialled, one after the other
        nursery.cancel_scope.cancel()


async def test_who_answers_where_a_lost_guest_said_that_it_listens_keeps_no_link(monkeypatch):
    """A guest names eight places, at each of which it may answer under another key, each time that
    its host looks for it: links that a program has dialled itself were never ended."""
    monkeypatch.setattr("lanplay_protocol.shell.host.SEEK_SECONDS", 0.05)
    async with (
        open_node(Identity(os.urandom(32)), VERSION) as node,
        open_node(Identity(os.urandom(32)), VERSION) as other,
        trio.open_nursery() as nursery,
    ):
        place = LOOPBACK, await other.listen(0, LOOPBACK)
        lost = [Guest(os.urandom(32), "eve", (), places=(place,))]
        hosting = LobbyHost(node, Lobby(new_table(node, 3)), lambda info: None, lost=lost)
        nursery.start_soon(hosting.run, lambda info: False)
        with trio.fail_after(10):
            while not isinstance(event := await other.events.receive(), PeerDisconnected):
                pass
        assert "another program" in event.why
        assert not node.linked
        nursery.cancel_scope.cancel()


async def test_whoever_gives_up_a_host_that_says_nothing_keeps_no_link_to_it(autojump_clock):
    """It may be any stranger, at an address that it has announced, and was taken for a peer."""
    async with (
        open_node(Identity(os.urandom(32)), VERSION) as silent,
        open_node(Identity(os.urandom(32)), VERSION) as guest,
    ):
        port = await silent.listen(0, LOOPBACK)
        with trio.move_on_after(5):
            await join(guest, LOOPBACK, port, "ann", lambda info: None)
        await trio.sleep(1)
        assert not guest.linked


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
        assert len(client._untried) <= PLACES
        nursery.cancel_scope.cancel()


def test_accepted_offers_do_not_grow_without_end(tmp_path):
    """A host may offer a table as often as it likes: of each the last one counts."""
    path = tmp_path / "offers"
    ann = Identity(b"a" * 32)
    offer = filled(info_of(ann.public, b"b" * 32)).roster()
    for term in range(300):
        Offers(path).accept(replace(offer, term=term), ann)
    assert len(path.read_text().split()) < 300


def test_what_another_program_accepts_while_the_file_is_shortened_is_kept(tmp_path, monkeypatch):
    """It waits until that is done, and adds to the new file."""
    path, ann = tmp_path / "offers", Identity(b"a" * 32)
    offer = filled(info_of(ann.public, b"b" * 32)).roster()
    known, real = Offers(path), offers.replace
    for term in range(2 * offers.SPARE):
        known.accept(replace(offer, term=term), ann)
    late = replace(offer, table="e" * 32)
    adds = threading.Thread(target=known.accept, args=(late, ann))

    def slowly(*given):
        adds.start()
        time.sleep(0.1)
        real(*given)

    monkeypatch.setattr(offers, "replace", slowly)
    Offers(path)
    adds.join()
    monkeypatch.undo()
    assert Offers(path).accepted(late.table) == (late.term, late.digest())
    assert Offers(path).accepted(offer.table)[0] == 2 * offers.SPARE - 1


def test_what_another_program_accepted_before_the_file_was_locked_is_kept(tmp_path, monkeypatch):
    """The file is read once more when nobody else can add to it."""
    path, ann, real = tmp_path / "offers", Identity(b"a" * 32), offers.locked
    offer = filled(info_of(ann.public, b"b" * 32)).roster()
    known, late = Offers(path), replace(offer, table="e" * 32)
    for term in range(2 * offers.SPARE):
        known.accept(replace(offer, term=term), ann)

    def after_another(descriptor):
        monkeypatch.undo()
        known.accept(late, ann)
        return real(descriptor)

    monkeypatch.setattr(offers, "locked", after_another)
    Offers(path)
    assert len(path.read_text().split()) == 2 * 3
    assert Offers(path).accepted(late.table) == (late.term, late.digest())
