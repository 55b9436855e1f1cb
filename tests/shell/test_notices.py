"""What is said of the table's events."""

from __future__ import annotations

import pytest

from lanplay.notices import Notice
from lanplay_protocol.replica.events import SeatReassigned
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.shell.notices import change
from tests.replica.harness import roster


@pytest.mark.parametrize(
    ("bot", "notice"), [("", Notice.PERSON_PLAYS), ("steady", Notice.AI_PLAYS)]
)
def test_a_person_who_is_back_is_not_announced_as_an_ai(bot, notice):
    """Who has no bot's name is a person."""
    [told] = change(roster(), SeatReassigned(0, Holder(0, bot)))
    assert told.saying is notice
