"""What a decision on who takes part does to the one who learns of it."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.catch_up import RESENDS, WHILE
from lanplay_protocol.replica.messages import PhaseMessage, SignedMessage, sign
from lanplay_protocol.replica.positions import AHEAD
from lanplay_protocol.wire import encode
from tests.replica.harness import identity, received, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import level
from tests.replica.test_evidence import complaint, told


def stopped(seed=b"decisions"):
    """A table of four that stands at one phase, of which nothing more is delivered."""
    table = begun(seed=seed)
    level(table)
    table.queue.clear()
    return table


@pytest.mark.longer_games
def test_nobody_is_given_more_than_the_near_future_to_keep():
    """Messages of phases far ahead are not kept, however many come, though they are signed."""
    table = stopped()
    replica = table.replicas[0]
    here, past = replica.transcript.number, replica.transcript.past
    for phase in range(here + 1, here + 200):
        move = PhaseMessage(1, phase, 0, past, bytes(32), ())
        body = encode(("move", sign(move, identity(1), replica.context.game_id).plain()))
        replica.step(received(1, body), table.now)
    slots = [("move", 1, 0, phase) for phase in range(here + 1, here + 200)]
    kept = [slot[3] for slot in slots if replica.line.statements.of(slot)]
    assert kept == list(range(here + 1, here + AHEAD + 1))


@pytest.mark.longer_games
def test_what_nobody_signed_is_not_kept():
    """A message with a false signature takes no place."""
    replica = stopped().replicas[0]
    phase = replica.transcript.number + 1
    forged = SignedMessage("move", 1, phase, 0, b"?", bytes(64))
    replica.step(received(2, encode(("move", forged.plain()))), 0.0)
    assert replica.line.statements.of(forged.slot) == []


@pytest.mark.longer_games
def test_nobody_is_sent_the_game_again_and_again():
    """So many questions are answered at once; after a while there are answers again."""

    def answered(now):
        last = replica.transcript.number - 1
        want = received(1, encode(("want", (0, last, bytes(32), (), (), ()))))
        outputs = [replica.step(want, now) for _ in range(3 * RESENDS)]
        return [each.kind for output in outputs for each in output.send].count("here")

    replica = stopped().replicas[0]
    now = 1000.0
    assert answered(now) == RESENDS
    assert answered(now + WHILE / 2) == 0
    assert answered(now + WHILE) == RESENDS


def test_a_table_of_two_cannot_play_on_without_one():
    """Where no quorum would be left the game is held, and says why."""
    table = begun(2, seed=b"two")
    told(table, complaint(table))
    assert table.replicas[0].halted is not None
    three = begun(3, seed=b"three")
    told(three, complaint(three))
    assert three.replicas[0].halted is None


@pytest.mark.longer_games
def test_nobody_goes_on_anew_while_enough_are_here():
    """Those who are missing come back to the game that the others play."""
    table = stopped()
    with pytest.raises(ValueError, match="Enough are here"):
        table.replicas[0].step(inputs.ContinueWithout(bytes(32)), table.now)
    assert table.replicas[0].attendance.restart.votes == {}


@pytest.mark.parametrize("peers", range(1, 9))
def test_any_two_quorums_share_a_peer_and_none_is_larger_than_it_has_to_be(peers):
    """So two halves of a table never both go on, and one that is larger than half always can."""
    quorum = roster(peers, seats=8).quorum
    assert 2 * quorum > peers
    assert 2 * (quorum - 1) <= peers
