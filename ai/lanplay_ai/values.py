"""What a position is worth to every seat: its share of the win, from what all can see.

A game's bots name theirs in its manifest. Most are a softmax over the seats of features, each
weighed by how far the game has come; the weights were fitted to who won (``values.toml``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
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


class Values(Protocol):
    """Prices positions.

    ``foresees`` tells that before dice fall a position is worth the mean over how they may fall;
    where it does not hold, whoever wants that mean looks at samples.
    """

    foresees: bool

    def shares(self, position: ValuedPosition) -> Sequence[float]:
        """Return the share of the win of every seat of a game under way; together they are 1."""
        ...


Features = Callable[[Any], tuple[Sequence[Sequence[float]], float]]
"""Returns of a table the features of every seat, and how far the game has come, from 0 to 1."""


class FeatureValues:
    """Values by features; ``game`` names their weights."""

    foresees = False

    def __init__(self, game: str, features: Features) -> None:
        self._game = game
        self.features = features

    def shares(self, position: ValuedPosition) -> list[float]:
        """Return the softmax over the seats (see ``Values``)."""
        rows, progress = self.features(position.table)
        early, late = weights()[self._game]
        weighed = [a + b * progress for a, b in zip(early, late, strict=True)]
        worths = [fsum([w * x for w, x in zip(weighed, row, strict=True)]) for row in rows]
        best = max(worths)
        odds = [exp(worth - best) for worth in worths]
        whole = fsum(odds)
        return [each / whole for each in odds]


@cache
def weights() -> dict[str, tuple[list[float], list[float]]]:
    """Return by game the weights of its features, and what progress adds to them."""
    text = files(__package__).joinpath("values.toml").read_text("utf-8")
    return {game: (each["early"], each["late"]) for game, each in tomllib.loads(text).items()}
