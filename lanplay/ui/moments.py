"""What decided a game: the events that moved most points."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanplay.engine.question import Phrase

MOMENTS = 5
"""How many events are named."""


def decisive(
    events: Sequence[tuple[int, Phrase]], weight: Callable[[Phrase], float]
) -> list[tuple[int, Phrase]]:
    """Return the events that moved most points, with their rounds, in the order of play."""
    weights = [weight(message) for _round, message in events]
    best = sorted(range(len(events)), key=lambda place: (-weights[place], place))[:MOMENTS]
    return [events[place] for place in sorted(best) if weights[place] > 0]
