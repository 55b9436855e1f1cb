"""Two offers of one table: what proves them is kept, told, and in the record; and an accept of a
later term makes an earlier start void."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.ended_game import EndedGame
from lanplay_protocol.replica.events import Accused, Halted
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.spectator import Spectator
from lanplay_protocol.replica.start import accept, certified
from lanplay_protocol.replica.verdicts import MOST
from lanplay_protocol.wire import encode
from tests.replica.harness import GAME, Table, identity, roster
from tests.replica.test_audit import record_of
from tests.replica.test_ended_game import alone, said, shown
from tests.replica.test_spectator import Watched

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


def names_the_liar(table, peer):
    found = check_record(GAME, record_of(table, peer)).finding
    return found is not None and (found.peer, found.key) == (LIAR, identity(LIAR).public)


def test_who_was_away_as_a_second_offer_came_out_hears_of_it(table):
    """Like of all that convicts anybody: else its record alone would convict nobody."""
    table.run(lambda t: t.replicas[0].transcript.number > SETUP, seconds=60)
    table.disconnect(*table.pairs(1))
    hears(table, 0, accept(other(), identity(LIAR)))
    table.run(seconds=1)
    table.connect(*table.pairs(1))
    table.run(seconds=1)
    assert table.accused(0) == table.accused(1) != set()
    assert names_the_liar(table, 1)


@pytest.mark.parametrize("late", [False, True])
def test_who_watches_is_told_of_a_second_offer_as_those_who_play_are(late):
    """Once, also who begins to watch later."""
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    table = Watched(agreed, seed=b"offers")
    table.start()
    if not late:
        table.watch(0)
    table.run(lambda t: t.replicas[0].transcript.number > SETUP, seconds=60)
    hears(table, 0, accept(other(), identity(LIAR)))
    if late:
        table.watch(0)
    table.run(seconds=5)
    told = [(each.peer, each.code) for each in table.seen if isinstance(each, Accused)]
    assert told == [*table.accused(0)] != []


def test_who_watches_is_told_of_nobody_else_whose_offer_comes_with_the_second_one(table):
    """A liar shows an honest accept beside its own two, or one of a stranger."""
    for beside in (0, 6):
        watcher = Spectator(GAME, table.roster)
        pair = accept(offer(), identity(beside)), accept(other(), identity(LIAR))
        told = watcher.receive(encode(("offers", tuple(each.plain() for each in pair))), 0.0)
        assert [each.peer for each in told if isinstance(each, Accused)] == [LIAR]


def test_who_missed_the_end_hears_of_a_second_offer_from_a_record(table):
    table.run(lambda t: t.is_over(), seconds=3000)
    before = table.disks[1][:-3]
    hears(table, 0, accept(other(), identity(LIAR)))
    table.disks[1] = before
    replica, game = alone(table, 1), EndedGame(record_of(table).extra)
    assert not replica.over
    assert shown(replica, lambda body: said(game, body))
    table.replicas[1] = replica
    assert names_the_liar(table, 1)


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
