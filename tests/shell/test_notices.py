"""What is said of the table's events."""

from __future__ import annotations

from dataclasses import replace

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


@pytest.mark.parametrize(
    ("bot", "said"),
    [("", "Ada answers again."), ("steady", "Ada is away: AI plays instead.")],
)
def test_whose_laptop_it_is_is_not_said_of_its_own_person(bot, said):
    table = roster()
    table = replace(table, names=("Ada", *table.names[1:]))
    table = replace(table, peers=(replace(table.peers[0], name="Ada"), *table.peers[1:]))
    assert change(table, SeatReassigned(0, Holder(0, bot))) == [said]
