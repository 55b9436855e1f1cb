"""Whom a game does not hear is known until it is heard again, or a view has begun."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lanplay_protocol.replica.events import PeerReachable, PeerUnreachable, ViewChanged
from lanplay_protocol.shell.absentees import Absentees
from tests.replica.harness import roster


@pytest.mark.parametrize("event", [PeerReachable(1), ViewChanged((1,), (), ())])
def test_who_is_heard_again_or_left_out_is_waited_for_no_longer(event):
    absentees = Absentees(SimpleNamespace(roster=roster(3), up=lambda place: True), ())
    absentees.told(PeerUnreachable(1, 45.0))
    assert absentees.until == {1: 45.0}
    absentees.told(event)
    assert absentees.until == {}
