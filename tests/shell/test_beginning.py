"""The start of a game in two steps, over real sockets on a virtual clock: what is offered is what
was shown, all have it or nobody has, and whoever lies, dies or is silent costs a wait."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from lanplay.errors import Fault
from lanplay_protocol.errors import PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Seat, TableInfo, filled, parse_table
from lanplay_protocol.replica.roster import parse_roster
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.start import (
    ACCEPT,
    accept,
    accepts_of,
    certified,
    check_start,
    difference,
    signed_twice,
)
from lanplay_protocol.schema import fields
from lanplay_protocol.shell.beginning import Beginning
from lanplay_protocol.shell.guest import join
from lanplay_protocol.shell.node import PeerConnected, PeerMessage, open_node
from lanplay_protocol.shell.offers import Offers
from lanplay_protocol.wire import decode, encode
from tests.shell.test_forming import (
    LOOPBACK,
    TABLE,
    VERSION,
    Program,
    Way,
    end,
    table,
    table_at,
    wish,
)

GRACE = 45


@pytest.fixture
def clock():
    return MockClock(autojump_threshold=0.01)


async def until(condition, seconds=900):
    """Wait until something is so; the clock passes only when every program waits."""
    for _ in range(seconds):
        if condition():
            return
        await trio.sleep(1)
    raise AssertionError("it never was so")


# -- what an offer is, and how it is compared ------------------------------------------------------


def info_of(*keys):
    """A table of these programs and one free seat, as they see it."""
    seats = (*(Seat(f"p{n}", key) for n, key in enumerate(keys)), Seat())
    guests = tuple(Guest(key, f"p{n}", (), bytes([n]) * 32) for n, key in enumerate(keys))
    options = (("brute", "free"),)
    return TableInfo(TABLE, "a table", "dice-town", bytes(16), options, seats, guests)


ANN, BEN = Identity(b"a" * 32), Identity(b"b" * 32)


def offer():
    return filled(info_of(ANN.public, BEN.public)).roster()


def test_the_offer_of_the_table_that_was_shown_differs_in_nothing():
    """Also where AI of the house took its free seats, and nobody was shown the nonces of others."""
    shown = filled(info_of(ANN.public, BEN.public))
    bare = replace(shown, guests=tuple(replace(g, nonce=b"") for g in shown.guests))
    assert difference(bare.roster(), offer(), BEN.public, b"\1" * 32) == ""


CHANGES = {
    "game": {"game": "charidice"},
    "rules": {"rules": bytes(15) + b"\1"},
    "options": {"options": {"brute": "paid"}},
    "names": {"names": ("p0", "p1", "else")},
    "bots": {"bots": ("", "", "expert")},
    "settings": {"settings": TableSettings(hints=False)},
    "start": {"start": (7, 306)},
    "protocol": {"protocol": 1},
    "table": {"table": "f" * 32},
    "term": {"term": 3},
}


@pytest.mark.parametrize("field", CHANGES)
def test_whatever_a_host_changes_is_found_and_named(field):
    """A game that goes on from round 7, other options, further AI: nobody was shown them."""
    found = difference(offer(), replace(offer(), **CHANGES[field]), BEN.public, b"\1" * 32)
    assert found == field


def test_a_peer_more_or_with_other_seats_or_with_an_old_nonce_is_found():
    shown, (one, two) = offer(), offer().peers
    for peers in (
        (one,),
        (two, one),
        (one, replace(two, seats=(1, 2))),
        (replace(one, name="else"), two),
        (one, replace(two, nonce=b"n" * 32)),
        (replace(one, nonce=b""), two),
    ):
        assert difference(shown, replace(shown, peers=peers), BEN.public, b"\1" * 32) == "peers"


def test_the_id_of_a_start_hangs_on_the_offer_and_its_term_and_not_on_signatures():
    made = certified(offer(), [accept(offer(), each) for each in (ANN, BEN)])
    assert made.digest() == offer().digest() != replace(offer(), term=1).digest()
    assert parse_roster(decode(encode(made.plain()))) == made
    check_start(made)
    for wrong in (made.accepts[:1], made.accepts[::-1], (made.accepts[0], bytes(64))):
        with pytest.raises(PeerError):
            check_start(replace(made, accepts=wrong))


def test_two_offers_of_a_term_are_proof_against_who_signed_both():
    """Signatures alone decide: an accept of a later term, or of another table, is no second one."""
    other = replace(offer(), options={"brute": "paid"})
    both = accept(offer(), ANN), accept(other, ANN)
    assert signed_twice(both) == {ANN.public: both}
    later = replace(other, term=1)
    elsewhere = replace(other, table="e" * 32)
    assert not signed_twice(accept(each, ANN) for each in (offer(), later, elsewhere))


# -- a host that lies ------------------------------------------------------------------------------


class Liar:
    """A host that shows a table, and then offers what it likes."""

    def __init__(self):
        self.identity = Identity(os.urandom(32))
        self.said, self.seated, self.nonce = [], {}, bytes(32)

    async def run(self, *, task_status):
        async with open_node(self.identity, VERSION) as self.node:
            self.port = await self.node.listen(0, LOOPBACK)
            task_status.started(self)
            while True:
                event = await self.node.events.receive()
                if isinstance(event, PeerConnected):
                    self.host = event.host
                elif isinstance(event, PeerMessage):
                    kind, payload = fields(decode(event.body), 2, "message")
                    self.said.append((event.identity, kind, payload))
                    if kind == "join":
                        self.sit(event.identity, payload)

    def sit(self, identity, payload):
        name, port, nonce, _bot, *said = payload
        self.seated[identity] = Guest(identity, name, ((LOOPBACK, port),), nonce, *said)
        for each in self.seated:
            self.node.send(each, encode(("table", self.info.plain())))

    @property
    def me(self):
        return Guest(self.identity.public, "liar", (), self.nonce).signed(self.identity)

    @property
    def info(self):
        guests = (self.me, *self.seated.values())
        seats = (*(Seat(g.name, g.identity) for g in guests), Seat())
        head = (TABLE, "a table", "dice-town", bytes(16), (("brute", "free"),))
        return TableInfo(*head, seats, guests, TableSettings(GRACE))

    @property
    def offer(self):
        return filled(self.info).roster()

    def send(self, roster, to, plain=...):
        signed = accept(roster, self.identity).signature
        payload = (roster.plain() if plain is ... else plain, signed)
        self.node.send(to, encode(("offer", payload)))

    def of(self, kind):
        return [payload for _, said, payload in self.said if said == kind]


async def sits(nursery, liar, name="ann"):
    """Seat a guest at a liar's table."""
    guest = await nursery.start(partial(Sitting(name).run), (LOOPBACK, liar.port))
    await guest.until(lambda it: it.info and any(s.name == name for s in it.info.seats))
    return guest


class Sitting(Program):
    """A guest that keeps what it is told."""

    def __init__(self, name):
        super().__init__(name)
        self.told, self.kept = [], []

    async def attend(self, address):
        told, kept = self.told.append, self.kept.append
        return await join(
            self.node, *address, self.name, self.saw, self.ask, notice=told, accepting=kept
        )


def mutated(value, path=()):
    """Give every variant of plain data with one thing in it exchanged, dropped, or doubled."""
    for other in (None, -1, 1 << 40, "", "x" * 70, b"", b"\0" * 33, (), ((),)):
        yield other
    if isinstance(value, tuple):
        for n, each in enumerate(value):
            yield value[:n] + value[n + 1 :]
            yield (*value[:n], each, *value[n:])
            for other in mutated(each, (*path, n)):
                yield (*value[:n], other, *value[n + 1 :])


async def test_no_variant_of_an_offer_is_accepted_and_none_ends_the_guest(clock):
    """Each is refused with the name of what differs, and the guest sits on."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(Liar().run)
        ann = await sits(nursery, liar)
        honest = liar.offer.plain()
        variants = [each for each in mutated(honest) if each != honest]
        assert len(variants) > 300
        sent = 0
        for each in variants:
            try:
                encode(("offer", each))
            except (TypeError, ValueError, OverflowError):
                continue
            liar.send(liar.offer, ann.identity.public, each)
            sent += 1
        await until(lambda: len(liar.of("refuse")) >= sent)
        assert not liar.of("accept")
        assert not ann.kept
        liar.send(liar.offer, ann.identity.public)
        await ann.until(lambda it: it.start)
        assert ann.start.roster.digest() == liar.offer.digest()
        end(nursery)


async def test_a_guest_says_what_differs_to_its_person_and_to_the_host(clock):
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(Liar().run)
        ann = await sits(nursery, liar)
        liar.send(replace(liar.offer, start=(7, 306)), ann.identity.public)
        await until(lambda: liar.of("refuse"))
        assert [what for _, what in liar.of("refuse")] == ["start"]
        assert "another game than the table shows (where the game begins)" in str(ann.told[-1])
        end(nursery)


async def test_two_offers_in_one_term_convict_their_host_and_the_guests_go_on_without(clock):
    """Each guest gets another table; what they tell each other is proof."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(Liar().run)
        ann, ben = await sits(nursery, liar), await sits(nursery, liar, "ben")
        await ann.until(lambda it: len(it.info.guests) == 3)
        liar.send(liar.offer, ann.identity.public)
        liar.nonce = b"o" * 32
        liar.node.send(ben.identity.public, encode(("table", liar.info.plain())))
        liar.send(liar.offer, ben.identity.public)
        await ann.hosts("free", "ann", "ben", "free")
        await ben.until(lambda it: it.info.host.name == "ann")
        assert ann.start is ben.start is None
        for each in (ann, ben):
            assert any("two different tables" in str(told) for told in each.told)
        assert liar.identity.public in ann.info.barred
        for each in (ann, ben):
            assert signed_twice(each.node.offers.proofs(TABLE)).keys() == {liar.identity.public}
        end(nursery)


async def test_a_program_signs_one_offer_of_a_term_however_often_it_was_started(clock, tmp_path):
    """A liar that shows the table of yesterday again gets no second signature for that term."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(Liar().run)
        ann = await sits(nursery, liar)
        yesterday = replace(liar.offer, term=4)
        Offers(tmp_path / "offers").accept(yesterday, ann.identity)
        ann.node.offers = Offers(tmp_path / "offers")
        liar.send(liar.offer, ann.identity.public)
        await until(lambda: liar.of("refuse"))
        assert [what for _, what in liar.of("refuse")] == ["term"]
        assert not liar.of("accept")
        end(nursery)


async def test_a_host_offers_a_table_that_it_has_accepted_before_in_a_later_term(clock):
    """Also one that it takes over from whoever shows it an old table."""
    async with trio.open_nursery() as nursery:
        host = await nursery.start(partial(Program("host").run, seats=2))
        host.node.offers.accept(replace(offer(), term=6), host.identity)
        host, ann = await table_at(nursery, host, {"ann": host})
        await until(lambda: host.start and ann.start)
        assert host.start.roster.term == ann.start.roster.term == 7
        end(nursery)


async def test_a_kept_start_is_void_once_a_later_one_was_accepted(clock):
    """Nothing is signed for it any more, and nobody is waited for."""
    async with open_node(BEN, VERSION) as node:
        node.offers.accept(replace(offer(), term=1), BEN)
        ended = await Beginning(node, offer(), {}, ANN.public).run(str)
        assert ended.why == Fault.OFFER_VOID.of()


def test_what_was_accepted_is_read_again_also_where_the_last_line_was_cut_off(tmp_path):
    path = tmp_path / "offers"
    first = Offers(path).accept(offer(), ANN)
    with path.open("a", encoding="utf-8") as file:
        file.write("cut off")
    again = Offers(path)
    assert again.accept(offer(), ANN) == first
    assert again.accept(replace(offer(), options={"brute": "paid"}), ANN) is None
    assert again.accept(replace(offer(), term=1), ANN) is not None
    assert Offers(path).accepted(TABLE)[0] == 1


@pytest.mark.parametrize("call", ["open", "write", "fsync", "close"])
def test_an_accept_that_the_disk_refuses_is_told_and_holds_in_this_process(
    call, tmp_path, monkeypatch
):
    """Whichever call fails: nobody goes on as if it were kept."""
    told, real = [], getattr(os, call)

    def full(*given, **how):
        if call == "close":
            real(*given)
        raise OSError(errno.ENOSPC, "No space left on device")

    offers = Offers(tmp_path / "offers", told.append)
    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        assert offers.accept(offer(), ANN) is not None
    assert [Path(error.filename).name for error in told] == ["offers"]
    assert offers.accept(replace(offer(), options={"brute": "paid"}), ANN) is None


# -- outages, and programs that end, at every step of a start --------------------------------------


def shaken(program, message, what):
    """Let something happen to a program as it is about to send a message of a start."""
    send, once = program.node.send, []

    def spoiled(identity, body):
        if decode(body)[0] == message and not once:
            once.append(True)
            what()
        send(identity, body)

    program.node.send = spoiled


STEPS = ["offer", "accept", "start"]


@pytest.mark.parametrize("step", STEPS)
async def test_a_guest_that_ends_while_a_game_begins_costs_the_others_a_wait(clock, step):
    """They begin with it, as its accept is there, or are back at the table in a later term."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben", seats=3)
        victim = ben if step != "offer" else host
        shaken(victim, step, ben.die)
        host.hosting.lobby.info = replace(host.hosting.lobby.info, people=3)
        host.hosting.publish()
        await until(lambda: (host.start and ann.start) or host.hosting.lobby.info.term)
        if host.start:
            assert host.start.roster == ann.start.roster
        else:
            assert [s.name for s in host.hosting.lobby.info.seats] == ["host", "ann", "ben"]
            assert {g.name for g in host.hosting.lobby.late} == {"ben"}
            assert ann.info.host.name == "host"
        end(nursery)


@pytest.mark.parametrize("step", STEPS)
async def test_a_host_that_ends_while_a_game_begins_leaves_the_table_to_the_next_seat(clock, step):
    """The same table, with its people, in a later term; or the game, if all had accepted."""
    async with trio.open_nursery() as nursery:
        host, ann, ben = await table(nursery, "ann", "ben", seats=3)
        shaken(host if step != "accept" else ann, step, host.die)
        host.hosting.lobby.info = replace(host.hosting.lobby.info, people=3)
        host.hosting.publish()
        await until(lambda: (ann.start and ben.start) or ann.hosting)
        if ann.hosting is not None:
            await ben.until(lambda it: it.start or it.info.host.name == "ann", seconds=200)
            assert ann.info.term == 1
            assert ann.info.table == TABLE
        else:
            assert ann.start.roster == ben.start.roster
        end(nursery)


async def test_a_host_may_end_with_one_guest(clock):
    """Nobody is left to play with: the guest is told, and does not wait for ever."""
    async with trio.open_nursery() as nursery:
        host, ann = await table(nursery, "ann", seats=2)
        shaken(host, "start", host.die)
        shaken(host, "offer", host.die)
        host.hosting.lobby.info = replace(host.hosting.lobby.info, people=2)
        host.hosting.publish()
        await until(lambda: ann.refused or ann.start or ann.hosting)
        end(nursery)


@pytest.mark.parametrize("silent", [12.0, 30.0])
async def test_an_outage_while_a_game_begins_costs_a_wait(clock, silent):
    """The last guest's way falls silent as the game begins: all begin when it is back."""
    async with trio.open_nursery() as nursery:
        host = await nursery.start(partial(Program("host").run, seats=3))
        way = await nursery.start(Way().run, host)
        host, ann, ben = await table_at(nursery, host, {"ann": host, "ben": way})
        way.fall_silent()
        host.hosting.lobby.info = replace(host.hosting.lobby.info, people=3)
        host.hosting.publish()
        await trio.sleep(silent)
        way.open.set()
        await until(lambda: host.start and ann.start and ben.start)
        assert len({each.start.roster.digest() for each in (host, ann, ben)}) == 1
        assert {len(accepts_of(each.start.roster)) for each in (host, ann, ben)} == {3}
        end(nursery)


async def test_a_host_that_has_given_a_start_up_begins_with_who_has_its_certificate(clock):
    """The others had accepted, and it heard of that when the grace was over."""
    async with trio.open_nursery() as nursery, open_node(ANN, VERSION) as node:
        host, key = await asked_to_sit(nursery, node, seats=2, people=2)
        offer = parse_roster((await said(node, "offer"))[0])
        await until(lambda: host.hosting.lobby.info.term > offer.term)
        both = accept(offer, host.identity), accept(offer, ANN)
        node.send(key, encode(("start", tuple(each.plain() for each in both))))
        await until(lambda: host.start)
        assert host.start.roster == certified(offer, both)
        end(nursery)


async def test_a_guest_that_sits_down_anew_in_a_start_has_the_next_one_at_once(clock):
    """It had lost its host, and can sign nothing of before: the start stood still until the grace
    was over, and what it refused of the old offer ended the next one, too."""
    async with trio.open_nursery() as nursery, open_node(ANN, VERSION) as node:
        host, key = await asked_to_sit(nursery, node, seats=2, people=2)
        old = parse_roster((await said(node, "offer"))[0])
        node.send(key, wish(ANN, "ann", b"n" * 32))
        offer, begun = old, trio.current_time()
        while offer.term == old.term:
            offer = parse_roster((await said(node, "offer"))[0])
        assert trio.current_time() < begun + 5
        assert [peer.nonce for peer in offer.peers if peer.public == ANN.public] == [b"n" * 32]
        node.send(key, encode(("refuse", (old.term, "peers"))))
        node.send(key, encode((ACCEPT, accept(offer, ANN).plain())))
        await host.until(lambda it: it.start)
        assert host.start.roster.digest() == offer.digest()
        end(nursery)


async def test_a_guest_that_shows_a_table_of_its_own_is_shown_that_of_its_host(clock):
    """It had lost its host, and opened the table itself: its link was closed, again and again."""
    async with trio.open_nursery() as nursery, open_node(ANN, VERSION) as node:
        host, key = await asked_to_sit(nursery, node, seats=3)
        info = parse_table(await said(node, "table"))
        own = replace(info, guests=info.guests[1:], seats=(Seat(), *info.seats[1:]))
        node.send(key, encode(("table", own.plain())))
        await trio.sleep(5)
        assert key in node.linked
        assert ANN.public in host.node.linked
        end(nursery)


async def asked_to_sit(nursery, node, **seats):
    """A host of a table, and its key at a node that has asked for a seat as Ann."""
    host = await nursery.start(partial(Program("host").run, **seats))
    key = await node.dial(LOOPBACK, host.port)
    await host.until(lambda it: it.hosting)
    node.send(key, wish(ANN, "ann"))
    return host, key


async def said(node, wanted):
    """What a program is told next of one kind."""
    while True:
        event = await node.events.receive()
        if isinstance(event, PeerMessage) and decode(event.body)[0] == wanted:
            return decode(event.body)[1]


async def test_who_stood_still_while_a_start_was_agreed_on_says_of_nobody_that_he_was_late(clock):
    """The accept had come, and was not read when the grace had passed: its author was named."""
    ended = []

    async def begins(node):
        ended.append(await Beginning(node, offer(), {}, ANN.public).run(str))

    async with (
        open_node(ANN, VERSION) as ann,
        open_node(BEN, VERSION) as ben,
        trio.open_nursery() as nursery,
    ):
        await ben.dial(LOOPBACK, await ann.listen(0, LOOPBACK))
        nursery.start_soon(begins, ann)
        await trio.sleep(5)
        ben.send(ANN.public, encode((ACCEPT, accept(offer(), BEN).plain())))
        clock.jump(2 * GRACE)
        await until(lambda: ended)
        check_start(ended[0])
        nursery.cancel_scope.cancel()
