"""What a position is worth to every seat: a share of the win and points, from what all can see.

A game's bots name theirs in its manifest. Most weigh features of a seat by how far the game has
come: the points that it ends with are their sum, the shares a softmax of another over the seats.
The weights were fitted to who won and to the scores (``values.toml``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, fsum
from typing import Any, NamedTuple, Protocol

from lanplay.engine.record import Entry
from lanplay.engine.requests import Request


class ValuedPosition(NamedTuple):
    """A moment of a game: the public table, what the rules ask, the public record so far."""

    table: Any
    request: Request | None
    history: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to a seat: its share of the win, and the points it will have."""

    share: float = 0.0
    points: float = 0.0

    def __add__(self, other: Worth) -> Worth:
        return Worth(self.share + other.share, self.points + other.points)

    def __sub__(self, other: Worth) -> Worth:
        return Worth(self.share - other.share, self.points - other.points)

    def __truediv__(self, by: int) -> Worth:
        return Worth(self.share / by, self.points / by)


class Values(Protocol):
    """Prices positions.

    ``foresees`` tells that before dice fall a position is worth the mean over how they may fall;
    where it does not hold, whoever wants that mean looks at samples.
    """

    foresees: bool

    def worths(self, position: ValuedPosition) -> Sequence[Worth]:
        """Return what a game under way is worth to every seat.

        The shares are 1 together, unless a rival without a seat may win.
        """
        ...


Features = Callable[..., tuple[Sequence[Sequence[float]], float]]
"""Returns features of all seats, then of a rival without one; and the progress, from 0 to 1."""


class FeatureValues:
    """Values by features; ``game`` names their weights."""

    foresees = False

    def __init__(self, game: str, features: Features) -> None:
        self._game = game
        self._features = features

    def features(self, t: Any, *how: Any) -> tuple[list[list[float]], float]:
        """Return the ``Features``; each seat's end with 1 and with its part of the table."""
        rows, progress = self._features(t, *how)
        return [[*row, 1.0, 1 / t.seats] for row in rows], progress

    def worths(self, position: ValuedPosition) -> list[Worth]:
        """Return shares and points (see ``Values``)."""
        rows, progress = self.features(position.table)
        strengths = self._weighed("share", rows, progress)
        best = max(strengths)
        odds = [exp(strength - best) for strength in strengths]
        whole = fsum(odds)
        points = self.points(rows[: position.table.seats], progress)
        return [Worth(each / whole, score) for each, score in zip(odds, points, strict=False)]

    def points(self, rows: Sequence[Sequence[float]], progress: float) -> list[float]:
        """Return the score that features promise every seat: the first is a part of it as it is."""
        more = self._weighed("points", [row[1:] for row in rows], progress)
        return [row[0] + each for row, each in zip(rows, more, strict=True)]

    def _weighed(
        self, figure: str, rows: Sequence[Sequence[float]], progress: float
    ) -> list[float]:
        early, late = weights()[self._game][figure].values()
        now = [a + b * progress for a, b in zip(early, late, strict=True)]
        return [fsum([w * x for w, x in zip(now, row, strict=True)]) for row in rows]


@cache
def weights() -> dict[str, dict[str, dict[str, list[float]]]]:
    """Return by game and figure the weights of features, and what progress adds to them."""
    return tomllib.loads(files(__package__).joinpath("values.toml").read_text("utf-8"))
