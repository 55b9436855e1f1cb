"""Two offers of one table: what proves them is kept, told, and in the record; and an accept of a
later term makes an earlier start void."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.events import Accused, Halted
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.start import accept, certified
from lanplay_protocol.replica.verdicts import MOST
from tests.replica.harness import GAME, Table, identity, roster
from tests.replica.test_audit import record_of

LIAR = 2


def offer(**changed):
    """An offer of a table of three, in its second term."""
    return replace(roster(3), **{"table": "t" * 32, "term": 1, **changed})


def other(**changed):
    """The same table with other names at it."""
    return offer(names=("a", "b", "c"), **changed)


@pytest.fixture
def table():
    """A table whose offer all have accepted."""
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    table = Table(agreed, seed=b"offers")
    table.start()
    return table


def hears(table, peer, given):
    table.step(peer, inputs.Received(1 - peer, "accept", given.plain()))


def test_a_second_offer_that_comes_out_in_the_game_is_in_everybodys_record(table):
    """Whoever hears of it tells the others; nobody is left out for it, a restart keeps it."""
    table.run(lambda t: t.replicas[0].transcript.number > SETUP, seconds=60)
    hears(table, 0, accept(other(), identity(LIAR)))
    table.run(seconds=1)
    for peer in (0, 1):
        table.restart(peer)
        table.run(seconds=1)
        found = check_record(GAME, record_of(table, peer)).finding
        assert (found.peer, found.key) == (LIAR, identity(LIAR).public)
        assert table.accused(peer) == {(LIAR, found.code)}
        assert table.replicas[peer].transcript.members == {0, 1, 2}


def test_what_the_lobby_proved_is_in_the_record_of_the_game_that_followed(table):
    host = identity(6)
    both = accept(offer(term=0), host), accept(other(term=0), host)
    agreed = table.roster
    table = Table(agreed, seed=b"followed")
    table.step(0, inputs.Started(both))
    found = check_record(GAME, record_of(table)).finding
    assert (found.peer, found.key) == (None, host.public)


def test_what_is_no_second_offer_of_this_table_convicts_nobody(table):
    """Of another table, of who has no seat, the same once more, or of an earlier term."""
    table.run(lambda t: t.replicas[0].transcript.number > SETUP, seconds=60)
    for given in (
        accept(offer(), identity(LIAR)),
        accept(other(table="e" * 32), identity(LIAR)),
        accept(other(term=0), identity(LIAR)),
        accept(other(term=9), identity(LIAR)),
        accept(other(), identity(6)),
    ):
        hears(table, 0, given)
    assert "offers" not in table.replicas[0].proof
    assert not table.replicas[0].halted


def test_an_opening_ends_at_once_where_somebody_has_agreed_to_a_later_start(table):
    """It will never take part in this one; an accept of an earlier term changes nothing."""
    table.step(0, inputs.Received(LIAR, "accept", accept(offer(term=0), identity(1)).plain()))
    assert not table.of(0, Halted)
    hears(table, 0, accept(offer(term=2), identity(1)))
    assert "peer 1 left before the game began" in str(table.of(0, Halted)[0].reason)
    assert table.now == 0


VICTIM = 0


@pytest.mark.parametrize("strangers", [MOST - 1, MOST])
def test_who_plays_names_whoever_signs_two_offers_though_many_strangers_have(strangers):
    """As a lobby has heard of them before the game begins."""
    liar = identity(LIAR)
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    table = Table(agreed, seed=b"offers")
    made_up = [identity(100 + n) for n in range(strangers)]
    heard = tuple(accept(each, who) for who in made_up for each in (offer(), other()))
    table.step(VICTIM, inputs.Started(heard))
    table.step(VICTIM, inputs.Received(LIAR, "accept", accept(other(), liar).plain()))
    assert {event.peer for event in table.of(VICTIM, Accused)} == {LIAR}
