"""What decided a game: the events that moved most points, and the one that won it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from lanplay.engine.question import Phrase

MOMENTS: Final = 5
"""How many events are named."""
ALIKE: Final = 2
"""How many of them may be of one kind."""
TO: Final = {"gives": "other"}
"""By event, the value that names who gains by it, where that is not its seat."""
Told = tuple[int, Phrase]
"""An event with its round."""


def gains(event: Phrase) -> int | None:
    """Return the seat that an event's points go to; ``None`` if it names none."""
    seat = event.values.get(TO.get(event.id, "seat"))
    return seat if isinstance(seat, int) else None


def decisive(
    events: Sequence[Told], weight: Callable[[Phrase], float], winners: Sequence[int] = ()
) -> list[Told]:
    """Return the events that moved most points, with their rounds, in the order of play.

    No two of them say the same, and few are alike. The last one that brought a winner points is
    among them: with it the game was won.
    """
    weights = [weight(message) for _round, message in events]
    chosen: set[int] = set()
    kinds: Counter[str] = Counter()
    won = [at for at in range(len(events)) if weights[at] > 0 and gains(events[at][1]) in winners]
    by_weight = sorted(range(len(events)), key=lambda at: (-weights[at], at))
    for at in (*won[-1:], *by_weight):
        message = events[at][1]
        same = any(events[other][1] == message for other in chosen)
        if weights[at] > 0 and not same and kinds[message.id] < ALIKE and len(chosen) < MOMENTS:
            chosen.add(at)
            kinds[message.id] += 1
    return [events[at] for at in sorted(chosen)]


def curve(
    events: Sequence[Told], weight: Callable[[Phrase], float], seats: int
) -> list[list[float]]:
    """Return for each seat what it had gained by the end of each round, as all could see it."""
    rounds = max((number for number, _event in events), default=0)
    gained = [[0.0] * (rounds + 1) for _ in range(seats)]
    for number, event in events:
        seat = gains(event)
        if seat is not None and seat < seats and (points := weight(event)):
            gained[seat][number] += points
    for row in gained:
        for number in range(rounds):
            row[number + 1] += row[number]
    return gained
