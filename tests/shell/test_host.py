"""A host that has lost guests: whom it looks for, and when it gives its table up to another."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio

from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo, outranks
from lanplay_protocol.shell.events import Events
from lanplay_protocol.shell.host import SEEK_SECONDS, SEEK_TIMES, VAIN, LobbyHost
from lanplay_protocol.shell.node import PeerDisconnected, PeerMessage
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.wire import decode, encode

ME = Identity(b"m" * 32)
ANN, BEN = b"a" * 32, b"b" * 32


class Node:
    """A node that reaches nobody, and remembers whom it has dialled."""

    def __init__(self):
        self.identity = ME
        self.events = Events()
        self.seated = frozenset()
        self.dialled = []
        self.sent = []

    def places(self):
        return (("10.0.0.2", 7),)

    def seen_at(self, identity):
        return "10.0.0.1"

    async def dial(self, host, port):
        self.dialled.append(host)
        raise OSError("no answer")

    def send(self, to, body):
        self.sent.append((to, body))

    def close(self, to, error):
        pass


def guest(identity, name):
    return Guest(identity, name, ((name, 7),))


def hosting(lost=(), password=""):
    """A host alone at a table of three."""
    chairs = (Seat("me", ME.public), Seat(), Seat())
    info = TableInfo(
        "0" * 32, "a table", "dice-town", bytes(16), (), chairs, (Guest(ME.public, "me", ()),)
    )
    node = Node()
    gate = Gate(node, password) if password else None
    return LobbyHost(node, Lobby(info), lambda info: None, gate, lost=lost)


def shown(info, *guests, term):
    """The table with these guests alone."""
    chairs = (*(Seat(each.name, each.identity) for each in guests), Seat(), Seat())
    return replace(info, seats=chairs[: len(info.seats)], guests=guests, term=term)


def elsewhere(table):
    """The same table as a later host with a guest shows it."""
    info = table.lobby.info
    other = shown(info, guest(ANN, "ann"), guest(b"c" * 32, "cy"), term=info.term + 1)
    assert outranks(other, info)
    return PeerMessage(ANN, encode(("table", other.plain())))


@pytest.mark.parametrize("alone", [True, False])
async def test_a_host_follows_a_later_one_only_while_it_has_no_guests(alone, autojump_clock):
    """Whoever has guests of its own does not leave them."""
    table = hosting([guest(ANN, "ann")])
    if not alone:
        table.lobby.join(guest(BEN, "ben"))
    found = None
    with trio.move_on_after(1):
        table._node.events.put(elsewhere(table))
        found = await table.run(lambda info: False)
    assert found == (guest(ANN, "ann") if alone else None)


async def test_a_host_follows_nobody_of_whom_it_does_not_know_where_it_is(autojump_clock):
    """It left its own table, and sat down at any that was announced on the network."""
    table = hosting([Guest(ANN, "ann", ())])
    table._node.events.put(elsewhere(table))
    with trio.move_on_after(1) as patience:
        await table.run(lambda info: False)
    assert patience.cancelled_caught


@pytest.mark.parametrize(("said", "term"), [(3, 3), (60000, VAIN)])
async def test_a_host_with_guests_passes_the_terms_of_one_that_offered_in_vain(
    said, term, autojump_clock
):
    """That one follows it, and has signed those terms; it is believed once, and a few terms."""
    table = hosting([guest(ANN, "ann")])
    table.lobby.join(guest(BEN, "ben"))
    info = table.lobby.info
    for more in (0, 2):
        other = shown(info, guest(ANN, "ann"), term=said + more)
        assert outranks(info, other)
        table._node.events.put(PeerMessage(ANN, encode(("table", other.plain()))))
    with trio.move_on_after(1):
        await table.run(lambda info: False)
    assert table.lobby.info.term == term


async def test_every_guest_that_is_lost_is_looked_for(autojump_clock, nursery):
    """So many times; that one was looked for in vain does not count for the next."""
    table = hosting()
    nursery.start_soon(table.run, lambda info: False)
    for name, identity in (("ann", ANN), ("ben", BEN)):
        table.lobby.join(guest(identity, name))
        table._node.events.put(PeerDisconnected(identity, ""))
        await trio.sleep(SEEK_SECONDS * (SEEK_TIMES + 3))
        assert table._node.dialled.count(name) == SEEK_TIMES


async def test_who_wants_to_watch_a_forming_table_proves_its_password_first(autojump_clock):
    """Until then it is not even told that there is nothing to see yet."""
    table = hosting(password="secret")
    answers = []
    for passed in (False, True):
        if passed:
            table._gate._passed.add(ANN)
        table._node.events.put(PeerMessage(ANN, encode(("watch", "ann"))))
        with trio.move_on_after(1):
            await table.run(lambda info: False)
        answers.append(decode(table._node.sent[-1][1])[0])
    assert answers == ["password", "forming"]
