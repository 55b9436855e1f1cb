"""Somebody is lost before a game has begun, while its people compare the words of the table."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import Halted, PeerReachable, PeerUnreachable
from lanplay_protocol.replica.failure_detector import LIFE, Liveness
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from tests.replica.harness import Table, roster
from tests.replica.test_cut_cheats import bring

GRACE = 20
LOST = 2


def comparing(peers=3, grace=GRACE):
    """A table whose people have still to say that all screens show the same words."""
    table = Table(roster(peers, settings=TableSettings(grace=grace)))
    for replica in table.replicas:
        replica.context.trusted = False
    table.start()
    table.run(lambda t: all(r.comparing for r in t.replicas), seconds=5)
    assert all(r.transcript.number < SETUP for r in table.replicas)
    return table


@pytest.fixture
def table():
    table = comparing()
    table.kill(LOST)
    table.run(seconds=1)
    return table


def test_who_is_lost_before_the_game_begins_is_told_to_be_missing_until_it_is_given_up(table):
    """A dead program was said to be still comparing the words; and it was gone to for the next
    start, as nobody was known to be missing, be it the host's."""
    for peer in (0, 1):
        assert table.of(peer, PeerUnreachable) == [PeerUnreachable(LOST, GRACE)]
    table.run(lambda t: all(t.of(peer, Halted) for peer in (0, 1)), seconds=2 * GRACE)
    for peer in (0, 1):
        assert "peer 2 left before the game began" in table.of(peer, Halted)[0].reason
        assert not table.of(peer, PeerReachable)


def test_who_is_back_before_the_game_begins_is_told_to_be(table):
    table.restart(LOST)
    table.run(seconds=1)
    for peer in (0, 1):
        assert table.of(peer, PeerReachable) == [PeerReachable(LOST)]


def test_a_start_waits_for_whom_somebody_wants_to_wait_for(table):
    """The key for that was offered nowhere before, and did nothing where it was typed."""
    table.step(0, inputs.KeepWaiting(LOST))
    table.run(seconds=3 * GRACE)
    for peer in (0, 1):
        assert not table.of(peer, Halted)
        assert table.of(peer, PeerUnreachable)[-1] == PeerUnreachable(LOST, None)
    for peer in (0, 1):
        table.step(peer, inputs.SkipWait(LOST))
    table.run(lambda t: all(t.of(peer, Halted) for peer in (0, 1)), seconds=1)
    assert all(table.of(peer, Halted) for peer in (0, 1))


def test_a_liar_that_hears_nobody_keeps_no_wish_to_end_a_start_from_counting():
    """Nobody can sign that it is there yet: as its word to one alone was passed on as a doubt, all
    were missing for one another, and the start was never given up (90610384:39:0)."""
    told, honest, liars = 0, (0, 1, 2), (3, 4)
    table = comparing(5, grace=FOREVER)
    table.shuffle_order = False  # as on a link
    table.silent |= {*liars}
    bring(table, "presence", Liveness(frozenset({1, 2})).plain(), (told,), liars[0])
    table.run(seconds=2 * LIFE)
    for peer in honest:
        for liar in liars:
            table.step(peer, inputs.SkipWait(liar))
    table.run(seconds=LIFE)
    for peer in (1, 2):
        assert table.of(peer, Halted), table.of(peer, PeerUnreachable)
