"""Where points come from in Charidice."""

from __future__ import annotations

from lanplay.games.charidice.table import CharidiceTable
from lanplay.language import _
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.changes import Figure, Visible
from lanplay.ui.scene import Scene


def breakdown(scene: Scene) -> Breakdown:
    """Return the points by source (CH-4.2)."""
    t: CharidiceTable = scene.table
    names = (_("Dice"), _("Bonuses"), _("Received"), _("Charity"))
    points = [
        (sum(t.points[seat]), sum(t.bonuses[seat]), sum(t.received[seat]), t.charity[seat])
        for seat in range(t.seats)
    ]
    return Breakdown(names, tuple(points))


def standing(scene: Scene) -> Visible:
    """Return the dice on the table, and everybody's total."""
    t: CharidiceTable = scene.table
    totals = tuple([t.total(seat) for seat in range(t.seats)])
    return Visible((tuple((t.active, die) for die in t.dice),), (Figure("", totals),))
