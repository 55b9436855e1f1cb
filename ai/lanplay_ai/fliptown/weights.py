"""What each feature of a sheet adds to what is still to come, learned from games.

Each line of ``weights.txt`` is a feature and its weights in thousandths of a point: by the part of
the game that is left, by its square root. Of a hand: the weight alone. How they were learned:
docs/bots.md.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import sqrt

TURNS = 15


@cache
def table(left: int) -> dict[str, float]:
    """Return the weights in points of all features with so many turns left after this one."""
    part = left / TURNS
    found = {}
    for line in files(__package__).joinpath("weights.txt").read_text("utf-8").splitlines():
        name, _, numbers = line.partition(":")
        weights = [int(each) for each in numbers.split()]
        if len(weights) == 1:
            found[name] = weights[0] / 1000
        elif weights:
            found[name] = (weights[0] * part + weights[1] * sqrt(part)) / 1000
    return found
