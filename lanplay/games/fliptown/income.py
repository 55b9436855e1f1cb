"""Where seats got their points in Fliptown: what counts in the end, what the log tells of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lanplay.engine.manifest import Income
from lanplay.games.fliptown.ending import sources
from lanplay.games.fliptown.table import FliptownTable as Table

TOLD: Final[Mapping[str, tuple[str, str]]] = {
    "poker_stars": ("poker", "stars"),
    "poker_dollars": ("poker", "cash"),
    "bounty_stars": ("bounty", "amount"),
    "fine_stars": ("fined-stars", "amount"),
    "fine_dollars": ("fined-cash", "amount"),
    "bribe_gold": ("bribes", "gold"),
}
"""By source, the event of the log and its value; fines and bribes are what was paid."""
COUNTED: Final[Mapping[str, str]] = {
    "cash_points": "cash",
    "gold_points": "gold",
    "star_points": "stars",
    "silver_points": "silver",
}
"""The points of FT-10.1: these add up to the score."""
SOURCES: Final = (*COUNTED, *TOLD)


def income(t: Table) -> list[list[int]]:
    """Return for each of ``SOURCES`` what every seat got, in a finished game with its log."""
    by_seat = [sources(s) for s in t.sheets]
    counted = [[points[name] for points in by_seat] for name in COUNTED.values()]
    return counted + [_told(t, *told) for told in TOLD.values()]


def _told(t: Table, event: str, value: str) -> list[int]:
    got = [0] * t.seats
    for message in t.log or ():
        if message.id == event:
            got[message.values["seat"]] += message.values[value]
    return got


INCOME = Income(SOURCES, income, frozenset(event for event, _ in TOLD.values()))
