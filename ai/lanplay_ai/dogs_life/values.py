"""What a position of A Dog's Life is worth."""

from __future__ import annotations

from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay_ai.values import FeatureValues

_FAR = 12
"""The way home of who is not in the streets, in steps."""
_WON = 4
_ROUNDS = 40


def features(t: DogsLifeTable) -> tuple[list[list[float]], float]:
    """Return bones, the way home and how each dog fares; how near the best is to its last bone."""
    rows = []
    for seat in range(t.seats):
        far, points = float(_FAR), 0.0
        if t.dens and t.place[seat] != NOWHERE:
            far = float(TOWN.distances(t.dens[seat], t.home(seat))[t.place[seat]])
        if t.dogs:
            points = t.dog(seat).points - 7.0
        buried, bones = t.buried[seat], t.bones[seat]
        rows.append(
            [
                float(buried),
                float(buried >= _WON - 2),
                float(buried >= _WON - 1),
                float(bones),
                bones * far / 10,
                float(buried + bones >= _WON),
                t.hunger[seat] / 4,
                float(t.pound[seat] > 0),
                points,
                0.0 if bones else far / 10,
            ]
        )
    return rows, min(1.0, max(t.buried) / _WON + t.round / _ROUNDS)


VALUES = FeatureValues("dogs-life", features)
