"""The machines of a replica's status: what cannot happen is refused, and nothing else is."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.status import (
    MACHINES,
    TABLE,
    Change,
    ImpossibleChange,
    Progress,
    Role,
    Status,
)


@pytest.mark.parametrize("change", Change, ids=lambda change: change.name)
def test_a_change_is_for_one_machine(change):
    """A state of no other machine knows it, so that two machines never hang on one list."""
    of = {type(state).__name__.lower() for state, known in TABLE if change is known}
    assert of == {MACHINES[change]}


def test_every_state_can_be_reached_and_leads_to_states_of_its_own_machine():
    assert all(type(before) is type(after) for (before, _), after in TABLE.items())
    reached = {getattr(Status(), machine) for machine in MACHINES.values()}
    for _ in TABLE:
        reached |= {after for (before, _), after in TABLE.items() if before in reached}
    assert reached == {state for machine in map(type, reached) for state in machine}


def test_what_cannot_happen_in_a_state_is_refused_and_changes_nothing():
    """A game that is over does not end again, nor one that is held."""
    status = Status()
    for change in (Change.SET_UP, Change.ENDED):
        status.on(change)
    with pytest.raises(ImpossibleChange, match=r"ENDED in Progress\.OVER"):
        status.on(Change.ENDED)
    assert status.progress is Progress.OVER
    held = Status()
    held.on(Change.STUCK)
    with pytest.raises(ImpossibleChange):
        held.on(Change.ENDED)


def test_a_journal_with_a_hole_keeps_its_peer_silent_until_it_was_cut_off():
    """It goes out before it comes back, whatever else is decided meanwhile."""
    status = Status()
    status.on(Change.FOUND_INCOMPLETE)
    status.on(Change.LET_BACK)
    assert (status.role, status.asks_back) == (Role.INCOMPLETE, True)
    status.on(Change.CUT_OFF)
    assert status.out
    status.on(Change.LET_BACK)
    assert status.role is Role.MEMBER


@pytest.mark.parametrize("role", [None, Change.CUT_OFF, Change.FOUND_INCOMPLETE])
def test_who_leaves_asks_for_no_way_back_but_still_has_a_hole_cut_off(role):
    status = Status()
    if role is not None:
        status.on(role)
    status.on(Change.LEFT)
    assert status.asks_back is (role is Change.FOUND_INCOMPLETE)
