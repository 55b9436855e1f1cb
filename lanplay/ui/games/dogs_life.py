"""Where points come from in A Dog's Life."""

from __future__ import annotations

from lanplay.language import _
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.scene import Scene


def breakdown(scene: Scene) -> Breakdown:
    """Return the bones buried (DL-4.1)."""
    return Breakdown((_("Bones buried"),), tuple((bones,) for bones in scene.table.buried))
