"""What a position of Dice Town is worth; much is hidden, so that it says little before the end."""

from __future__ import annotations

from lanplay.games.dice_town.table import DiceTownTable
from lanplay_ai.dice_town.worth import left
from lanplay_ai.values import FeatureValues


def features(t: DiceTownTable) -> tuple[list[list[float]], float]:
    """Return what every seat has, and how much of the mine or of the claims is gone."""
    rows = [
        [
            t.nuggets[seat],
            t.dollars[seat] / 2,
            float(seat == t.sheriff),
            len(t.deeds[seat]),
            len(t.hands[seat]),
        ]
        for seat in range(t.seats)
    ]
    return rows, 1 - left(t)


VALUES = FeatureValues("dice-town", features)
