"""A game continued anew from a round boundary: the sheets, and who still has its greatest gift."""

from __future__ import annotations

from typing import Any

from lanplay.engine.plain import Plain
from lanplay.games.charidice.dice import DICE, SIDES
from lanplay.games.charidice.sets import EQUAL_NUMBERS, MOST_GIFT, RUNS
from lanplay.games.charidice.table import COLUMNS, ROUNDS
from lanplay.games.charidice.table import CharidiceTable as Table

KEYS = ("round", "first", "greatest", *COLUMNS)
MOST = {
    "points": DICE * SIDES,
    "bonuses": max(*RUNS.values(), *EQUAL_NUMBERS.values()),
    "received": 2 * MOST_GIFT,
    "given": 2 * MOST_GIFT,
}
"""The most that one entry of a column can be."""


def snapshot(t: Table) -> dict[str, Plain]:
    """Return what a new game can start from (see ``Game.snapshot``)."""
    data: dict[str, Plain] = {"round": t.round, "first": t.first}
    data["greatest"] = tuple([int(each) for each in t.greatest])
    for name in COLUMNS:
        data[name] = tuple([tuple(t.column(name, seat)) for seat in range(t.seats)])
    return data


def from_snapshot(t: Table, data: Any) -> None:
    """Lay a new table as ``snapshot`` says; ``ValueError`` names what cannot be."""
    if type(data) is not dict or tuple(data) != KEYS:
        raise ValueError(f"a snapshot of Charidice has {', '.join(KEYS)}, in this order")
    t.round = _amount(data["round"], ROUNDS - 1)
    t.first = _amount(data["first"], t.seats - 1)
    t.greatest = [bool(_amount(each, 1)) for each in _tuple(data["greatest"], t.seats)]
    for name in COLUMNS:
        columns = [_tuple(column, t.round) for column in _tuple(data[name], t.seats)]
        entries = [[_amount(entry, MOST[name]) for entry in column] for column in columns]
        setattr(t, name, entries)
    if any(t.given[seat] != t.received[t.left(seat)] for seat in range(t.seats)):
        raise ValueError("what is given and what is received differ")


def _amount(value: object, most: int) -> int:
    if type(value) is int and 0 <= value <= most:
        return value
    raise ValueError(f"{value!r} is no number from 0 to {most}")


def _tuple(values: Any, count: int) -> tuple[Any, ...]:
    if type(values) is tuple and len(values) == count:
        return values
    raise ValueError(f"{values!r} does not have {count} values")
