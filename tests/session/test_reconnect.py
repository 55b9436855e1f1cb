"""A running game on the network: announced by all, found again by whoever lost the others."""

from __future__ import annotations

from argparse import Namespace
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from lanplay.session import reconnect
from lanplay.session.reconnect import announced, running, stay_findable, table_id
from lanplay_protocol.advert import fingerprint
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.shell.discovery import Found, open_discovery
from lanplay_protocol.shell.journal import SavedGame
from tests.session.harness import client_of

SAID = []
CLIENT = client_of(say=SAID.append)
ME, ANN, BEN = (Identity(bytes([n]) * 32).public for n in (1, 2, 3))
HERE, THERE = ("10.0.0.1", 4001), ("10.0.0.2", 4002)


def roster(*names):
    """A roster of one seat for each peer."""
    keys = [ME, ANN, BEN]
    peers = tuple(Peer(keys[n], name, (n,), bytes([n]) * 32) for n, name in enumerate(names))
    return Roster("dice-town", bytes(16), {"brute": "free"}, names, peers)


GAME = roster("Me", "Ann", "Ben")
KEPT = SavedGame(GAME, {}, bytes(32), {}, "Friday")


def row(game, **places):
    """A row of the list: who announces the game, and where each of them is."""
    keys = {"ann": ANN, "ben": BEN, "me": ME}
    peers = tuple((fingerprint(keys[name]), at) for name, at in places.items())
    return Found(running(SavedGame(game, {}, bytes(32), {}), ANN, 4000), (), peers)


class Node:
    """A node as far as reuniting looks at it."""

    identity = Namespace(public=ME)
    port = 4000

    def __init__(self):
        self.linked = frozenset()
        self.over = {}

    def forsake(self, addresses):
        gone = {identity for identity, address in self.over.items() if address in addresses}
        self.linked -= gone
        return frozenset(gone)


class Playing:
    """Keeps what it is told."""

    def __init__(self):
        self.told = []
        self.reached = []

    def known_at(self, identity, address):
        self.told.append((identity, address))

    def reach(self, identity):
        self.reached.append(identity)


class Nearby:
    """A discovery whose news the test makes."""

    def __init__(self):
        self.tables = ()
        self.addresses = frozenset({"10.0.0.9"})
        self.adverts = []
        self._news = trio.Event()

    async def changed(self):
        await self._news.wait()

    async def becomes(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)
        news, self._news = self._news, trio.Event()
        news.set()
        await trio.testing.wait_all_tasks_blocked()

    @asynccontextmanager
    async def announce(self, advert):
        self.adverts.append(advert)
        yield


@pytest.fixture
async def running_game(monkeypatch, nursery):
    """A program in the middle of a game: its node, what is told to its game, and its network."""
    node, playing, network = Node(), Playing(), Nearby()

    @asynccontextmanager
    async def opened(interfaces):
        assert interfaces == CLIENT.network.interfaces
        yield network

    monkeypatch.setattr(reconnect, "open_discovery", opened)
    nursery.start_soon(stay_findable, node, KEPT, playing, CLIENT)
    await trio.testing.wait_all_tasks_blocked()
    return node, playing, network


def test_a_game_is_named_by_its_roster():
    """All its peers know the name, also from disk; a rematch of the same people has another."""
    again = Roster(
        GAME.game, GAME.rules, GAME.options, GAME.names, (Peer(ME, "Me", (0, 1, 2), b""),)
    )
    assert table_id(GAME) == GAME.digest()[:16].hex()
    assert table_id(GAME) != table_id(again)


def test_a_running_table_keeps_its_own_name_and_says_whether_it_has_a_password():
    """Its first peer is nobody special once it plays; without a name that peer has to do."""
    named = running(SavedGame(GAME, {}, bytes(32), {}, "Friday", True), ANN, 4000)
    assert (named.table, named.password) == ("Friday", True)
    nameless = running(SavedGame(GAME, {}, bytes(32), {}), ANN, 4000)
    assert (nameless.table, nameless.password) == ("Me's table", False)


async def test_all_peers_of_a_game_make_one_running_row():
    """Whoever looks sees one table that takes nobody, with the addresses of all."""
    nodes = [
        Namespace(identity=Namespace(public=key), port=port) for key, port in ((ME, 1), (ANN, 2))
    ]
    for node in nodes:
        node.linked, node.forsake = frozenset({ME, ANN}), lambda gone: frozenset()
    with trio.fail_after(20):
        async with (
            open_discovery(CLIENT.network.interfaces) as browser,
            trio.open_nursery() as nursery,
        ):
            for node in nodes:
                nursery.start_soon(stay_findable, node, KEPT, Playing(), CLIENT)
            rows = []
            while not rows or len(rows[0].peers) < len(nodes):
                await browser.changed()
                rows = [each for each in browser.tables if each.advert.table_id == table_id(GAME)]
                assert len(rows) <= 1
            nursery.cancel_scope.cancel()
    said = rows[0].advert
    assert (said.state, said.free, said.people) == ("running", 0, ("Me", "Ann", "Ben"))
    assert dict(rows[0].peers) == {
        fingerprint(key): (("127.0.0.1", port),) for key, port in ((ME, 1), (ANN, 2))
    }


def test_only_peers_of_this_game_are_taken_from_adverts():
    """Other games, strangers at this one, and this program itself are left out."""
    rows = [row(roster("Me", "Ann"), ann=(THERE,)), row(GAME, ben=(HERE,), me=(THERE,))]
    assert list(announced(rows, table_id(GAME), [ANN, BEN])) == [(BEN, (HERE,))]


async def test_what_is_announced_of_a_peer_is_told_to_the_game(running_game):
    """Its first address comes to be tried first; what was told is told again only when it differs.

    At most four addresses are taken: anybody may announce anything.
    """
    _, playing, network = running_game
    await network.becomes(tables=(row(GAME, ann=(HERE, THERE)),))
    assert playing.told == [(ANN, THERE), (ANN, HERE)]
    await network.becomes(tables=(row(GAME, ann=(HERE, THERE), ben=(HERE,)),))
    assert playing.told[2:] == [(BEN, HERE)]
    many = tuple(("10.0.1.1", port) for port in range(1, 30))
    await network.becomes(tables=(row(GAME, ann=many),))
    assert playing.told[3:] == [(ANN, place) for place in reversed(many[:4])]


async def test_a_vanished_address_is_acted_on_at_once(running_game):
    """Whoever was linked over it is dialled anew; links over other addresses stay."""
    node, playing, network = running_game
    node.linked, node.over = frozenset({ANN, BEN}), {ANN: "10.0.0.9", BEN: "10.0.0.8"}
    await network.becomes(addresses=frozenset({"10.0.0.9", "10.0.0.8"}))
    assert node.linked == {ANN, BEN}
    await network.becomes(addresses=frozenset({"10.0.0.8", "10.0.0.7"}))
    assert (node.linked, playing.reached) == ({BEN}, [ANN])


async def test_a_minute_alone_is_said_once(running_game, autojump_clock):
    """Nobody linked and nobody announced: said after 60 s, and anew after somebody was there."""
    node, _, network = running_game
    SAID.clear()
    await trio.sleep(55)
    assert not SAID
    await trio.sleep(300)
    [said] = SAID
    assert "Nobody of this game has answered for 60 s" in said
    assert "q or Ctrl-C leaves; the game stays kept" in said
    node.linked = frozenset({BEN})
    await trio.sleep(300)
    node.linked = frozenset()
    await network.becomes(tables=(row(GAME, ann=(HERE,)),))
    await trio.sleep(300)
    assert [said] == SAID
    await network.becomes(tables=())
    await trio.sleep(70)
    assert "Nobody of this game" in SAID[1]
