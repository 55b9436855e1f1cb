"""Who is there: what a peer believes of others' words, and for how long."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.failure_detector import LIFE, SLACK, FailureDetector, Liveness

ALL = frozenset(range(3))
GRACE = 45


def heard_by_another(now):
    """Peer 0 has no link to 2; 1 has, and says nothing else."""
    presence = FailureDetector(0, GRACE)
    presence.link_down(2, now)
    presence.said(1, Liveness(frozenset()))
    return presence


def test_a_peer_that_only_others_hear_is_there_while_it_signs_that_it_is():
    """Every new word of it counts for some seconds."""
    presence = heard_by_another(0.0)
    for beat in range(1, 6):
        presence.heartbeat(2, beat, beat * LIFE / 2)
    assert presence.missing(ALL, 5 * LIFE / 2 + LIFE - 0.1) == {}
    assert 2 in presence.missing(ALL, 5 * LIFE / 2 + LIFE)


def test_an_old_sign_of_life_says_nothing():
    """Whoever brings the word of a dead peer again and again keeps nobody waiting."""
    presence = heard_by_another(0.0)
    presence.heartbeat(2, 7, 1.0)
    for again in range(2, 40):
        presence.heartbeat(2, 7 - again % 2, again / 4)
    assert 2 in presence.missing(ALL, 1.0 + LIFE)


@pytest.mark.parametrize(("slack", "lost"), [(0.0, False), (SLACK, True)])
def test_a_peer_agrees_a_little_before_its_own_clock_says_so(slack, lost):
    """All notice an absence at their own time: who is asked first need not be the first."""
    presence = FailureDetector(0, GRACE)
    presence.link_down(2, 0.0)
    presence.missing(frozenset({0, 2}), 0.0)
    here = frozenset({0, 2})
    assert (2 in presence.suspects(here, GRACE - SLACK / 2, slack)) is lost
    assert presence.suspects(here, GRACE - SLACK - 1, slack) == frozenset()
    assert presence.suspects(here, float(GRACE), slack) == {2}


def test_who_is_back_or_cut_is_neither_hurried_nor_waited_for():
    """What was said about an absence is over with it."""
    for over in (lambda presence: presence.link_up(2), lambda presence: presence.clear(2)):
        for wish in (
            lambda presence: presence.skip_wait(2),
            lambda presence: presence.keep_waiting(2),
        ):
            presence = FailureDetector(0, GRACE)
            presence.link_down(2, 0.0)
            wish(presence)
            assert presence.liveness.skip_wait | presence.liveness.keep_waiting == {2}
            over(presence)
            assert presence.liveness.skip_wait | presence.liveness.keep_waiting == frozenset()
