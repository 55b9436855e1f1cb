"""Where laptops listen is their own signed word: a host that lies about it keeps no two apart."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

import pytest
import trio

from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest
from lanplay_protocol.shell import node as node_module
from lanplay_protocol.shell.journal import Journal, SavedGame, journals, read_journal
from lanplay_protocol.shell.links import Links
from lanplay_protocol.shell.node import PeerMessage, open_node
from lanplay_protocol.table import PLACES, parse_table
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import identity, roster
from tests.shell.life_cycle import LONG, Laptop, settled
from tests.shell.test_beginning import mutated, said, sits, until
from tests.shell.test_forming import LOOPBACK, VERSION, clock, end, wish  # noqa: F401
from tests.shell.test_host import hosting
from tests.shell.test_links import Node as Unlinked
from tests.shell.test_odd_tables import OddHost

NOWHERE = "127.0.0.9"
"""An address of this machine at which nobody listens."""


class FalseHost(OddHost):
    """A host that names false addresses, and passes on what ``lie`` makes of a guest."""

    def lie(self, guest):
        return replace(guest, addresses=((LOOPBACK, self.port), (NOWHERE, 1)))

    @property
    def info(self):
        info = super().info
        return replace(info, guests=(info.host, *map(self.lie, info.guests[1:])))


async def seated(nursery, liar):
    """Seat two guests at a liar's table."""
    liar = await nursery.start(liar.run)
    ann, ben = await sits(nursery, liar), await sits(nursery, liar, "ben")
    await ann.until(lambda it: len(it.info.guests) == 3)
    for each in (ann, ben):
        liar.send(liar.offer, each.identity.public)
    return liar, ann, ben


async def test_guests_whose_addresses_a_host_makes_up_begin_without_its_help(clock):  # noqa: F811
    """It passes on no accept, and each is said to be elsewhere: they tell each other."""
    async with trio.open_nursery() as nursery:
        liar, ann, ben = await seated(nursery, FalseHost())
        await until(lambda: ann.start and ben.start)
        assert ann.start.roster == ben.start.roster
        own = {each: ((LOOPBACK, each.port),) for each in (ann, ben)}
        for each, other in ((ann, ben), (ben, ann)):
            assert each.start.addresses[other.identity.public][:1] == own[other]
            assert each.start.addresses[liar.identity.public] == ((LOOPBACK, liar.port),)
        end(nursery)


def left_out(guest):
    return replace(guest, places=(), signature=b"")


def unsigned(guest):
    return replace(guest, places=((NOWHERE, 1),))


def spoiled(guest):
    return replace(guest, signature=bytes(64))


def by_another(guest):
    return replace(guest, places=((NOWHERE, 1),)).signed(Identity(b"e" * 32))


def hinted(guest):
    """What it has signed, among the addresses that nobody has to sign."""
    return replace(left_out(guest), addresses=guest.places)


LIES = (left_out, unsigned, spoiled, by_another, hinted)


@pytest.mark.parametrize("lie", LIES)
async def test_an_offer_with_places_that_are_not_signed_is_refused_and_named(lie, clock):  # noqa: F811
    """Left out, changed, or signed by somebody else: of whichever guest it is."""
    async with trio.open_nursery() as nursery:
        liar = FalseHost()
        liar.lie = lambda guest: lie(guest) if guest.name == "ben" else guest
        liar, ann, ben = await seated(nursery, liar)
        await until(lambda: len(liar.of("refuse")) == 2)
        assert [what for _, what in liar.of("refuse")] == ["places"] * 2
        assert not liar.of("accept")
        for each in (ann, ben):
            assert not each.kept
            assert "(an address that its laptop has not signed)" in str(each.told[-1])
        end(nursery)


async def test_guests_that_change_places_are_found(clock):  # noqa: F811
    """What one has signed is no word of the other."""
    async with trio.open_nursery() as nursery:
        liar = FalseHost()

        def swapped(guest):
            others = [each for each in liar.seated.values() if each.name != guest.name]
            said = (others or [guest])[0]
            return replace(guest, places=said.places, signature=said.signature)

        liar.lie = swapped
        liar, *_ = await seated(nursery, liar)
        await until(lambda: len(liar.of("refuse")) == 2)
        assert [what for _, what in liar.of("refuse")] == ["places"] * 2
        end(nursery)


@pytest.mark.parametrize("nonce", [False, True])
async def test_what_was_signed_at_another_table_is_no_word_of_this_one(nonce, clock):  # noqa: F811
    """The nonce of each sitting is another one; with the old one its author does not play."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(FalseHost().run)
        ann, ben = await sits(nursery, liar), await sits(nursery, liar, "ben")
        now = liar.seated[ann.identity.public]
        old = replace(now, nonce=b"y" * 32, places=((NOWHERE, 1),)).signed(ann.identity)
        liar.seated[ann.identity.public] = old if nonce else replace(old, nonce=now.nonce)
        for each in (ann, ben):
            liar.node.send(each.identity.public, encode(("table", liar.info.plain())))
            liar.send(liar.offer, each.identity.public)
        await trio.sleep(5)
        assert [what for _, what in liar.of("refuse")] == (["peers"] if nonce else ["places"] * 2)
        assert ann.start is ben.start is None
        end(nursery)


async def test_who_comes_from_elsewhere_signs_that_for_a_nonce_of_its_own(clock):  # noqa: F811
    """A host that shows where it was before shows the nonce of before, for which it plays not."""
    async with trio.open_nursery() as nursery:
        liar = await nursery.start(OddHost().run)
        ann = await sits(nursery, liar)
        before = liar.seated[ann.identity.public]
        ann.node.places = lambda identity: ((NOWHERE, ann.port),)
        liar.node.close(ann.identity.public, PeerError(Code.UNEXPECTED, "again"))
        await until(lambda: liar.seated[ann.identity.public] != before)
        now = liar.seated[ann.identity.public]
        assert (now.places, before.places) == (((NOWHERE, ann.port),), ((LOOPBACK, ann.port),))
        assert now.nonce != before.nonce
        now.check_places(now.nonce)
        liar.seated[ann.identity.public] = before
        liar.node.send(ann.identity.public, encode(("table", liar.info.plain())))
        liar.send(liar.offer, ann.identity.public)
        await until(lambda: liar.of("refuse"))
        assert [what for _, what in liar.of("refuse")] == ["peers"]
        end(nursery)


@pytest.mark.parametrize("field", [2, 4, 5])
async def test_a_guest_that_signs_another_word_gets_no_seat(field, clock, tmp_path):  # noqa: F811
    """All others would refuse every offer of its honest host."""
    eve = Identity(os.urandom(32))
    said_ = list(decode(wish(eve, "eve"))[1])
    said_[field] = {2: b"n" * 32, 4: ((NOWHERE, 1),), 5: bytes(64)}[field]
    async with trio.open_nursery() as nursery, open_node(eve, VERSION) as node:
        host = await nursery.start(partial(Laptop("host", tmp_path).run, seats=2))
        key = await node.dial(LOOPBACK, host.port)
        node.send(key, encode(("join", tuple(said_))))
        with trio.fail_after(60):
            assert await said(node, "out")
        assert len(host.hosting.lobby.info.guests) == 1
        end(nursery)


async def test_no_variant_of_what_a_guest_signs_gets_a_seat_and_none_ends_the_host():
    """Of nonce, places and signature; each is refused, and the true one still sits down."""
    eve = Identity(b"e" * 32)
    name, port, nonce, bot, *said_ = decode(wish(eve, "eve"))[1]
    honest, tried, host = (nonce, *said_), 0, hosting()
    for variant in mutated(honest):
        if variant == honest or not isinstance(variant, tuple) or len(variant) < 2:
            continue
        join = encode(("join", (name, port, variant[0], bot, *variant[1:])))
        host._wishes.clear()
        await host._asked(PeerMessage(eve.public, join))
        assert host.lobby.info.free == 2
        tried += 1
    assert tried > 50
    await host._asked(PeerMessage(eve.public, wish(eve, "eve")))
    assert host.lobby.info.free == 1


def test_no_variant_of_a_guest_passes_for_what_it_has_signed():
    """Of whatever is exchanged, dropped or doubled: it cannot be read, or it is not signed."""
    liar, ann = OddHost(), Identity(b"a" * 32)
    places = ((LOOPBACK, 7), ("fe80::1", 7), ("2001:db8::1", 7))
    guest = Guest(ann.public, "ann", (), bytes(32), places).signed(ann)
    liar.seated[ann.public] = guest
    plain = liar.info.plain()
    *head, (host, honest), settings, state = decode(encode(plain))
    read = parse_table((*head, (host, honest), settings, state)).guests[1]
    read.check_places(guest.nonce)
    tried = 0
    for variant in mutated(honest[3:]):
        if variant == honest[3:]:
            continue
        tried += 1
        shown = (*honest[:3], *variant) if isinstance(variant, tuple) else variant
        with pytest.raises(PeerError):
            read = parse_table((*head, (host, shown), settings, state)).guests[1]
            read.check_places(guest.nonce)
    assert tried > 100


@pytest.mark.parametrize(
    "places",
    [(("evil.example", 7),), (("", 7),), ((LOOPBACK, 7),) * (PLACES + 1), ((LOOPBACK, 1 << 16),)],
)
def test_places_are_few_and_addresses_so_that_nobody_looks_names_up(places):
    """A name would have every laptop of the table ask for it."""
    liar, ann = OddHost(), Identity(b"a" * 32)
    liar.seated[ann.public] = Guest(ann.public, "ann", (), bytes(32), places).signed(ann)
    with pytest.raises(PeerError):
        parse_table(liar.info.plain())


async def test_a_program_says_first_where_its_host_reaches_it(monkeypatch):
    """And no address that means another machine elsewhere; at most so many."""
    many = dict.fromkeys([LOOPBACK, "fe80::1", *(f"10.0.{n}.1" for n in range(9)), "2001:db8::1"])
    monkeypatch.setattr(node_module, "local_addresses", lambda: many)
    ann, ben = Identity(b"a" * 32), Identity(b"b" * 32)
    async with open_node(ann, VERSION) as one, open_node(ben, VERSION) as other:
        port = await one.listen(0)
        await one.dial(LOOPBACK, await other.listen(0, LOOPBACK))
        one._links[ben.public].local = "10.0.8.1"
        near = ["10.0.8.1", *(f"10.0.{n}.1" for n in range(7))]
        assert one.places(ben.public) == tuple((host, port) for host in near)
        assert one.places()[0] == ("10.0.0.1", port)
        assert other.places(ann.public) == ((LOOPBACK, other.port),)
        one.interfaces = ["10.0.3.1", "2001:db8::1"]
        assert [host for host, _ in one.places(ben.public)] == one.interfaces


def test_what_a_peer_has_signed_is_dialled_before_what_its_host_says_and_kept(tmp_path):
    """However many addresses the host, and whoever announces the game, make up."""
    liar = FalseHost()
    liar.port = 9
    ann = Identity(b"a" * 32)
    own = tuple((f"10.0.0.{n}", 7) for n in range(PLACES))
    liar.seated[ann.public] = Guest(ann.public, "ann", (), bytes(32), own).signed(ann)
    given = liar.info.addresses[ann.public]
    assert given == (*own, (LOOPBACK, 9), (NOWHERE, 1))
    key = identity(0).public
    known = Links(Unlinked(), roster(3), {key: given}, eager=False)
    for number in range(3 * PLACES):
        known.known_at(key, (f"10.1.0.{number}", 7))
    assert set(own) < set(known.addresses[key])
    assert len(known.addresses[key]) == 2 * PLACES
    kept = SavedGame(roster(3), known.addresses, bytes(32), {})
    Journal.create(tmp_path, kept).close()
    (path,) = journals(tmp_path)
    assert list(read_journal(path)[0].addresses[key]) == known.addresses[key]


class LyingHost(Laptop):
    """A real host that is modified in one line: nobody is where it says."""

    async def host(self, seat):
        self.node.seen_at = lambda identity: NOWHERE
        return await super().host(seat)


async def test_a_lying_host_that_goes_leaves_a_table_that_plays_on(clock, tmp_path):  # noqa: F811
    """Real programs, and no mDNS: the guests are linked, and two of three are a quorum."""
    laptops = [LyingHost("host", tmp_path), Laptop("ann", tmp_path), Laptop("ben", tmp_path)]
    async with trio.open_nursery() as nursery:
        host = await nursery.start(partial(laptops[0].run, seats=3, people=3))
        for each in laptops[1:]:
            await nursery.start(each.run, (LOOPBACK, host.port))
        _, ann, ben = laptops
        await settled(lambda: all(e.running and e.running.begun for e in laptops), LONG)
        await settled(lambda: ben.identity.public in ann.node.linked, LONG)
        there = ann.start.addresses[ben.identity.public]
        assert there == ((LOOPBACK, ben.port), (NOWHERE, ben.port))
        await settled(lambda: ann.running._replica.transcript.begun, LONG)
        host.die()
        await settled(lambda: ann.outcome and ben.outcome, LONG)
        assert ann.outcome.record.state_hash == ben.outcome.record.state_hash
        assert ann.outcome.signed
        nursery.cancel_scope.cancel()
