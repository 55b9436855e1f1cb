"""Whom a game does not hear is known until it is heard again, or a view has begun."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lanplay_protocol.replica.events import PeerReachable, PeerUnreachable, ViewChanged
from lanplay_protocol.shell.absentees import Absentees
from tests.replica.harness import roster


def new(clock=lambda: 0.0):
    return Absentees(SimpleNamespace(roster=roster(3), up=lambda place: True), (), clock)


@pytest.mark.parametrize("event", [PeerReachable(1), ViewChanged((1,), (), ())])
def test_who_is_heard_again_or_left_out_is_waited_for_no_longer(event):
    absentees = new()
    absentees.told(PeerUnreachable(1, 45.0))
    assert absentees.until == {1: 45.0}
    absentees.told(event)
    assert absentees.until == {}


def test_a_peer_that_goes_and_comes_without_end_fills_no_screen():
    """Twenty lines a second said so. Who is waited for is known all the same, and a peer that has
    rested, or another one, is told of at once."""
    now = 0.0
    absentees, told = new(lambda: now), []
    for _ in range(1000):
        told += absentees.told(PeerUnreachable(1, 45.0))
        assert absentees.until == {1: 45.0}
        told += absentees.told(PeerReachable(1))
    assert len(told) == 2 * 8
    assert len(absentees.told(PeerUnreachable(2, 45.0))) == 1
    now = 60.0
    assert len([*absentees.told(PeerUnreachable(1, 45.0)), *absentees.told(PeerReachable(1))]) == 2
