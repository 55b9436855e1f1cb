"""Somebody is lost before a game has begun, while its people compare the words of the table."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import Halted, PeerReachable, PeerUnreachable
from lanplay_protocol.replica.failure_detector import LIFE
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import Table, roster

GRACE = 20
LOST = 2


def comparing(peers=3):
    """A table whose people have still to say that all screens show the same words."""
    table = Table(roster(peers, settings=TableSettings(grace=GRACE)))
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


@pytest.mark.parametrize("peers", [4, 5])
def test_a_link_that_comes_back_before_the_game_begins_leaves_no_doubt(peers):
    """Nobody can sign that it is there yet: two that doubted the same one, each as the other did,
    did so for good, though all were linked (90610384:39:0)."""
    table = comparing(peers)
    table.shuffle_order = False  # as on a link
    table.disconnect((1, 2))
    table.run(seconds=LIFE + 2)
    table.connect((1, 2))
    table.run(seconds=3 * GRACE)
    for peer, replica in enumerate(table.replicas):
        assert not replica.halted, replica.halted
        assert not replica.attendance.detector.doubted
        gone, back = table.of(peer, PeerUnreachable), table.of(peer, PeerReachable)
        assert len(gone) == len(back), (peer, gone, back)
    for peer in range(peers):
        table.step(peer, inputs.Trusted())
    table.run(lambda t: all(r.transcript.number > SETUP for r in t.replicas), seconds=5)
    assert all(replica.transcript.number > SETUP for replica in table.replicas)
