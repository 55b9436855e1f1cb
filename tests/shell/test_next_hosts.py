"""A host that is gone, and a liar on the next seat, over real sockets on a virtual clock: the table
goes on with the honest ones, whatever that one says."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from lanplay.errors import Fault, Mistake, UserError
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.lobby import Seat
from lanplay_protocol.reasons import packed
from lanplay_protocol.shell.node import PeerMessage
from lanplay_protocol.wire import decode, encode
from tests.shell.test_forming import LOOPBACK, Program, Way, end, table, table_at


@pytest.fixture
def clock():
    return MockClock(autojump_threshold=0.01)


class Guest(Program):
    """It plays by rules of its own, and nobody is there who could type a password, or who types
    one that is ``none``."""

    none = UserError(Fault.PASSWORD_NEEDED)

    def saw(self, info):
        if info is not None and info.rules != bytes(16):
            raise UserError(Fault.RULES_DIFFER, ours="these", theirs="those")
        super().saw(info)

    async def ask(self):
        raise self.none


class Liar(Program):
    """A next host that says to whoever comes what ``lies`` gives for the table of the two."""

    def __init__(self, name, lies):
        super().__init__(name)
        self.lies = lies

    async def host(self, seat):
        async def events():
            for event in seat.early:
                yield event
            while True:
                yield await self.node.events.receive()

        async for event in events():
            if isinstance(event, PeerMessage) and decode(event.body)[0] == "join":
                info, two = seat.lobby.info, (self.identity.public, event.identity)
                guests = tuple(guest for guest in info.guests if guest.identity in two)
                seats = tuple(s if s.peer in two else Seat() for s in info.seats)
                self.lies(self, event.identity, replace(info, guests=guests, seats=seats))


def out(liar, to, info):
    liar.node.send(to, encode(("out", packed("go away"))))


def other_rules(liar, to, info):
    liar.node.send(to, encode(("table", replace(info, rules=b"x" * 16).plain())))


def password(liar, to, info):
    liar.node.send(to, encode(("password", b"")))


def leaves(liar, to, info):
    liar.node.send(to, encode(("table", info.plain())))
    liar.node.send(to, encode(("left", ())))


def hangs_up(liar, to, info):
    liar.node.send(to, encode(("table", info.plain())))
    liar.node.close(to, PeerError(Code.UNEXPECTED, "go away"))


def nonsense(liar, to, info):
    liar.node.send(to, encode(("table", info.plain())))
    liar.node.send(to, encode(("table", ("nonsense",))))


@pytest.mark.parametrize("lies", [out, other_rules, password, leaves, hangs_up, nonsense])
async def test_a_liar_that_is_to_host_the_table_next_ends_no_honest_program(lies, clock):
    """Turned away, shown a game that cannot be played, asked for a password that the table has not,
    or shown a table of two that is left at once: each of it ended the programs of all, or went on
    for ever."""
    async with trio.open_nursery() as nursery:
        host = await nursery.start(partial(Program("host").run, seats=6))
        programs = [host, Liar("ann", lies), Guest("ben"), Guest("cid"), Guest("dan")]
        for number, each in enumerate(programs[1:], 2):
            await nursery.start(each.run, (LOOPBACK, host.port))
            for program in programs[:number]:
                await program.until(lambda it, n=number: it.info and len(it.info.guests) == n)
        _, _, ben, cid, dan = programs
        cid.none = Mistake(Fault.PASSWORD_LENGTH, most=128)
        host.die()
        await ben.hosts("free", "free", "ben", "cid", "dan", "free")
        for each in (cid, dan):
            await each.sees("free", "free", "ben", "cid", "dan", "free")
        assert [cid.hosting, dan.hosting] == [None, None]
        assert not ben.hosting.lobby.awaited
        end(nursery)


async def test_a_link_that_breaks_to_the_host_after_one_that_hung_up_moves_the_table_nowhere(clock):
    """Who hangs up at once a few times is left: that counts for that host alone."""
    async with trio.open_nursery() as nursery:
        host = await nursery.start(partial(Program("host").run, seats=6))
        programs = [host, Liar("ann", hangs_up), Guest("ben"), Guest("cid")]
        for number, each in enumerate(programs[1:], 2):
            await nursery.start(each.run, (LOOPBACK, host.port))
            for program in programs[:number]:
                await program.until(lambda it, n=number: it.info and len(it.info.guests) == n)
        _, _, ben, cid = programs
        host.die()
        await ben.hosts("free", "free", "ben", "cid", "free", "free")
        await cid.sees("free", "free", "ben", "cid", "free", "free")
        ben.node.close(cid.identity.public, PeerError(Code.UNEXPECTED, "go away"))
        await trio.sleep(20)
        assert cid.hosting is None
        assert [guest.name for guest in ben.hosting.lobby.info.guests] == ["ben", "cid"]
        end(nursery)


async def test_a_guest_that_alone_lost_its_host_is_back_once_its_way_is(clock):
    """It was told where the table is, and ended: its person had to type that."""
    async with trio.open_nursery() as nursery:
        host = await nursery.start(Program("host").run)
        way = await nursery.start(Way().run, host)
        _, ann, ben = await table_at(nursery, host, {"ann": host, "ben": way})
        way.fall_silent()
        await ben.until(lambda it: it.hosting is not None)
        await host.sees("host", "ann", "free", "free")
        way.open.set()
        for program in (host, ann, ben):
            await program.sees("host", "ann", "ben", "free")
            assert (program.refused, program.info.host.name) == ("", "host")
        assert ben.hosting is None
        end(nursery)


async def test_a_person_who_leaves_when_the_next_host_asks_for_a_password_is_gone(clock):
    left = []

    class Leaving(Guest):
        none = UserError(Fault.LEFT_TABLE)

        async def sit(self, seat):
            with pytest.raises(UserError) as caught:
                await super().sit(seat)
            left.append(caught.value.leaves)

    async with trio.open_nursery() as nursery:
        host = await nursery.start(Program("host").run)
        ann, ben = Liar("ann", password), Leaving("ben")
        for number, each in enumerate((ann, ben), 2):
            await nursery.start(each.run, (LOOPBACK, host.port))
            for program in (host, ann, ben)[:number]:
                await program.until(lambda it, n=number: it.info and len(it.info.guests) == n)
        host.die()
        await trio.sleep(30)
        assert left == [True]
        end(nursery)


async def test_a_host_that_says_what_nobody_can_read_ends_no_program(clock):
    """Its guests ended with what was wrong with it, and not one of them had the table."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        for guest in (ann, ben):
            host.node.send(guest.identity.public, encode(("table", ("nonsense",))))
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        assert (ann.refused, ben.refused) == ("", "")
        end(nursery)
