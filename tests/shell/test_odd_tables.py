"""Whatever a host, a guest or a stranger says of a table, or of why it goes: no program ends."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

import pytest
import trio

from lanplay.errors import Fault
from lanplay.games import load
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Seat, TableInfo
from lanplay_protocol.replica.roster import TERMS
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.node import PeerMessage, open_node
from lanplay_protocol.wire import decode, encode
from tests.shell.test_beginning import Liar, sits, until
from tests.shell.test_forming import LOOPBACK, TABLE, VERSION, Program, clock, end  # noqa: F401
from tests.shell.test_limits import shaken_at


class OddHost(Liar):
    """A host of a game that everybody plays, with a term of its own taste."""

    term = 0

    @property
    def info(self):
        game = load("charidice")
        guests = (self.me, *self.seated.values())
        seats = (*(Seat(g.name, g.identity) for g in guests), Seat())
        options = tuple((name, values[0]) for name, values in game.options.items())
        head = (TABLE, "a table", game.name, game.fingerprint, options)
        return TableInfo(*head, seats, guests, TableSettings(45), term=self.term)


async def test_a_table_whose_liar_named_the_last_term_can_still_begin(clock):  # noqa: F811
    """The heirs of a host that offered in the last term there is go on; they must agree."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(OddHost().run)
        liar.term = TERMS - 1
        ann, ben = await sits(nursery, liar), await sits(nursery, liar, "ben")
        await ann.until(lambda it: len(it.info.guests) == 3)
        liar.send(liar.offer, ann.identity.public)
        await until(lambda: liar.of("accept"))
        for each in (ann, ben):
            liar.node.send(each.identity.public, encode(("left", ())))
        await trio.sleep(0.01)
        liar.node._nursery.cancel_scope.cancel()
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        for name in ("cid", "dan"):
            await nursery.start(partial(Program(name).run), (LOOPBACK, ann.port))
        await trio.sleep(60)
        assert ann.info.term < TERMS // 2
        assert ann.info.table == ben.info.table != TABLE
        assert (ann.refused, ben.refused) == ("", "")
        assert ann.start.roster == ben.start.roster
        end(nursery)


class Ghostly(OddHost):
    """A host that shows a seat of a program that is not at the table, and what that one says."""

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

    def __init__(self, table, seated, asks):
        super().__init__()
        self.table, self.seated_too, self.asks = table, seated, asks

    async def run(self, *, task_status):
        async with open_node(self.identity, VERSION) as self.node:
            self.port = await self.node.listen(0, LOOPBACK)
            task_status.started(self)
            while True:
                event = await self.node.events.receive()
                if isinstance(event, PeerMessage):
                    kind, _ = decode(event.body)
                    if kind == "join" and self.asks:
                        self.node.send(event.identity, encode(("password", b"")))
                    elif kind in ("join", "password"):
                        self.shows(event.identity)

    def shows(self, to):
        keys = (self.identity.public, to if self.seated_too else b"x" * 32)
        seats = tuple(Seat(f"p{n}", key) for n, key in enumerate(keys))
        guests = tuple(Guest(key, f"p{n}", ()) for n, key in enumerate(keys))
        info = replace(self.info, table=self.table, seats=seats, guests=guests)
        self.node.send(to, encode(("table", info.plain())))
        self.node.close(to, PeerError(Code.UNEXPECTED, "bye"))


class WithSecond(OddHost):
    @property
    def info(self):
        info = super().info
        second = Guest(self.second.identity.public, "evil", ((LOOPBACK, self.second.port),))
        seats = (info.seats[0], Seat("evil", second.identity), *info.seats[1:])
        return replace(info, seats=seats, guests=(info.guests[0], second, *info.guests[1:]))


@pytest.mark.parametrize(
    "shown",
    [(TABLE, True, True), (TABLE, False, True), (TABLE, False, False), ("f" * 32, True, False)],
)
async def test_a_guest_goes_on_with_the_table_that_is_its_own(shown, clock):  # noqa: F811
    """An earlier seat that it asks shows one before the password is proven, one without a seat for
    it, or another one, and hangs up: the guest hosts what it sat at."""
    async with trio.open_nursery() as nursery:
        second = await nursery.start(Second(*shown).run)
        liar = WithSecond()
        liar.second = second
        liar = await nursery.start(liar.run)
        ann, _ = [
            await nursery.start(
                partial(Program(name).run, (LOOPBACK, liar.port), password="secret")
            )
            for name in ("ann", "ben")
        ]
        await ann.until(lambda it: it.info and len(it.info.guests) == 4)
        liar.node._nursery.cancel_scope.cancel()
        await ann.hosts("free", "evil", "ann", "ben", "free")
        end(nursery)


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
        stream, channel = await shaken_at(port)
        async with stream:
            await stream.send_all(channel.send(encode(("close", ("bye", reason)))))
            await trio.sleep(0.2)
        async with open_node(Identity(os.urandom(32)), VERSION) as other:
            assert await other.dial(LOOPBACK, port) == node.identity.public


async def test_a_host_that_refuses_with_an_odd_reason_ends_no_guest(clock):  # noqa: F811
    """Its guest is told no, in words or by a name."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(OddHost().run)
        ann = await sits(nursery, liar)
        reason = next(odd_reasons())
        liar.node.send(ann.identity.public, encode(("no", reason)))
        await trio.sleep(5)
        assert ann.info
        end(nursery)
