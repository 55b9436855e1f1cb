"""The links of a running game: who is dialled and when, and who is missed when a link ends."""

from __future__ import annotations

import errno
import os
import sys
from types import SimpleNamespace

import pytest
import trio
import trio.testing

from lanplay.errors import told_of
from lanplay.told import worded
from lanplay_protocol.replica.events import PeerUnreachable
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.shell import sockets
from lanplay_protocol.shell.endings import NoEndings
from lanplay_protocol.shell.links import ADDRESSES, LATER, REST, RETRY_SECONDS, Links
from lanplay_protocol.shell.node import PeerConnected, PeerDisconnected, PeerMessage
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.shell.sockets import CONNECT_SECONDS, connect, listeners_at, quickest_first
from lanplay_protocol.wire import encode
from tests.replica.harness import Table, identity, roster


class Node:
    """A node of peer 1 of three that remembers where it dials; ``there`` answers at an address."""

    def __init__(self):
        self.identity = identity(1)
        self.linked = set()
        self.dialled = []
        self.there = {}
        self.seated = frozenset()
        self.archive = NoEndings()

    async def dial(self, host, port):
        self.dialled.append((trio.current_time(), host))
        if host not in self.there:
            raise OSError("no answer")
        self.linked.add(self.there[host])
        return self.there[host]

    def send(self, identity, body):
        pass

    def close(self, identity, error):
        self.why = worded(error.text)
        self.linked.discard(identity)


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """No test of links looks an address up, or waits for one."""

    async def connect(host, port):
        raise OSError(f"{host}:{port} is nowhere")

    monkeypatch.setattr("lanplay_protocol.shell.sockets.connect", connect)


def links(node, eager=False):
    places = {identity(place).public: [(f"host{place}", 7)] for place in range(3)}
    return Links(node, roster(3), places, eager)


async def seconds(count):
    """Let time pass on the virtual clock."""
    await trio.sleep(count)
    await trio.testing.wait_all_tasks_blocked()


@pytest.mark.parametrize("eager", [False, True])
async def test_earlier_peers_are_dialled_at_once_and_later_ones_after_a_while(
    autojump_clock, nursery, eager
):
    """Later peers dial first, unless this program may be where they do not know."""
    node = Node()
    began = trio.current_time()
    nursery.start_soon(links(node, eager).keep)
    await seconds(LATER + 2 * RETRY_SECONDS)
    first = {host: at - began for at, host in reversed(node.dialled)}
    assert first["host0"] == 0
    assert (first["host2"] == 0) == eager
    assert first["host2"] <= LATER + RETRY_SECONDS


async def test_an_address_at_which_somebody_else_answers_is_forgotten(autojump_clock, nursery):
    """It is dialled once; the next address known of that peer is tried."""
    node = Node()
    node.there = {"host0": b"somebody else", "there": identity(0).public}
    known = links(node)
    nursery.start_soon(known.keep)
    await seconds(0.5)
    assert known.addresses[identity(0).public] == []
    known.known_at(identity(0).public, ("there", 8))
    await seconds(RETRY_SECONDS)
    assert known.up(0)
    assert [host for _, host in node.dialled if host != "host2"] == ["host0", "there"]


async def test_an_address_that_leads_nowhere_keeps_nobody_from_the_others(
    autojump_clock, monkeypatch, nursery
):
    """A laptop has addresses of virtual machines, too: those that take a connection come first."""

    async def connect(host, port):
        if host in ("gone", "tunnel"):
            await trio.sleep_forever()
        await trio.sleep(0.1 if host == "here" else 0.25)
        if host == "refuses":
            raise OSError("refused")
        return trio.testing.memory_stream_pair()[0]

    monkeypatch.setattr("lanplay_protocol.shell.sockets.connect", connect)
    places = [(host, 7) for host in ("gone", "refuses", "slower", "tunnel", "here")]
    began = trio.current_time()
    found = [host for host, _ in await quickest_first(places)]
    assert found == ["here", "slower", "gone", "refuses", "tunnel"]
    assert trio.current_time() - began <= CONNECT_SECONDS
    assert await quickest_first(places[:1]) == places[:1]
    node, peer = Node(), identity(0).public
    node.there = {"here": peer}
    known = links(node)
    known.addresses[peer] = places
    nursery.start_soon(known.keep)
    await seconds(0.5)
    assert known.up(0)
    assert [host for _, host in node.dialled if host != "host2"] == ["here"]


async def test_strangers_who_answer_for_a_peer_keep_nobody_from_it(
    autojump_clock, monkeypatch, nursery
):
    """Anybody may announce where a peer is, take connections there at once, and say nothing: each
    such address cost five seconds, before the one that the game began with was tried."""

    async def connect(host, port):
        await trio.sleep(0.1 if host == "host0" else 0)
        return trio.testing.memory_stream_pair()[0]

    class Slow(Node):
        async def dial(self, host, port):
            await trio.sleep(5 if host != "host0" else 0)
            return await super().dial(host, port)

    monkeypatch.setattr("lanplay_protocol.shell.sockets.connect", connect)
    node, peer = Slow(), identity(0).public
    node.there = {"host0": peer}
    known = links(node)
    for number in range(8):
        known.known_at(peer, (f"stranger{number}", 7))
    nursery.start_soon(known.keep)
    await seconds(1)
    assert known.up(0)


def test_the_addresses_that_are_tried_are_few_and_the_newest_first():
    """Whatever is told of a peer, no more than so many are dialled; none stands there twice. What
    the game began with is crowded out by nobody: an advert is a stranger's word."""
    known, peer = links(Node()), identity(0).public
    for number in range(3 * ADDRESSES):
        known.known_at(peer, (f"there{number}", 7))
    known.known_at(peer, ("there20", 7))
    hosts = [host for host, _ in known.addresses[peer]]
    others = [f"there{n}" for n in reversed(range(3 * ADDRESSES))]
    assert hosts == ["there20", "host0", *others[: ADDRESSES - 2]]


def test_a_peer_that_dials_is_reached_where_it_came_from():
    """On the port known so far; where this program dialled it learns nothing new."""
    known, peer = links(Node()), identity(2).public
    known.seen(PeerConnected(peer, "over a relay", True))
    assert known.addresses[peer] == [("host2", 7)]
    known.seen(PeerConnected(peer, "new", False))
    assert known.addresses[peer] == [("new", 7), ("host2", 7)]


class Player:
    """Keeps what it is told."""

    def __init__(self):
        self.notices = []

    def changed(self):
        pass

    def notice(self, text):
        self.notices.append(text)


@pytest.fixture
async def playing():
    """Peer 1 of a game of three in its middle, linked to both others."""
    table = Table(roster(3), seed=b"bye")
    table.start()
    table.run(lambda t: t.replicas[1].transcript.number > 10)
    node = Node()
    node.events = None
    node.linked = {identity(0).public, identity(2).public}
    play = GameRunner(node, table.replicas[1], table.roster, {}, Player())
    play.node, play.player = node, play._player
    return play


async def test_whoever_says_bye_in_the_middle_of_a_game_is_missed_like_any_other(playing):
    """The word of a peer that it has finished does not hide that its link has ended."""
    playing._heard(2, encode(("bye", bytes(32))))
    playing.node.linked.discard(identity(2).public)
    word = encode(("presence", Liveness(frozenset({2})).plain()))
    playing._heard(0, word)
    playing._linked_down(PeerDisconnected(identity(2).public, ""))
    assert set(playing.missing) == {2}
    (said,) = playing.player.notices
    assert said == "peer 2 is gone; the game waits. It says that it has finished."


async def test_a_peer_that_forms_another_table_is_left_in_peace_for_a_while(
    playing, autojump_clock
):
    """It turns this program away: no breach of the protocol, and no reason to ask every second."""
    playing._received(PeerMessage(identity(0).public, encode(("out", "'want' is no request"))))
    assert playing.player.notices == []
    assert identity(0).public not in playing.node.linked
    assert playing.node.why == "It forms another table now. Wait."
    due = playing.links._due
    assert not due(0, trio.current_time() + REST - 1)
    assert due(0, trio.current_time() + REST)


async def test_it_is_told_once_that_somebody_is_gone_however_often_the_wait_begins_again(playing):
    """Where a program stalls again and again, or stood still, each time is another end."""
    for until in (45.0, 46.0, 47.0, None, 48.0):
        playing._tell(PeerUnreachable(2, until))
    assert playing.player.notices == ["peer 2 is gone; the game waits."]
    assert playing.missing == {2: 48.0}


async def test_whoever_comes_back_after_bye_is_waited_for_again(playing):
    """At the end a program stays for it: it may have come back from disk and lack something."""
    playing._heard(2, encode(("bye", bytes(32))))
    playing._linked_up(PeerConnected(identity(2).public, "host2", True))
    assert 2 not in playing._done


@pytest.mark.skipif(sys.platform == "win32", reason="the system's words have no number there")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_connection_that_is_refused_is_told_in_the_words_of_the_system(host):
    """Trio's own, "all attempts to connect failed", stood behind "does not answer"."""
    (listener,) = await listeners_at(0, "127.0.0.1")
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    with pytest.raises(ConnectionRefusedError) as refused:
        await connect(host, port)
    assert told_of(refused.value) == os.strerror(errno.ECONNREFUSED)


async def test_whoever_stops_dialling_between_two_answers_leaves_no_connection_open(monkeypatch):
    """An address without its scope is dialled on every interface at once: who had answered was
    forgotten where the dialling ended before the others had; all but one, where several had."""
    closed, scope = [], trio.CancelScope()

    async def opened(host, port):
        if host != "fe80::1%3":
            return SimpleNamespace(socket=SimpleNamespace(close=lambda: closed.append(host)))
        with trio.CancelScope(shield=True):
            await trio.sleep(0.05)
            scope.cancel()
        await trio.lowlevel.checkpoint()
        raise OSError

    monkeypatch.setattr(sockets, "scoped", lambda host: [f"{host}%{n}" for n in (1, 2, 3)])
    monkeypatch.setattr(trio, "open_tcp_stream", opened)
    with scope:
        await connect("fe80::1", 1)
    assert sorted(closed) == ["fe80::1%1", "fe80::1%2"]
