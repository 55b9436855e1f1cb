"""Where points come from in A Dog's Life."""

from __future__ import annotations

from lanplay.games.dogs_life.town import TOWN
from lanplay.games.dogs_life.van import SIDES
from lanplay.language import _
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.changes import Figure, Visible
from lanplay.ui.scene import Scene


def breakdown(scene: Scene) -> Breakdown:
    """Return the bones buried (DL-4.1)."""
    return Breakdown((_("Bones buried"),), tuple((bones,) for bones in scene.table.buried))


def standing(scene: Scene) -> Visible:
    """Return what every dog has, and where the van stands with whence it came."""
    t = scene.table
    figures = (
        Figure("%", tuple(t.bones)),
        Figure('"', tuple(map(len, t.papers))),
        Figure("#", tuple(t.buried)),
    )
    return Visible((), figures, ((t.van, t.came),), _driven)


def _driven(old: tuple[int, int], new: tuple[int, int]) -> list[tuple[int, int]]:
    """Return how the van stands on its shortest way between two of its places (DL-3.9)."""
    ways = [(*old[::-1], *path) for path in TOWN.drives(*old, SIDES)]
    ends = [way for way in ways if way[:-3:-1] == new]
    way = min(ends, key=len, default=())
    return [(way[at], way[at - 1]) for at in range(2, len(way) - 1)]
