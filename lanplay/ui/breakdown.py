"""A score by source: what every front end shows at the end of a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A score by source: the sources in words, and for every seat the points of each.

    ``notes`` are sentences on what else there is to say about the end.
    """

    sources: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]
    notes: tuple[str, ...] = ()
