"""For whom AI answers while its person is away: everybody is told, and told when that is over."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import SeatReassigned
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.faults import steps
from tests.replica.harness import Table, roster
from tests.replica.test_coming_back import thinking

SEAT, OTHERS, GRACE = 2, (0, 1), 5
AWAY, HERE = frozenset({SEAT}), frozenset()


def table():
    """Three people have begun; the seat is of the last one's laptop."""
    made = Table(roster(3, settings=TableSettings(grace=GRACE)), seed=b"away")
    made.start()
    made.run(lambda t: all(r.transcript.number > SETUP + 4 for r in t.replicas))
    return made


def told(made, peer):
    """Whether AI answers for the seat, by what was told last."""
    return any([bool(e.holder.bot) for e in made.of(peer, SeatReassigned) if e.seat == SEAT][-1:])


@pytest.mark.parametrize("how", ["link", "restart"])
def test_who_is_here_again_answers_again(how):
    """Its person came back while its link was broken, or its program was started again."""
    made = table()
    made.step(SEAT, inputs.AwayChanged(AWAY))
    steps(made, 20)
    assert all(told(made, peer) for peer in OTHERS)
    if how == "link":
        made.disconnect(*made.pairs(SEAT))
        made.step(SEAT, inputs.AwayChanged(HERE))
        made.connect(*made.pairs(SEAT))
    else:
        made.kill(SEAT)
        made.restart(SEAT)
    steps(made, 60)
    assert not made.is_over()
    assert not any(told(made, peer) for peer in OTHERS)


@pytest.mark.parametrize("before", [True, False])
def test_who_is_let_back_and_whose_person_is_away_does_not_answer_again(before):
    """Its person went before the laptop was out, or while it was: AI goes on to answer for it."""
    made = table()
    if before:
        made.step(SEAT, inputs.AwayChanged(AWAY))
    made.disconnect(*made.pairs(SEAT))
    made.run(lambda t: all(t.replicas[p].context.seating.holders[SEAT].bot for p in OTHERS))
    made.shuffle_order = False  # what a link brings comes in order
    made.connect(*made.pairs(SEAT))
    made.run(thinking(lambda t: all(r.context.seating.holders[SEAT].bot for r in t.replicas)))
    if not before:
        made.step(SEAT, inputs.AwayChanged(AWAY))
    made.run(thinking(lambda t: t.replicas[SEAT].status.member))
    for replica in made.replicas:
        replica._exchange.asked.clear()  # people come to, and answer
    made.run(
        lambda t: all(t.replicas[p].context.seating.holders[SEAT].peer == SEAT for p in OTHERS)
    )
    assert not made.is_over()
    assert all(told(made, peer) for peer in OTHERS)
    assert all(SEAT not in replica.people for replica in made.replicas)
