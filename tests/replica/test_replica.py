"""Honest tables: every replica plays the same game, whatever the order of messages."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lanplay.engine.record import Record
from lanplay.engine.replay import Replay
from lanplay_protocol.replica.choices import CommitPhase, RevealPhase
from lanplay_protocol.replica.events import GameOver
from lanplay_protocol.replica.reveals import Entropy
from tests.replica.harness import GAME, Table, roster

REAL_CRYPTO = True


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("peers", "seats"), [(1, 2), (2, 2), (3, 5), (4, 4)])
def test_replicas_agree_after_every_step(peers, seats):
    """All replicas of a table go through equal transcripts and states to equal results."""
    table = Table(roster(peers, seats), seed=b"%d%d" % (peers, seats))
    table.start()
    table.run()
    assert table.is_over()
    assert len({tuple(table.trace(peer)) for peer in range(peers)}) == 1
    assert len({table.of(peer, GameOver)[0].result for peer in range(peers)}) == 1


def test_a_network_game_replays_from_its_public_record():
    """What a replica recorded leads, replayed without any hidden face, to the same state."""
    table = Table(roster(3, 4), seed=b"replay")
    table.start()
    table.run()
    replica = table.replicas[0]
    r = table.roster
    header = r.header
    public = replica.context.referee.table
    record = Record(header, tuple(replica.context.referee.history), public.hash())
    replay = Replay(GAME, record)
    replay.run()
    assert replay.table.scores == public.scores


def test_the_order_of_delivery_changes_nothing():
    """Two tables with the same secrets and other message orders end in the same transcript."""
    tables = [Table(roster(3), seed=b"order", shuffle_order=mixed) for mixed in (True, False)]
    for table in tables:
        table.start()
        table.run()
    assert tables[0].trace(0) == tables[1].trace(0)


def test_nobody_knows_its_dice_before_all_have_contributed():
    """DT-2.1: while one peer's part of the entropy is missing, no cup has a face."""
    table = Table(roster(3), seed=b"early")

    def withhold(table, to, move):
        phase = table.replicas[2].phases[move.phase]
        return [] if isinstance(phase, Entropy) and phase.at == (1, 0) else None

    table.tampers[2] = withhold
    table.start()
    table.run(seconds=5)
    for replica in table.replicas[:2]:
        assert isinstance(replica.transcript.phase, Entropy)
        assert replica.transcript.missing == {2}
        assert all(view.cup == () for view in replica.views.values())


def test_a_step_without_a_window_costs_two_messages_per_peer():
    """DT-2.2: where no window can open, the next roll's entropy rides with the opened keeps."""
    riding = []
    for seed in (b"one", b"two", b"three", b"four"):
        table = Table(roster(3), seed=seed)
        table.start()
        table.run(lambda t: len(t.trace(0)) > 40)
        riding += [
            (phase, follower)
            for phase, follower in pairwise(table.replicas[0].phases.values())
            if isinstance(phase, RevealPhase) and phase.request.prefetch is not None
        ]
    assert any(isinstance(follower, CommitPhase) for _, follower in riding)
    assert not any(isinstance(follower, Entropy) for _, follower in riding)


def test_lost_messages_are_asked_for_again():
    """A message that never came is pulled from anybody who has it, and the game goes on."""
    table = Table(roster(3), seed=b"lost")
    lost = []

    def lose(_, to, move):
        if to == 1 and move.phase % 7 == 3 and move.phase not in lost:
            lost.append(move.phase)
            return []
        return None

    table.tampers[0] = lose
    table.start()
    table.run(seconds=3000)
    assert lost
    assert table.is_over()
