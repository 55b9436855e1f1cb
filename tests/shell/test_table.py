"""Whole tables over real sockets on the loopback interface, all programs in one trio loop."""

from __future__ import annotations

import os
from functools import partial

import pytest
import trio

from lanplay.games import load
from lanplay_protocol import PROTOCOL
from lanplay_protocol.errors import PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import NONCE
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.host import LobbyHost, join
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.wire import encode, frame
from tests.replica.harness import Walker

GAME = load("charidice")
"""What is played where it does not matter what: the shortest there is."""
LOOPBACK = "127.0.0.1"
VERSION = "1.2.3"


class Player:
    """Answers by walking dialogues; keeps what it is told."""

    def __init__(self, key):
        self.walker = Walker(key)
        self.notices = []

    async def answer(self, seat, view, question, bot):
        return self.walker.answer(view, question)

    async def confirm(self, binding):
        self.binding = binding

    def refused(self, seat, illegal):
        raise illegal

    def happened(self, message):
        pass

    def recalled(self, round_, message):
        pass

    def changed(self):
        pass

    def notice(self, text):
        self.notices.append(text)


def new_table(node, seats, game=GAME):
    options = tuple((name, values[0]) for name, values in game.options.items())
    me = node.identity.public
    chairs = (Seat("host", me), *(Seat() for _ in range(seats - 1)))
    guests = (Guest(me, "host", (), os.urandom(NONCE)),)
    head = ("0" * 32, "a table", game.name, game.fingerprint, options, chairs, guests)
    return TableInfo(*head, TableSettings(bot="walker"))


async def play(node, start, outcomes, place):
    replica = Replica(GAME, start.roster, node.identity, os.urandom(32))
    replica.jobs.offload = place > 0
    running = GameRunner(node, replica, start.roster, start.addresses, Player(b"%d" % place))
    outcomes[place] = await running.run()


async def host(outcomes, people, seats, task_status):
    async with open_node(Identity(os.urandom(32)), VERSION) as node:
        lobby = Lobby(new_table(node, seats))
        hosting = LobbyHost(node, lobby, lambda info: None)
        task_status.started(await node.listen(0, LOOPBACK))
        await hosting.run(lambda info: len(info.guests) == people)
        await play(node, await hosting.begin(str), outcomes, 0)


async def guest(outcomes, place, port, words=()):
    """``words`` are said to the host as it begins."""

    def accepting(offer):
        for word in words:
            node.send(offer.roster.peers[0].public, encode(word))

    async with open_node(Identity(os.urandom(32)), VERSION) as node:
        await node.listen(0, LOOPBACK)
        told = partial(join, node, LOOPBACK, port, f"guest {place}", lambda info: None)
        start = await told(accepting=accepting)
        await play(node, start, outcomes, place)


async def test_three_programs_and_four_seats_play_a_whole_game():
    """Host and guests find each other, AI fills the rest, and all end in one state.

    The guests do long work in threads, the host does not.
    """
    outcomes = {}
    async with trio.open_nursery() as nursery:
        port = await nursery.start(lambda task_status: host(outcomes, 3, 4, task_status))
        for place in (1, 2):
            nursery.start_soon(guest, outcomes, place, port)
    assert len(outcomes) == 3
    assert len({outcome.trace for outcome in outcomes.values()}) == 1
    assert all(outcome.result is not None for outcome in outcomes.values())


async def test_what_a_guest_asked_for_as_the_game_began_closes_no_link(monkeypatch):
    """It was on its way when the host began: a further person's seat, something to say."""
    outcomes, told = {}, []
    monkeypatch.setattr(Player, "notice", lambda self, text: told.append(str(text)))
    words = [("seat", "Tom"), ("unseat", "Tom"), ("chat", ()), ("chat", "x")]
    async with trio.open_nursery() as nursery:
        port = await nursery.start(lambda task_status: host(outcomes, 2, 2, task_status))
        nursery.start_soon(guest, outcomes, 1, port, words)
    assert len(outcomes) == 2
    assert not [text for text in told if "closed" in text]


async def test_garbage_closes_its_connection_and_leaves_the_table_alive():
    """Strangers that send garbage, huge frames or nothing are closed; the table is formed."""
    outcomes = {}
    async with trio.open_nursery() as nursery:
        port = await nursery.start(lambda task_status: host(outcomes, 2, 2, task_status))
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 64, frame(encode(("close", 1)))):
            stream = await trio.open_tcp_stream(LOOPBACK, port)
            await stream.send_all(garbage)
            while await stream.receive_some(4096):
                pass
            await stream.aclose()
        nursery.start_soon(guest, outcomes, 1, port)
    assert outcomes[0].record.state_hash == outcomes[1].record.state_hash


async def test_another_version_is_told_both_versions():
    """A program of another protocol is refused, and both sides name both versions."""
    told = []
    async with open_node(Identity(os.urandom(32)), VERSION) as node:
        node.on_other_version = told.append
        port = await node.listen(0, LOOPBACK)
        for _ in range(2):
            stream = await trio.open_tcp_stream(LOOPBACK, port)
            await stream.send_all(b"lanplay/999 9.9\n")
            answer = b""
            while data := await stream.receive_some(4096):
                answer += data
            await stream.aclose()
            assert answer == b"lanplay/%d 1.2.3\n" % PROTOCOL
        [why] = told  # once for an address
        assert "lanplay 9.9 (protocol 999), newer than lanplay 1.2.3" in why
        assert LOOPBACK in why
        listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_answer_as_another_version, listeners[0])
            with pytest.raises(
                PeerError, match=r"9\.9 \(protocol 999\), newer than lanplay 1\.2\.3"
            ):
                await node.dial(LOOPBACK, listeners[0].socket.getsockname()[1])


async def _answer_as_another_version(listener):
    async with listener, await listener.accept() as stream:
        await stream.send_all(b"lanplay/999 9.9\n")
        await stream.receive_some(100)


async def test_a_full_table_says_so():
    """A guest of a full table is told that all seats are taken."""
    async with open_node(Identity(os.urandom(32)), VERSION) as node:
        lobby = Lobby(new_table(node, 2))
        lobby.fill("walker")
        hosting = LobbyHost(node, lobby, lambda info: None)
        port = await node.listen(0, LOOPBACK)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hosting.run, lambda info: False)
            async with open_node(Identity(os.urandom(32)), VERSION) as late:
                with pytest.raises(PeerError, match="full"):
                    await join(late, LOOPBACK, port, "late", lambda info: None)
            nursery.cancel_scope.cancel()
