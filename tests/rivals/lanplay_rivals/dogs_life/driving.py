"""Where to drive the van: at rivals that are ahead or loaded, away from one's own dog (DL-3.3)."""

from __future__ import annotations

from lanplay.games.dogs_life.questions import Steer
from lanplay.games.dogs_life.town import TOWN, Path
from lanplay_rivals.dogs_life.jobs import DogsLifeOutlook

SHOWN = 0.05
"""The least worth of a catch that is told as the reason."""


def drive(o: DogsLifeOutlook, question: Steer) -> tuple[Path, float]:
    """Return the drive that harms rivals most and the own dog least, and its worth."""
    t = o.t
    worth = [0.0] * TOWN.size
    for other, place in enumerate(t.place):
        if place < 0 or place == TOWN.pound:
            continue
        harm = -o.loss() if other == o.seat else o.harm(other)
        caught = o.odds_of(other).catcher[0]
        worth[place] += harm
        for near in TOWN.beside[place]:
            worth[near] += harm * caught
    paths = question.drives()
    own = t.place[o.seat]
    if own < 0 or not o.profile.fear:
        best = max(paths, key=lambda path: worth[path[-1]])
    else:
        far = TOWN.distances(o.den, own)
        danger = o.profile.fear * o.loss()
        best = max(paths, key=lambda path: worth[path[-1]] - danger / (2 + far[path[-1]]))
    return best, worth[best[-1]]
