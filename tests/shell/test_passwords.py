"""A table password over real sockets: who knows it sits down, who guesses is slowed and refused."""

from __future__ import annotations

import os
from math import inf

import pytest
import trio

from lanplay_protocol.channel.password import Parties, PasswordProof
from lanplay_protocol.errors import PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby
from lanplay_protocol.shell.host import LobbyHost, join
from lanplay_protocol.shell.node import PeerMessage, open_node
from lanplay_protocol.shell.passwords import KIND, Gate
from lanplay_protocol.wire import encode
from tests.shell.test_table import LOOPBACK, VERSION, new_table


async def table(password, guests, seats=3):
    """Let guests, each with the passwords it will try, come one after the other."""
    said = []
    async with open_node(Identity(os.urandom(32)), VERSION) as node:
        lobby = Lobby(new_table(node, seats))
        hosting = LobbyHost(node, lobby, lambda info: None, Gate(node, password))
        port = await node.listen(0, LOOPBACK)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hosting.run, lambda info: False)
            for guess, identity in guests:
                said.append(await attempt(guess, identity, port))
            nursery.cancel_scope.cancel()
    return said, [guest.name for guest in lobby.info.guests]


async def attempt(guess, identity, port):
    """Return what a guest is told: its seat, or why it was refused."""

    async def ask():
        return guess

    async with open_node(identity, VERSION) as node:
        seated = trio.Event()
        with trio.move_on_after(20) as patience:
            async with trio.open_nursery() as nursery:
                try:
                    nursery.start_soon(stop_when, seated, nursery.cancel_scope)
                    await join(
                        node,
                        LOOPBACK,
                        port,
                        "guest",
                        lambda info: seated.set(),
                        ask if guess is not None else None,
                    )
                except PeerError as error:
                    nursery.cancel_scope.cancel()
                    return error.text
        assert not patience.cancelled_caught
    return "seated"


async def stop_when(event, scope):
    await event.wait()
    scope.cancel()


def anybody():
    return Identity(os.urandom(32))


async def test_who_knows_the_password_sits_down():
    """The right password seats a guest; composed letters are the same as decomposed ones."""
    said, _ = await table("caf\u00e9", [("cafe\u0301", anybody())])
    assert said == ["seated"]


async def test_a_wrong_password_is_refused_and_names_the_reason():
    """Another password, or none, is refused; the next guest who knows it is not in the way."""
    guests = [("wrong", anybody()), (None, anybody()), ("right", anybody())]
    said, _ = await table("right", guests)
    assert "not the same" in said[0]
    assert "password" in said[1]
    assert said[2] == "seated"


async def test_a_kept_seat_needs_the_password_too():
    """Who it is kept for proves it like anybody; a stranger who knows it learns for whom it is."""
    back, stranger = anybody(), anybody()
    said = []
    async with open_node(Identity(os.urandom(32)), VERSION) as node:
        lobby = Lobby(new_table(node, 2))
        lobby.join(Guest(back.public, "Bob", ()))
        lobby.awaited = frozenset({back.public})
        hosting = LobbyHost(node, lobby, lambda info: None, Gate(node, "right"), patience=inf)
        port = await node.listen(0, LOOPBACK)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hosting.run, lambda info: False)
            for guess, identity in (("wrong", back), ("right", stranger), ("right", back)):
                said.append(await attempt(guess, identity, port))
            nursery.cancel_scope.cancel()
    assert "not the same" in said[0]
    assert "kept for those who played there before: Bob" in said[1]
    assert said[2] == "seated"


async def test_guessing_is_slowed_by_key():
    """After three wrong guesses the fourth is not even looked at."""
    guesser = anybody()
    said, _ = await table("right", [("wrong", guesser)] * 3 + [("right", guesser)])
    assert all("not the same" in text for text in said[:3])
    assert "Try again" in said[3]


async def test_a_guest_that_skips_the_proof_is_not_seated():
    """Asking again for a seat without a proof brings only the question for the password."""
    async with open_node(anybody(), VERSION) as node:
        lobby = Lobby(new_table(node, 2))
        hosting = LobbyHost(node, lobby, lambda info: None, Gate(node, "right"))
        port = await node.listen(0, LOOPBACK)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hosting.run, lambda info: False)
            async with open_node(anybody(), VERSION) as guest:
                with pytest.raises(PeerError, match="password"):
                    await join(guest, LOOPBACK, port, "eve", lambda info: None)
            nursery.cancel_scope.cancel()
    assert len(lobby.info.guests) == 1


async def test_what_was_proven_ends_with_its_link():
    """Whoever comes again, under the same key, proves it again: the proof was of that link."""
    ann = anybody()
    said, _ = await table("right", [("right", ann), (None, ann), ("right", ann)])
    assert said[0] == said[2] == "seated"
    assert "password" in said[1]


async def test_who_lost_its_link_in_the_middle_of_its_proof_proves_it_on_the_next_one():
    """The host had not seen the old link end, and took the first message of the new proof for the
    last one of the old: a wrong password."""
    ann = anybody()
    async with open_node(anybody(), VERSION) as node, trio.open_nursery() as nursery:
        hosting = LobbyHost(node, Lobby(new_table(node, 3)), lambda info: None, Gate(node, "right"))
        port = await node.listen(0, LOOPBACK)
        nursery.start_soon(hosting.run, lambda info: False)
        async with open_node(ann, VERSION) as guest:
            host = await guest.dial(LOOPBACK, port)
            parties = Parties(ann.public, host, guest.binding(host))
            first = PasswordProof(True, "right", parties, bytes(32)).start()
            guest.send(host, encode((KIND, first)))
            while not isinstance(await guest.events.receive(), PeerMessage):
                pass  # until the host has answered it
            assert await attempt("right", ann, port) == "seated"
        nursery.cancel_scope.cancel()


class Leaving:
    """A node whose guest goes while its proof is checked."""

    identity = anybody()
    address = LOOPBACK

    def seen_at(self, identity):
        return self.address

    def binding(self, identity):
        return bytes(64)

    def send(self, identity, body):
        pass


async def test_of_a_guest_that_goes_while_its_proof_is_checked_nothing_is_kept(monkeypatch):
    """Whoever waits for the host's answer no more is not known to have begun a proof."""
    node, guest, real = Leaving(), anybody().public, trio.to_thread.run_sync
    gate = Gate(node, "secret")
    first = PasswordProof(
        True, "secret", Parties(guest, node.identity.public, bytes(64)), bytes(32)
    ).start()

    async def run_sync(*given):
        node.address = ""
        gate.gone(guest)
        return await real(*given)

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)
    await gate.receive(guest, first)
    assert not gate._proofs


async def test_a_proof_that_was_taken_is_answered_whatever_ends_the_hosts_turn(monkeypatch):
    """The time of kept seats was over, or its person said start: whoever proved the password waited
    for an answer that never came."""
    guest, real, sent = anybody().public, trio.to_thread.run_sync, []
    node, over = Leaving(), trio.CancelScope()
    node.send = lambda identity, body: sent.append(identity)
    parties = Parties(guest, node.identity.public, bytes(64))
    first = PasswordProof(True, "secret", parties, bytes(32)).start()

    async def run_sync(*given):
        over.cancel()
        return await real(*given)

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)
    with over:
        await Gate(node, "secret").receive(guest, first)
    assert sent == [guest]
