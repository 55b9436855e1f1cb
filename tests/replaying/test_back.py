"""Going back in a record: the game as it was then, with nothing of what came after."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.engine.stepper import Stepper
from tests.replaying.test_stepping import GAME, public, simulated


@pytest.fixture(scope="module")
def whole():
    """A game of three bots, and what they saw."""
    return simulated(seats=3)


def shown(position):
    """Everything that a position shows, as plain data."""
    views = (position.public, *position.views.values())
    return (
        (position.round, position.move, position.events, dict(position.asked)),
        [(view.table.hash(), tuple(view.history), view.cup, dict(view.own)) for view in views],
    )


@pytest.mark.parametrize("source", ["seed", "private file", "nothing"])
def test_a_position_is_what_the_record_of_the_game_until_then_ends_with(whole, source):
    """However far one has been: a record that was broken off there knows no more."""
    record, seen = whole
    record = record if source == "seed" else public(record)
    seen = seen if source == "private file" else None
    stepper = Stepper(GAME, record, seen)
    asked = [each for each in stepper.positions if each.asked]  # between rounds nothing is
    for position in asked[3 :: len(asked) // 6]:
        history = tuple(record.history[: len(position.public.history)])
        until = replace(
            record, history=history, state_hash=position.public.table.hash(), finished=False
        )
        assert shown(Stepper(GAME, until, seen).positions[-1]) == shown(position)
