"""What a seat sees, as an array of fixed size: the same places mean the same things.

The array has, in this order: which question is asked (one of ``QUESTIONS``, by a hash of its name
that is the same everywhere), what each option stands for, which are chosen, the dice under the
seat's cup by face, the faces of the seat's own cards, and the public state of the table as the game
tells it, field by field, each cut or filled up to ``FIELD`` numbers. Hidden cards are -1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from zlib import crc32

from lanplay.engine.question import Option
from lanplay.env.asking import OPTIONS, Asking

QUESTIONS = 32
FIELD = 64
"""Numbers for each field of the table's public state."""
LEAST, MOST = -1.0, 1e6
"""The least and the greatest number in an observation."""


def size(asking: Asking) -> int:
    """Return how many numbers an observation of this game has."""
    return len(list(numbers(asking, 0)))


def numbers(asking: Asking, seat: int) -> Iterator[float]:
    """Yield what ``seat`` sees; what others are asked stays hidden from it."""
    view = asking.simulation.views[seat]
    asked = asking.seat == seat
    kind = crc32(asking.question.name.encode()) % QUESTIONS if asked else -1
    yield from (float(place == kind) for place in range(QUESTIONS))
    options = asking.step.options[:OPTIONS] if asked else ()
    yield from _filled([_meaning(option) for option in options], OPTIONS)
    chosen = asking.chosen if asked else []
    yield from (float(place in chosen) for place in range(OPTIONS))
    yield from (float(view.cup.count(face)) for face in range(6))
    yield from _filled(sorted(view.own.values()), FIELD)
    for field in view.table.public().values():
        yield from _filled(list(_flat(field)), FIELD)


def _filled(values: list[Any], length: int) -> Iterator[float]:
    for value in values[:length]:
        yield min(MOST, max(LEAST, float(value)))
    for _ in range(length - len(values)):
        yield LEAST


def _meaning(option: Option) -> float:
    """Return a number for what an option stands for: its face, card or count, else its value."""
    for name in ("face", "card", "count", "seat"):
        if isinstance(option.label.values.get(name), int):
            return float(option.label.values[name])
    return float(option.value) if isinstance(option.value, int) else LEAST


def _flat(value: Any) -> Iterator[float]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _flat(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _flat(each)
    elif isinstance(value, int):
        yield value
    elif isinstance(value, str):
        yield crc32(value.encode()) % 1_000
    else:
        yield LEAST
