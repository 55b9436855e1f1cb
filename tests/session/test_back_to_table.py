"""A game that could not begin falls back to its table, in the next term, under one host."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
import trio
from trio.testing import MockClock

from lanplay.errors import Fault, UserError
from lanplay.session import commands as c
from lanplay.session import lifecycle
from lanplay.session.client import NO_PASSWORD
from lanplay.session.forming import StartingTable
from lanplay.session.joining import Target
from lanplay.session.lifecycle import REMATCH_WAIT, back_to_table
from lanplay.session.playing import PlayedTable
from lanplay.session.table import TableSession
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo
from lanplay_protocol.replica.roster import Peer
from lanplay_protocol.shell.host import HostHandover, join
from lanplay_protocol.shell.node import open_node
from tests.session.harness import client_of
from tests.session.test_rematch import ANN, BOB, CYD, SAT
from tests.shell.test_forming import LOOPBACK, VERSION, Program

TABLE = replace(SAT, roster=replace(SAT.roster, table="7" * 32, term=3))


def back(me, *gone):
    """What a program does whose game came to nothing while some were gone."""
    node = SimpleNamespace(identity=SimpleNamespace(public=me))
    played = PlayedTable(SimpleNamespace(), TABLE, frozenset(gone), void=True)
    return back_to_table(played, node)


def test_the_host_opens_the_same_table_again_in_the_next_term_and_keeps_all_seats():
    found = back(ANN, CYD)
    assert isinstance(found, HostHandover)
    info = found.lobby.info
    assert (info.table, info.term) == ("7" * 32, 4)
    assert [seat.name for seat in info.seats] == list(TABLE.roster.names)
    assert found.lobby.awaited == {BOB, CYD}
    assert found.patience == TABLE.roster.settings.grace


def test_all_others_go_to_where_it_listened():
    for me in (BOB, CYD):
        assert back(me) == Target(wait=REMATCH_WAIT, places=(("10.0.0.1", 4001),), host="Ann")


@pytest.mark.parametrize("me", [BOB, CYD])
def test_where_the_host_is_gone_one_of_those_who_are_here_is_it_for_all(me):
    """The lowest seat of all that are here, as in the lobby: Bob, whose address nobody knows."""
    found = back(me, ANN)
    if me == BOB:
        assert isinstance(found, HostHandover)
        assert found.lobby.info.term == 4
    else:
        assert found == Target(wait=REMATCH_WAIT, places=(), host="Bob")
    assert isinstance(back(CYD, ANN, BOB), HostHandover)


async def test_a_host_that_is_called_away_in_vain_opens_its_table_again(monkeypatch):
    """A guest that had gone came back with a table that nobody could sit down at: the host left its
    own for it, and its program ended."""
    info = replace(
        TableInfo("7" * 32, "a table", "dice-town", bytes(16), (), (Seat("Ann", ANN),), ()),
        guests=(Guest(ANN, "Ann", ()),),
    )
    hosted, liar = [], Guest(BOB, "Bob", (("10.0.0.2", 4002),))

    async def host_table(node, table, session):
        hosted.append(table)
        return liar if len(hosted) < 3 else PlayedTable(SimpleNamespace(), TABLE)

    async def sit_down(node, target, session):
        assert target.places == liar.reached
        raise UserError(Fault.NO_ADDRESS)

    monkeypatch.setattr(lifecycle, "host_table", host_table)
    monkeypatch.setattr(lifecycle, "sit_down", sit_down)
    said = []
    session = SimpleNamespace(search=lambda: None, client=SimpleNamespace(say=said.append))
    mine = HostHandover(Lobby(info), lost=(liar,))
    assert isinstance(await lifecycle._sit(session, None, mine), PlayedTable)
    assert [table.lobby for table in hosted] == [mine.lobby] * 3
    assert [table.lost for table in hosted] == [(liar,), (), ()]
    assert len(said) == 4


async def test_who_finds_no_table_and_had_none_is_told_so(monkeypatch):
    async def sit_down(node, target, session):
        raise UserError(Fault.NO_ADDRESS)

    monkeypatch.setattr(lifecycle, "sit_down", sit_down)
    with pytest.raises(UserError):
        await lifecycle._sit(SimpleNamespace(search=lambda: None), None, Target(wait=1.0))


@pytest.mark.parametrize("proven", [False, True])
async def test_a_table_that_is_inherited_has_the_password_that_its_guests_have_proven_or_none(
    proven, monkeypatch, tmp_path
):
    """It was shut with one that the next host had typed for another table: nobody could follow."""
    session = TableSession(client_of(tmp_path), NO_PASSWORD, None)
    session.password = "secret"
    hosted, inherited = [], trio.Event()

    async def host_table(node, seat, session):
        hosted.append(session.password)
        inherited.set()
        return PlayedTable(SimpleNamespace(), TABLE)

    async def sit_down(node, target, session):
        return await join(node, LOOPBACK, target.places[0][1], "cid", saw, session.ask_password)

    def saw(info):
        if info.host.name == "host" and len(info.guests) == 3:
            host.hosting.leave()

    monkeypatch.setattr(lifecycle, "host_table", host_table)
    monkeypatch.setattr(lifecycle, "sit_down", sit_down)
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            host = await nursery.start(partial(Program("host").run, password="secret" * proven))
            at = Target(places=((LOOPBACK, host.port),))
            async with open_node(Identity(os.urandom(32)), VERSION) as node:
                nursery.start_soon(lifecycle._sit, session, node, at)
                await host.until(lambda it: len(it.info.guests) == 2)
                ben = partial(Program("ben").run, password="secret")
                await nursery.start(ben, (LOOPBACK, host.port))
                await inherited.wait()
                nursery.cancel_scope.cancel()
    assert hosted == ["secret" * proven]


def test_while_a_start_is_agreed_on_its_host_may_send_somebody_away():
    """Nothing else: what was offered stands."""
    gone = []
    table = StartingTable(SimpleNamespace(kick=gone.append, lobby=None, say=None))
    table.submit(c.Kick("Bob"))
    with pytest.raises(ValueError, match="cannot be done now"):
        table.submit(c.StartGame())
    assert gone == ["Bob"]
    assert [each.kind for each in table.offers()] == [c.Kick, c.Say, c.LeaveTable]


class Back(Program):
    """It goes back to the table of a game that came to nothing, where some were gone for it."""

    def __init__(self, name):
        super().__init__(name)
        self.goes = trio.Event()

    async def sit(self, seat):
        await self.goes.wait()
        played = PlayedTable(SimpleNamespace(), self.sat, frozenset(self.gone), void=True)
        seat = back_to_table(played, self.node)
        await super().sit(seat if isinstance(seat, HostHandover) else seat.places[0])


@pytest.fixture
def clock():
    return MockClock(autojump_threshold=0.01)


async def test_a_host_that_was_cut_off_as_the_game_began_finds_those_who_went_on(clock):
    """For it all others were gone, and for them it was: both opened the table, and neither knew
    where to look for the other. The host stayed there alone."""
    three = [Back(name) for name in ("host", "ann", "ben")]
    keys = [each.identity.public for each in three]
    peers = tuple(Peer(each.identity.public, each.name, (n,), b"") for n, each in enumerate(three))
    names = tuple(each.name for each in three)
    roster = replace(TABLE.roster, names=names, bots=("",) * 3, peers=peers)
    async with trio.open_nursery() as nursery:
        for each, gone in zip(three, (keys[1:], keys[:1], keys[:1]), strict=True):
            await nursery.start(each.run, (LOOPBACK, 1))
            each.gone = gone
        places = {each.identity.public: ((LOOPBACK, each.port),) for each in three}
        for each in three:
            each.sat = replace(TABLE, roster=roster, addresses=places)
            each.goes.set()
        for each in three:
            await each.until(lambda it: it.info and it.info.host.name == "ann")
            await each.sees(*names)
        nursery.cancel_scope.cancel()
