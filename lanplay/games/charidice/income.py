"""Where the seats of Charidice get their points: the columns of the sheet, and the bonus."""

from __future__ import annotations

from lanplay.engine.manifest import Income
from lanplay.games.charidice.table import CharidiceTable as Table

SOURCES = ("dice_points", "bonus_points", "received_points", "charity_points")


def income(t: Table) -> list[list[int]]:
    """Return for each of ``SOURCES`` what every seat got, in a finished game."""
    columns = (t.points, t.bonuses, t.received)
    return [*[[sum(entries) for entries in column] for column in columns], t.charity]


INCOME = Income(SOURCES, income)
