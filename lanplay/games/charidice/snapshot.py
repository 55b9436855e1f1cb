"""A game continued anew from a round boundary: the sheets, and who still has its greatest gift."""

from __future__ import annotations

from typing import Any

from lanplay.engine.fields import Amount, Column, Flag, Schema
from lanplay.games.charidice.dice import DICE, SIDES
from lanplay.games.charidice.sets import EQUAL_NUMBERS, MOST_GIFT, RUNS
from lanplay.games.charidice.table import ROUNDS
from lanplay.games.charidice.table import CharidiceTable as Table


def _entries(most: int) -> Column:
    """Return a column of each seat's sheet: an entry for every round played."""
    return Column(Column(Amount(most), lambda t: t.round))


SCHEMA = Schema(
    "Charidice",
    round=Amount(ROUNDS - 1),
    first=Amount(lambda t: t.seats - 1),
    greatest=Column(Flag()),
    points=_entries(DICE * SIDES),
    bonuses=_entries(max(*RUNS.values(), *EQUAL_NUMBERS.values())),
    received=_entries(2 * MOST_GIFT),
    given=_entries(2 * MOST_GIFT),
)
snapshot = SCHEMA.snapshot


def from_snapshot(t: Table, data: Any) -> None:
    """Lay a new table as ``snapshot`` says; ``ValueError`` names what cannot be."""
    SCHEMA.from_snapshot(t, data)
    if any(t.given[seat] != t.received[t.left(seat)] for seat in range(t.seats)):
        raise ValueError("what is given and what is received differ")
