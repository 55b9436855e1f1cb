"""Where points come from in A Dog's Life."""

from __future__ import annotations

from lanplay.language import _
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.changes import Figure, Visible
from lanplay.ui.scene import Scene


def breakdown(scene: Scene) -> Breakdown:
    """Return the bones buried (DL-4.1)."""
    return Breakdown((_("Bones buried"),), tuple((bones,) for bones in scene.table.buried))


def standing(scene: Scene) -> Visible:
    """Return what every dog has, and where the newspapers and bones go."""
    t = scene.table
    figures = (
        Figure("%", tuple(t.bones)),
        Figure('"', tuple(map(len, t.papers))),
        Figure("#", tuple(t.buried)),
        Figure("F", tuple(t.hunger)),
    )
    return Visible((), figures)
