"""A status says where its author stands: what it claims is compared with what lies there."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.messages import read
from lanplay_protocol.replica.positions import furthest
from lanplay_protocol.replica.reveals import Entropy
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, HONEST, join, level, status

ALL = (0, 1, 2, 3)


def goes_on(table):
    """Assert that honest peers go on together, and that nobody is convicted."""
    before = min(table.replicas[p].transcript.number for p in HONEST)
    for peer in HONEST:  # its person is not waited for
        table.step(peer, inputs.SkipWait(CHEAT))
    table.run(
        lambda t: min(t.replicas[p].transcript.number for p in HONEST) > before + 6, seconds=120
    )
    assert min(table.replicas[p].transcript.number for p in HONEST) > before + 6
    assert not any(table.replicas[p].convicted for p in HONEST)


@pytest.mark.parametrize("ahead", [(0, 1), (0, 40), (1, 0), (7, 0)])
def test_a_position_whose_past_does_not_lie_there_is_in_no_certificate(ahead):
    """The past is of this game, and shorter or longer than claimed: nobody goes back there."""
    table = begun(4, seed=b"positions")
    level(table, lambda t: isinstance(t.replicas[0].transcript.phase, Entropy))
    table.silent.add(CHEAT)  # what it says is said for it
    transcript = table.replicas[0].transcript
    number = transcript.number
    past = next(iter(transcript.followed.values())) if ahead[1] else transcript.past
    old = [p for p in transcript.followed.values() if transcript.line[p.hash][0] == number - 5]
    join(table, 1, ALL, at=(ahead[0], number + ahead[1]), past=old[0] if ahead[1] else past)
    table.run(seconds=2)
    assert not any(table.replicas[p].begun for p in HONEST)
    assert min(table.replicas[p].transcript.number for p in HONEST) >= number
    goes_on(table)


def test_a_true_position_counts():
    table = begun(4, seed=b"positions")
    level(table)
    table.silent.add(CHEAT)  # after this status it may say nothing of the view before
    join(table, 1, ALL)
    table.run(lambda t: all(t.replicas[p].begun for p in HONEST), seconds=5)
    assert all(table.replicas[p].begun[0].number == 1 for p in HONEST)


def test_of_two_pasts_at_one_place_the_one_that_most_name_counts():
    """Whoever made the second one stands alone there: the others need not go back."""
    table = begun(4, seed=b"positions")
    level(table)
    transcript = table.replicas[0].transcript
    other = next(iter(transcript.followed.values()))
    said = [read(status(table, 1, ALL, author=p, signer=p)) for p in HONEST]
    false = [read(status(table, 1, ALL, past=other))]
    assert furthest(false + said) == (transcript.at, transcript.past.hash)
    assert furthest(said + false) == (transcript.at, transcript.past.hash)
    assert furthest([*false, said[0]])[1] == min(other.hash, transcript.past.hash)


def test_a_line_that_leads_nowhere_is_tried_beside_ones_own():
    """What is found false on the way costs its author its word, and nobody its line."""
    table = begun(4, seed=b"positions")
    level(table)
    replica = table.replicas[0]
    at = replica.transcript
    node = at.followed[next(h for h, place in at.line.items() if place == (at.number - 3, 0))]
    assert not replica.line._beside(at.line[node.before], [node, node])
    assert replica.transcript is at
    assert CHEAT not in replica.convicted
    assert replica.line._beside(at.line[node.before], [node])
