"""What each feature of a sheet adds to what is still to come, learned from games.

Each line of ``weights.txt`` is a feature and its weights in thousandths of a point: by the part of
the game that is left, by its square root, and by the rounds after this one. Of a hand: the weight
alone. ``scripts/fliptown_weights.py`` learns them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import sqrt

TURNS, ROUND = 15, 5


def basis(left: int) -> tuple[float, float, float]:
    """Return what weights are multiplied with when so many turns are left."""
    part = left / TURNS
    return part, sqrt(part), max(0, (left - 1) // ROUND) / 2


@cache
def table(left: int) -> dict[str, float]:
    """Return the weights in points of all features with so many turns left after this one."""
    found, times = {}, basis(left)
    for line in files(__package__).joinpath("weights.txt").read_text("utf-8").splitlines():
        name, _, numbers = line.partition(":")
        weights = [int(each) for each in numbers.split()]
        if len(weights) == 1:
            found[name] = weights[0] / 1000
        elif weights:
            found[name] = sum([a * b for a, b in zip(weights, times, strict=False)]) / 1000
    return found
