"""Sitting down: what is tried again, for how long, and what is said about it."""

from __future__ import annotations

from argparse import Namespace
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
import trio

from lanplay.cli import table_arguments
from lanplay.errors import Fault, UserError
from lanplay.session import joining, lifecycle, spectating
from lanplay.session.audience import OWNER
from lanplay.session.client import NO_PASSWORD
from lanplay.session.hosting import own_node
from lanplay.session.joining import TableSearch, called, sit_down
from lanplay.session.settings import Access, Network, Target
from lanplay.session.table import TableSession
from lanplay_protocol.advert import fingerprint
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.shell.host import FrozenTable, Refused
from tests.discovery.test_discovery import new_advert
from tests.replica.harness import roster
from tests.session.harness import client_of

AT = ("10.0.0.1", 4001)
SILENT = OSError("no answer within 5 s")
BROKEN = PeerError(Code.UNEXPECTED, "the host closed the table")


class Table:
    """What becomes of each attempt to sit down: an error, or a start."""

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.times = []

    async def join(self, *_):
        self.times.append(trio.current_time())
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@pytest.fixture
def said():
    """What the program has told its person."""
    return []


@pytest.fixture
def sit(monkeypatch, said):
    """Sits down at a table that does as the test says: ``sit(table, wait)``."""

    async def sit(table, wait=30.0, host=""):
        monkeypatch.setattr(joining, "join", table.join)
        client = client_of(name="Ann", say=said.append)
        session = TableSession(client, NO_PASSWORD, None)
        node = Namespace(identity=Namespace(public=b""))
        with session.subscribe(OWNER) as events:
            start = await sit_down(node, Target("10.0.0.1:4001", wait, host=host), session)
            events.receive_nowait()
            with suppress(trio.WouldBlock):
                said.append(events.receive_nowait().text)
        return start

    return sit


@pytest.mark.parametrize("trouble", [SILENT, BROKEN])
async def test_a_table_that_does_not_answer_is_tried_again(sit, trouble, said, autojump_clock):
    """A lost connection is no refusal; what is waited for is said once."""
    table = Table(trouble, trouble, trouble, "start")
    assert await sit(table) == "start"
    assert len(table.times) == 4
    assert ["Trying again, at most 30 s." in text for text in said] == [True]
    assert ". Trying again, at most 30 s." in said[0]


async def test_who_goes_back_to_a_table_reads_whom_it_waits_for(sit, said):
    """It is told as an event: what is only said is cleared away with the game before."""
    assert await sit(Table("start"), 600.0, "Ann") == "start"
    assert said == ["Waiting for Ann to open the table again, at most 600 s."]


async def test_the_wait_ends_with_the_reason(sit, autojump_clock):
    """After so many seconds it is said why nobody sat down, and what to look at."""
    table = Table(SILENT)
    began = trio.current_time()
    with pytest.raises(UserError) as caught:
        await sit(table, 10.0)
    said = str(caught.value)
    assert "10.0.0.1:4001 does not answer (no answer within 5 s)" in said
    assert "Check the address" in said
    assert 8 <= table.times[-1] - began <= 10
    assert len(table.times) > 5


@pytest.mark.parametrize(
    "refusal",
    [
        Refused(Code.UNEXPECTED, "all seats are taken"),
        PeerError(Code.VERSION, "another version"),
        PeerError(Code.BAD_PROOF, "the table passwords are not the same"),
        PeerError(Code.MALFORMED, "no table of lanplay"),
    ],
)
async def test_what_will_not_change_ends_at_once(sit, refusal, autojump_clock):
    """A refusal, another version, a wrong password: trying again would bring the same."""
    table = Table(refusal, "start")
    with pytest.raises(UserError) as caught:
        await sit(table)
    assert refusal.text in str(caught.value)
    assert str(caught.value).startswith("From the table: ") == isinstance(refusal, Refused)
    assert len(table.times) == 1


async def test_a_table_is_looked_for_anew_with_every_try(monkeypatch, said, autojump_clock):
    """Its address may have changed meanwhile; that it was found is said once."""
    advert = new_advert(table="T", host="H")
    places = [(("10.0.0.1", 1),), (("10.0.0.2", 2),)]

    @asynccontextmanager
    async def opened(_):
        yield Namespace(tables=(Namespace(advert=advert, addresses=places.pop(0)),))

    monkeypatch.setattr(joining, "open_discovery", opened)
    search = TableSearch(Target("t"), said.append)
    assert await search.addresses() == (("10.0.0.1", 1),)
    assert await search.addresses() == (("10.0.0.2", 2),)
    assert "".join(said).count("Found") == 1


async def test_a_table_that_keeps_a_seat_comes_first(monkeypatch, said, autojump_clock):
    """It has no free seat, and is found all the same: by the program for which it keeps one."""
    me, other = bytes([1]) * 32, bytes([2]) * 32
    kept = new_advert(table="Zoe's table", seats=2, free=0, kept=(fingerprint(me),))
    rows = (
        Namespace(advert=new_advert(table="Ann's table"), addresses=(("10.0.0.1", 1),)),
        Namespace(advert=kept, addresses=(("10.0.0.2", 2),)),
    )

    @asynccontextmanager
    async def opened(_):
        yield Namespace(tables=rows, changed=trio.sleep_forever)

    monkeypatch.setattr(joining, "open_discovery", opened)
    assert await TableSearch(Target(), said.append, own=me).addresses() == (("10.0.0.2", 2),)
    assert "your seat is kept" in said[-1]
    assert await TableSearch(Target(), said.append, own=other).addresses() == (("10.0.0.1", 1),)
    with pytest.raises(UserError, match="keeps its seats for those who played there before"):
        await TableSearch(Target("Zoe"), said.append, own=other).addresses()


def test_a_table_that_is_called_just_so_is_meant():
    """Part of a name finds a table too, but not where that is the whole name of another one."""
    anna, ann, jo = (
        Namespace(advert=new_advert(table=name)) for name in ("Annabel's", "ANNA", "Jo's")
    )
    assert called([anna, ann, jo], "anna") == [ann]
    assert called([anna, ann, jo], "ann") == [anna, ann]
    assert called([anna, ann, jo], "") == [anna, ann, jo]


@pytest.mark.parametrize("watches", [False, True])
async def test_a_table_that_is_called_just_so_is_meant_though_another_one_answers_first(
    watches, monkeypatch, said, autojump_clock
):
    """They answer one after the other: the first whose name holds that was taken at once."""
    rows = []

    @asynccontextmanager
    async def opened(_):
        yield Namespace(tables=rows, changed=changed)

    async def changed():
        await trio.sleep(0.2)
        name = ("Denver", "Den")[len(rows)]
        rows.append(Namespace(advert=new_advert(table=name), addresses=((name, 1),)))

    async def coming():
        await changed()
        await changed()

    monkeypatch.setattr(joining, "open_discovery", opened)
    monkeypatch.setattr(spectating, "open_discovery", opened)
    client = SimpleNamespace(network=Network(), say=said.append)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(coming)
        if watches:
            assert await spectating.find(Target("den"), client) == ((("Den", 1),), "Den")
        else:
            assert await TableSearch(Target("den"), said.append).addresses() == (("Den", 1),)


async def test_who_waits_for_its_host_finds_it_at_another_address(
    monkeypatch, said, autojump_clock
):
    """Its seat was kept and announced, and its person told so: it dialled where its host had been,
    for ten minutes. Another table is none of its own, also where nobody knows an address."""
    me, old, new = bytes([1]) * 32, ("10.0.0.1", 1), ("10.0.0.2", 2)
    kept = new_advert(table="T", seats=2, free=0, kept=(fingerprint(me),))
    rows = [Namespace(advert=new_advert(table="Zoe's table"), addresses=(("10.0.0.3", 3),))]

    @asynccontextmanager
    async def opened(_):
        yield Namespace(tables=rows, changed=trio.sleep_forever)

    monkeypatch.setattr(joining, "open_discovery", opened)
    search = TableSearch(Target(places=(old,), host="Ann"), said.append, own=me)
    assert await search.addresses() == (old,)
    search.wait_for("Nobody answers.")
    assert await search.addresses() == (old,)
    assert await TableSearch(Target(host="Ann"), said.append, own=me).addresses() == ()
    rows.append(Namespace(advert=kept, addresses=(new,)))
    assert await search.addresses() == (old, new)


async def test_who_looks_for_a_table_is_told_so_at_once(monkeypatch, said, autojump_clock):
    """Nothing is on the network: the wait is said once, with its length, before the error."""

    @asynccontextmanager
    async def opened(_):
        yield Namespace(tables=(), changed=trio.sleep_forever)

    monkeypatch.setattr(joining, "open_discovery", opened)
    with pytest.raises(UserError, match="No open table"):
        await TableSearch(Target(wait=7), said.append).addresses()
    assert said == ["Looking for a table on this network, at most 7 s."]


async def test_a_table_that_is_not_there_is_told_from_no_table_at_all(
    monkeypatch, said, autojump_clock
):
    """Who mistyped its name reads what those that are there are called."""

    @asynccontextmanager
    async def opened(_):
        rows = (Namespace(advert=new_advert(table="Ann's table"), addresses=()),)
        yield Namespace(tables=2 * rows, changed=trio.sleep_forever)

    monkeypatch.setattr(joining, "open_discovery", opened)
    with pytest.raises(UserError, match="No table here is called 'Anne'") as caught:
        await TableSearch(Target("Anne"), said.append).addresses()
    assert "There are: Ann's table." in str(caught.value)


async def test_an_address_of_another_laptop_is_no_matter_of_ports():
    """``--interface`` with an address that this laptop lacks: the fault names it."""
    network = Network(("192.0.2.1",))
    with pytest.raises(ExceptionGroup) as caught:
        async with own_node(Identity(bytes(32)), network):
            pass
    assert "192.0.2.1 is no address of this laptop." in str(caught.value.exceptions[0])


@pytest.mark.parametrize("sits", [False, True])
@pytest.mark.parametrize(
    ("target", "named"),
    [
        (Target(), "Ben's table"),
        (Target("10.0.0.1:4001"), "10.0.0.1:4001"),
        (Target("Ann's table", places=(AT,)), "Ann's table"),
    ],
)
async def test_who_sits_down_or_watches_is_told_of_which_table_the_password_is(
    target, named, sits, monkeypatch, tmp_path
):
    """With two tables nobody knew whose password was meant."""
    asked = []

    async def join(_node, _host, _port, _name, _changed, ask, *_):
        await ask()

    class Watching:
        def __init__(self, _node, _name, _audience, ask):
            self.run = lambda where: ask()

    @asynccontextmanager
    async def looking(_interfaces):
        advert = replace(new_advert(), table="Ben's table", password=True)
        yield Namespace(tables=[Namespace(advert=advert, addresses=[AT])])

    @asynccontextmanager
    async def node(*_):
        yield

    async def secret(prompt):
        asked.append(prompt)
        raise UserError(Fault.LEFT_TABLE)

    monkeypatch.setattr(spectating, "open_discovery", looking)
    monkeypatch.setattr(joining, "open_discovery", looking)
    monkeypatch.setattr(joining, "join", join)
    monkeypatch.setattr(spectating, "open_node", node)
    monkeypatch.setattr(spectating, "SpectatorClient", Watching)
    monkeypatch.setattr(table_arguments, "at_keyboard", lambda: True)
    ask = partial(table_arguments.password, "", Namespace(secret=secret))
    client, access = client_of(tmp_path), Access(False, ask)
    own = Namespace(identity=Namespace(public=b""))
    with pytest.raises(UserError):
        if sits:
            await joining.sit_down(own, target, client.join(target, access))
        else:
            await client.watch(target, access).run()
    assert asked == [f"Password of '{named}': "]


async def test_a_laptop_names_the_addresses_that_it_was_told_to_use():
    """It listens at all others as well where there are several: nobody is told of these."""
    used = ("127.0.0.1", "127.0.0.2")
    async with own_node(Identity(bytes(32)), Network(used)) as node:
        assert [host for host, _ in node.places()] == list(used)


@pytest.mark.parametrize("proven", [False, True])
async def test_a_password_that_was_typed_for_another_host_makes_no_table_trusted(
    proven, monkeypatch, tmp_path
):
    """Whoever cut a guest off from the host that had asked for the password, and asked for none
    itself, was trusted without the three words."""
    own = Identity(bytes(32))
    table = roster(2)
    table = replace(table, peers=(table.peers[0], replace(table.peers[1], public=own.public)))
    start = FrozenTable(table, {}, "a table", proven)
    session = TableSession(client_of(tmp_path), NO_PASSWORD, None)
    session.password = "secret"
    sat = []

    async def join(_node, _host, _port, _name, _changed, _ask, _bot, _told, accepting, *_):
        accepting(start)
        return start

    async def play(_node, seated, _session):
        sat.append(seated)

    monkeypatch.setattr(joining, "join", join)
    monkeypatch.setattr(lifecycle, "play", play)
    node = Namespace(identity=own)
    assert await joining.first_answer(node, [AT], session, print, print) is start
    await lifecycle.as_guest(session, node, start)
    assert [(each.password, each.gate is not None) for each in sat] == [(proven, proven)]
    assert session.accepted[0].password == proven
    session.accepted[1].close()


@pytest.mark.parametrize("says", ["nothing", "nonsense"])
async def test_who_announces_an_address_for_a_table_keeps_nobody_from_it(
    says, monkeypatch, autojump_clock
):
    """The address that answers first was any stranger's: it said nothing for good, or no word of
    lanplay, and the host's own was never tried."""

    async def join(_node, host, *_):
        if host == AT[0] and says == "nonsense":
            raise PeerError(Code.UNEXPECTED, Fault.NO_GREETING.of())
        if host == AT[0]:
            await trio.sleep_forever()
        return "start"

    monkeypatch.setattr(joining, "join", join)
    session = TableSession(client_of(), NO_PASSWORD, None)
    ways = [AT, ("10.0.0.2", 4001)]
    with trio.fail_after(30):
        assert await joining.first_answer(Namespace(), ways, session, print, print) == "start"


@pytest.mark.parametrize("answers", ["asks for a password", "shows its table"])
async def test_a_host_that_has_answered_is_not_left(answers, monkeypatch, autojump_clock):
    """It has another address, too, that is dead: who answered is no stranger that says nothing,
    however long a person types, or the table forms."""

    async def join(_node, host, _port, _name, changed, ask, *_):
        if host != AT[0]:
            raise SILENT
        if answers == "shows its table":
            changed(None)
        else:
            await ask()
        await trio.sleep(60)
        return "start"

    async def typed():
        await trio.sleep(60)

    monkeypatch.setattr(joining, "join", join)
    session = TableSession(client_of(), NO_PASSWORD, None)
    ways = [AT, ("10.0.0.2", 4001)]
    assert await joining.first_answer(Namespace(), ways, session, print, typed) == "start"


async def test_who_waits_for_a_rematch_stays_with_the_host_that_it_knows(
    monkeypatch, autojump_clock
):
    """Its program answers once its person has seen the end; its other addresses may be dead."""

    async def join(_node, host, *_):
        if host != AT[0]:
            raise SILENT
        await trio.sleep(60)
        return "start"

    monkeypatch.setattr(joining, "join", join)
    session = TableSession(client_of(), NO_PASSWORD, None)
    ways = [AT, ("10.0.0.2", 4001)]
    sat = joining.first_answer(Namespace(), ways, session, print, print, ways)
    assert await sat == "start"
