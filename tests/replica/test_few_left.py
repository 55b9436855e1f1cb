"""A quorum that reaches each other plays on, however the others fell away and came back."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import Restarted
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.few import played
from tests.replica.harness import roster
from tests.replica.test_cut import begun as table_begun

GRACE = 5
ON = 6
"""Phases in which a table shows that it goes on."""


def begun(seed, thinker):
    """Return a table of five at which a person thinks."""
    table = Thinking(roster(5, 5, TableSettings(grace=GRACE)), b"few %d" % seed)
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    table.think = {thinker}
    table.run(seconds=GRACE - 1)
    return table


def goes_on(table):
    """Let the person answer, and all that run play on."""
    table.answer()
    goal = ON + max(replica.transcript.number for replica in table.replicas)
    table.run(lambda t: all(r.transcript.number >= goal for r in t.alive), seconds=120)
    assert all(r.transcript.number >= goal for r in table.alive)
    assert not any(table.accused(peer) for peer in table.running)


@pytest.mark.parametrize("apart", [0.0, 2.0, 9.0])
@pytest.mark.parametrize("thinker", [0, 2])
def test_two_of_five_die_one_after_the_other_while_a_person_thinks(apart, thinker):
    """Three that reach each other are a quorum (`tests/model`, case *five-two-die*)."""
    with installed():
        table = begun(int(apart * 2) + 100 * thinker, thinker)
        table.kill(3)
        table.run(seconds=apart)
        table.kill(4)
        table.run(seconds=4 * GRACE)
        goes_on(table)


@pytest.mark.parametrize(
    ("apart", "back"), [(0.0, (3, 4)), (8.0, (3, 4)), (20.0, (3, 4)), (8.0, (1, 4)), (8.0, (1, 2))]
)
def test_four_of_five_fall_away_and_two_come_back(apart, back):
    """Who is left and the two are a quorum, though one alone that comes back is too few."""
    with installed():
        table = begun(int(apart * 2) + 10 * sum(back), 0)
        for peer in (4, 3, 2, 1):
            table.kill(peer)
            table.run(seconds=apart)
        table.run(seconds=5 * GRACE)
        for peer in back:
            table.restart(peer)
            table.run(seconds=apart)
        goes_on(table)


@pytest.mark.parametrize("seed", [206])
def test_a_quorum_that_is_left_of_many_faults_goes_on(seed):
    """Games of the campaign (``tests.replica.few``) that stood still in a draft."""
    with installed():
        about, fault = played(seed)
    assert not fault, about


LIAR = 2


def test_a_vote_for_a_new_game_is_for_the_loss_in_which_it_was_given():
    """Enough came back, and play went on: a later loss asks its people again."""
    table = table_begun(4, seed=b"anew")
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=600)
    away = [(a, b) for a in (0, LIAR) for b in (1, 3)]
    table.disconnect(*away)
    table.run(seconds=30)
    table.step(0, inputs.ContinueWithout(bytes(32)))  # the liar says nothing yet
    table.run(seconds=1)
    table.connect(*away)
    number = table.replicas[0].transcript.number
    table.run(lambda t: t.replicas[0].transcript.number > number + 40, seconds=60)
    assert table.replicas[0].transcript.number > number + 40
    table.disconnect(*away)
    table.run(seconds=30)
    table.step(LIAR, inputs.ContinueWithout(bytes([1]) * 32))
    table.run(seconds=1)
    assert not table.of(0, Restarted)
