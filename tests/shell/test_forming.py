"""Tables that form over real sockets on the loopback interface, on a virtual clock."""

from __future__ import annotations

import os
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from lanplay.errors import Mistake
from lanplay_protocol.errors import PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo
from lanplay_protocol.lobby_chat import LobbyChat
from lanplay_protocol.shell.guest import ANSWER_SECONDS, EARLY, say, seat_person
from lanplay_protocol.shell.host import FrozenTable, HostHandover, LobbyHost, join
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.wire import decode, encode

LOOPBACK = "127.0.0.1"
VERSION = "1.2.3"
TABLE = "0" * 32


@pytest.fixture
def clock():
    """Seconds pass when every program waits for them, and for nothing else."""
    return MockClock(autojump_threshold=0.01)


def wish(identity, name, nonce=bytes(32)):
    """What a program says that wants to sit down and listens nowhere."""
    me = Guest(identity.public, name, (), nonce, ((LOOPBACK, 1),)).signed(identity)
    return encode(("join", (name, 1, nonce, "", me.places, me.signature)))


class Program:
    """A program that sits at a table, as its host or a guest by turns, and keeps what it sees."""

    def __init__(self, name):
        self.name = name
        self.identity = Identity(os.urandom(32))
        self.info = None
        self.hosting = None
        self.start = None
        self.refused = ""
        self.heard = []
        self.chat = LobbyChat(self.hears)
        self.news = trio.Event()
        self.scope, self.here = trio.CancelScope(), trio.CancelScope()

    async def run(
        self,
        address=None,
        seats=4,
        people=0,
        password=None,
        *,
        task_status=trio.TASK_STATUS_IGNORED,
    ):
        self.password = password
        with self.scope:
            async with open_node(self.identity, VERSION) as self.node:
                self.port = await self.node.listen(0, LOOPBACK)
                task_status.started(self)
                with self.here:
                    await self.sit(address or self.opened(seats, people))

    def opened(self, seats, people):
        me = self.identity.public
        chairs = (Seat(self.name, me), *(Seat() for _ in range(seats - 1)))
        guests = (Guest(me, self.name, (), os.urandom(32)),)
        options = (("brute", "free"),)
        head = (TABLE, "a table", "dice-town", bytes(16), options)
        return HostHandover(Lobby(TableInfo(*head, chairs, guests, people=people)))

    async def sit(self, seat):
        try:
            while not isinstance(seat, FrozenTable):
                at = self.host if isinstance(seat, HostHandover) else self.attend
                seat = await at(seat)
            self.start = seat
        except PeerError as error:
            self.refused = error.text
        self.saw(self.info)

    async def host(self, seat):
        gate = Gate(self.node, self.password) if self.password else None
        self.hosting = LobbyHost(
            self.node, seat.lobby, self.saw, gate, seat.early, seat.lost, chat=self.chat
        )
        self.early = seat.early
        self.saw(seat.lobby.info)
        while (other := await self.hosting.run(lambda _: self.hosting.lobby.ready)) is None:
            began = await self.hosting.begin(str)
            if isinstance(began, FrozenTable):
                return began
        self.hosting = None
        return other if isinstance(other, FrozenTable) else other.reached[0]

    async def attend(self, address):
        return await join(self.node, *address, self.name, self.saw, self.ask, chat=self.chat)

    async def ask(self):
        return self.password

    def hears(self, said):
        self.heard.append(f"{said.name}: {said.text}")
        self.saw(self.info)

    async def may_talk(self):
        """Wait until this program knows that its host passes words on."""
        for _ in range(600):
            await trio.sleep(0 if self.chat.passed_on else 0.1)
        assert self.chat.passed_on

    def say(self, text, name=""):
        if self.hosting is not None:
            self.hosting.say(text, name)
        else:
            say(self.node, self.info, self.chat, text, name)

    async def hear(self, *lines):
        await self.until(lambda it: len(it.heard) == len(lines))
        assert self.heard == list(lines)

    def saw(self, info):
        self.info = info
        self.news.set()
        self.news = trio.Event()

    async def until(self, condition, seconds=60):
        """Wait until this program has seen what is to be seen."""
        with trio.fail_after(seconds):
            while not condition(self):
                await self.news.wait()
        return self

    async def hosts(self, *seats):
        return await self.until(lambda it: it.hosting is not None and seen(it, seats))

    async def sees(self, *seats):
        return await self.until(lambda it: seen(it, seats))

    def die(self):
        """End at once, with no word to anybody."""
        self.node._nursery.cancel_scope.cancel()
        self.scope.cancel()


def seen(program, seats):
    return program.info and [s.name or "free" for s in program.info.seats] == list(seats)


async def table(nursery, *guests, **options):
    """Open a table, let guests sit down one after the other, and return all programs."""
    host = await nursery.start(partial(Program("host").run, **options))
    return await table_at(nursery, host, dict.fromkeys(guests, host))


async def table_at(nursery, host, ways):
    """Let guests come to a host, each on its way."""
    programs = [host]
    for place, (name, way) in enumerate(ways.items()):
        run = partial(Program(name).run, password=host.password)
        programs.append(await nursery.start(run, (LOOPBACK, way.port)))
        for program in programs:
            await program.until(lambda it, n=place + 2: it.info and len(it.info.guests) == n)
    return programs


class Way:
    """Connections to a program that can fall silent without an end, like those to a sleeper. It
    says that it listens there alone."""

    async def run(self, program, *, task_status):
        self.target = program
        self.open = trio.Event()
        self.open.set()
        listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
        self.port = listeners[0].socket.getsockname()[1]
        program.node.places = lambda *_: ((LOOPBACK, self.port),)
        async with trio.open_nursery() as nursery:
            serve = partial(trio.serve_listeners, self.carry, listeners, handler_nursery=nursery)
            nursery.start_soon(serve)
            task_status.started(self)

    async def carry(self, near):
        await self.open.wait()
        far = await trio.open_tcp_stream(LOOPBACK, self.target.port)
        async with near, far, trio.open_nursery() as nursery:
            nursery.start_soon(self.one_way, near, far, nursery)
            nursery.start_soon(self.one_way, far, near, nursery)

    async def one_way(self, source, sink, nursery):
        try:
            while data := await source.receive_some(65536):
                await self.open.wait()
                await sink.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        nursery.cancel_scope.cancel()

    def fall_silent(self):
        self.open = trio.Event()


def end(nursery):
    nursery.cancel_scope.cancel()


async def test_the_next_seat_hosts_the_table_of_a_dead_host(clock):
    """The host dies without a word: the same table under the next host, with all who sat there."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben", people=4)
        host.die()
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        assert (ann.info.table, ann.info.name) == (TABLE, "a table")
        for name in ("cid", "dan"):
            await nursery.start(partial(Program(name).run), (LOOPBACK, ann.port))
        await ben.until(lambda it: it.start)
        await ann.until(lambda it: it.start)
        assert ann.start.roster == ben.start.roster
        assert ann.start.roster.names == ("cid", "ann", "ben", "dan")
        end(nursery)


async def test_a_host_that_leaves_on_purpose_is_not_waited_for(clock):
    """A host that says that it leaves is followed at once: no second passes."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        began = trio.current_time()
        host.hosting.leave()
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        await ann.until(lambda it: not it.hosting.lobby.awaited)
        assert trio.current_time() - began < 1
        end(nursery)


async def test_a_host_that_falls_silent_is_followed_too(clock):
    """No end of a connection, just silence: the guests notice, and go on."""
    async with trio.open_nursery() as nursery:
        host = await nursery.start(Program("host").run)
        way = await nursery.start(Way().run, host)
        _, ann, ben = await table_at(nursery, host, {"ann": way, "ben": way})
        way.fall_silent()
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        end(nursery)


async def test_a_host_that_slept_is_an_ordinary_guest_of_the_next_one(clock):
    """The old host finds that its guests went on without it, and sits down with them."""
    async with trio.open_nursery() as nursery:
        host = await nursery.start(Program("host").run)
        way = await nursery.start(Way().run, host)
        _, ann, ben = await table_at(nursery, host, {"ann": way, "ben": way})
        way.fall_silent()
        await host.until(lambda it: it.info.host.name == "ann")
        assert host.hosting is None
        for program in (host, ann, ben):
            await program.sees("host", "ann", "ben", "free")
            assert program.info.host.name == "ann"
        end(nursery)


async def test_if_the_next_host_is_gone_too_the_one_after_it_hosts(clock):
    """Host and heir die together: whoever sits next takes the table over, with the others."""
    async with trio.open_nursery() as nursery:
        host, ann, ben, cid = await table(nursery, "ann", "ben", "cid", seats=5)
        host.die()
        ann.die()
        await ben.hosts("free", "free", "ben", "cid", "free")
        await cid.until(lambda it: it.info.host.name == "ben")
        end(nursery)


async def test_who_does_not_follow_in_time_loses_the_seat(clock):
    """The seats of a former host's guests are kept for some seconds and are free then."""
    async with trio.open_nursery() as nursery:
        host, ann, _, cid = await table(nursery, "ann", "ben", "cid", seats=5)
        host.die()
        cid.die()
        await ann.hosts("free", "ann", "ben", "cid", "free")
        began = trio.current_time()
        await ann.sees("free", "ann", "ben", "free", "free")
        assert 8 < trio.current_time() - began < 12
        assert not ann.hosting.lobby.awaited
        end(nursery)


class Moved(Program):
    """A guest at whose address somebody else answers."""

    def __init__(self, name, port):
        super().__init__(name)
        self.elsewhere = port

    async def sit(self, seat):
        self.node.port = self.elsewhere
        await super().sit(seat)


async def test_somebody_else_at_the_next_hosts_address_is_not_waited_for(clock):
    """Whoever answers there proves to be another program: the table goes on at once without it."""
    async with trio.open_nursery() as nursery:
        eve = await nursery.start(Program("eve").run)
        host = await nursery.start(partial(Program("host").run, seats=5))
        await nursery.start(Moved("ann", eve.port).run, (LOOPBACK, host.port))
        await host.sees("host", "ann", "free", "free", "free")
        _, ben, cid = await table_at_more(nursery, host, "ben", "cid")
        began = trio.current_time()
        host.die()
        await ben.hosts("free", "ann", "ben", "cid", "free")
        assert trio.current_time() - began < ANSWER_SECONDS / 2
        await cid.until(lambda it: it.info.host.name == "ben")
        assert eve.info.guests[1:] == ()
        end(nursery)


async def table_at_more(nursery, host, *names):
    """Let more guests come to a host."""
    programs = [host]
    for name in names:
        programs.append(await nursery.start(Program(name).run, (LOOPBACK, host.port)))
        for program in programs:
            await program.until(
                lambda it, n=name: it.info and n in [g.name for g in it.info.guests]
            )
    return programs


async def test_what_comes_before_its_time_is_kept_within_bounds(clock):
    """Whoever sends a guest what it may need as the next host fills no memory of it."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        await ben.node.dial(LOOPBACK, ann.port)
        for number in range(100):
            ben.node.send(ann.identity.public, encode(("early", number)))
        with trio.move_on_after(1):
            await trio.sleep_forever()
        host.die()
        await ann.until(lambda it: it.hosting is not None)
        known = [event for event in ann.early if event.identity == ben.identity.public]
        assert 1 <= len(known) <= EARLY
        end(nursery)


async def test_the_order_of_the_seats_names_the_next_host(clock):
    """Not who came first but who sits lowest is next; AI seats are the next host's."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        host.hosting.lobby.move(1, 3)
        host.hosting.lobby.seat_bot(1, "steady")
        host.hosting.publish()
        await ben.sees("host", "steady 2", "ben", "ann")
        await ann.sees("host", "steady 2", "ben", "ann")
        host.die()
        await ben.hosts("free", "steady 2", "ben", "ann")
        assert ben.info.seats[1].peer == ben.identity.public
        await ann.until(lambda it: it.info.host.name == "ben")
        end(nursery)


async def test_a_guest_that_is_alone_is_told_so(clock):
    """With nobody else at the table a guest whose host has gone gets a sentence, not a table."""
    async with trio.open_nursery() as nursery:
        host, ann = await table(nursery, "ann")
        host.die()
        await ann.until(lambda it: it.refused)
        assert "nobody else sits at the table" in ann.refused
        assert "lanplay host" in ann.refused
        end(nursery)


async def test_a_guest_that_lost_its_way_for_a_moment_sits_down_again(clock):
    """A connection that ends while the host is there costs no table and no seat."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        for link in list(ann.node._links.values()):
            link.scope.cancel()
        await host.sees("host", "free", "ben", "free")
        await ann.sees("host", "ann", "ben", "free")
        assert (ann.hosting, ben.hosting) == (None, None)
        end(nursery)


async def test_a_guest_that_leaves_frees_its_seat_at_once(clock):
    """The host need not wait for a guest that goes."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        began = trio.current_time()
        ann.here.cancel()
        await ben.sees("host", "free", "ben", "free")
        assert trio.current_time() - began < 1
        assert host.hosting._lost == {}
        end(nursery)


async def test_a_kicked_guest_is_told_and_cannot_come_back(clock):
    """The kicked one gets the reason in a sentence, all others see the free seat."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        host.hosting.kick("ann")
        await ann.until(lambda it: it.refused)
        assert "host has sent you away from table 'a table'" in ann.refused
        await ben.sees("host", "free", "ben", "free")
        again = Program("ann")
        again.identity = ann.identity
        ann.scope.cancel()
        await nursery.start(again.run, (LOOPBACK, host.port))
        await again.until(lambda it: it.refused)
        assert again.refused == ann.refused
        end(nursery)


async def test_a_locked_table_says_so_to_whoever_comes_and_to_all_at_it(clock):
    """A newcomer is told that the table is locked; its guests see that it is."""
    async with trio.open_nursery() as nursery:
        host, ann = await table(nursery, "ann")
        host.hosting.lobby.lock(True)
        host.hosting.publish()
        await ann.until(lambda it: it.info.locked)
        ben = await nursery.start(Program("ben").run, (LOOPBACK, host.port))
        await ben.until(lambda it: it.refused)
        assert "locked. Ask host to unlock it" in ben.refused
        end(nursery)


async def test_the_next_host_asks_for_the_same_password():
    """Guests prove to the next host what they proved to the first; strangers still cannot."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben", password="secret")
        host.hosting.leave()
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        eve = Program("eve")
        await nursery.start(partial(eve.run, password="guess"), (LOOPBACK, ann.port))
        await eve.until(lambda it: it.refused)
        assert "not the same" in eve.refused
        assert not ann.hosting.lobby.awaited
        end(nursery)


async def test_whose_host_has_proven_no_password_plays_at_a_table_without_one():
    """Though it has proven one to the host before: that lets in whom the next host likes."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben", password="secret")
        ann.password = None
        host.hosting.leave()
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        for name in ("eve", "dan"):
            await nursery.start(Program(name).run, (LOOPBACK, ann.port))
        await ben.until(lambda it: it.start)
        assert not ben.start.proven
        end(nursery)


async def test_whose_host_has_proven_the_password_plays_at_a_table_that_has_one():
    async with trio.open_nursery() as nursery:
        _, ann, ben = await table(nursery, "ann", "ben", seats=3, password="secret")
        await ann.until(lambda it: it.start)
        await ben.until(lambda it: it.start)
        assert ann.start.proven
        assert ben.start.proven
        end(nursery)


class Stays(Program):
    """It keeps its links when it has the start of a game."""

    async def sit(self, seat):
        await super().sit(seat)
        await trio.sleep_forever()


async def test_a_host_has_proven_the_password_for_a_guest_that_sits_down_with_it_again():
    """Another guest had told that one alone that it leaves. The host, linked all along, did not ask
    again, and the guest took the table for one without a password."""
    async with trio.open_nursery() as nursery:
        host, ann = await table(nursery, "ann", seats=3, password="secret")
        ben, kept = Stays("ben"), []
        await nursery.start(partial(ben.run, password="secret"), (LOOPBACK, host.port))
        real = ben.node.send

        ben.node.send = lambda to, body: (
            kept.append((to, body)) if decode(body)[0] in ("accept", "start") else real(to, body)
        )
        await ben.until(lambda it: it.start)
        while ann.identity.public not in ben.node.linked:
            await ben.node.events.receive()
        real(ann.identity.public, encode(("left", ())))
        await trio.sleep(1)
        for to, body in kept:
            real(to, body)
        await ann.until(lambda it: it.start)
        assert ann.start.proven
        end(nursery)


async def test_what_is_said_at_a_forming_table_reaches_all_by_way_of_its_host(clock):
    """Of the host, of a guest and of a further person there; who comes later is told it too."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben", seats=6)
        host.say("welcome")
        seat_person(ann.node, ann.info, "tom", True)
        await ben.sees("host", "ann", "ben", "tom", "free", "free")
        await ann.hear("host: welcome")
        ann.say("hello", "tom")
        await ben.hear("host: welcome", "tom: hello")
        cid = await nursery.start(Program("cid").run, (LOOPBACK, host.port))
        await cid.hear("host: welcome", "tom: hello")
        for each in (host, ann):
            await each.hear("host: welcome", "tom: hello")
        end(nursery)


async def test_the_talk_goes_on_under_the_next_host_and_nothing_is_told_twice(clock):
    """All have heard what was said; who comes to the next host is told it by that one."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        await ben.may_talk()
        ben.say("first")
        await ann.hear("ben: first")
        await ben.hear("ben: first")
        host.die()
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        await ben.may_talk()
        ben.say("second")
        await ann.hear("ben: first", "ben: second")
        cid = await nursery.start(Program("cid").run, (LOOPBACK, ann.port))
        await cid.hear("ben: first", "ben: second")
        await ben.hear("ben: first", "ben: second")
        end(nursery)


async def test_nothing_is_sent_to_an_older_host_which_would_send_the_guest_away(clock):
    """It tells nobody what was said, and so the guest knows, also of a later host; it says so."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        await ben.may_talk()
        ben.say("hello")
        await ann.hear("ben: hello")
        ann.chat.recent = lambda info: encode(("forming", ()))  # knows no talk
        host.die()
        await ben.until(lambda it: it.info.host.name == "ann")
        with pytest.raises(Mistake, match="ann's program is older"):
            ben.say("hello")
        assert (ben.refused, ann.heard) == ("", ["ben: hello"])
        end(nursery)


@pytest.mark.parametrize("odd", [(), "x", (("x",),), ((bytes(32), 0, "host", "x", bytes(64)),)])
async def test_malformed_talk_of_a_host_costs_no_guest_its_seat(odd, clock):
    """It is passed over; what the host says next is heard."""
    async with trio.open_nursery() as nursery:
        host, ann = await table(nursery, "ann", seats=3)
        host.node.send(ann.identity.public, encode(("chat", odd)))
        host.say("hello")
        await ann.hear("host: hello")
        end(nursery)


async def test_a_guest_whose_talk_is_malformed_is_sent_away_and_nobody_else_notices(clock):
    """As for any word that makes no sense: the table goes on without it."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben")
        ann.node.send(host.identity.public, encode(("chat", (("x",),))))
        await ann.until(lambda it: it.refused)
        await ben.may_talk()
        ben.say("where is ann?")
        await host.hear("ben: where is ann?")
        assert ann.heard == []
        end(nursery)
