"""What is kept of a person between games: its standing orders, and how it takes its time."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from lanplay import files
from lanplay.engine.orders import Mode, Order
from lanplay.errors import Fault

FILE: Final = "habits.json"
PAST: Final = 50
"""Times that are remembered of a kind of window."""
USUAL: Final = 2.5
"""Seconds that a person of whom nothing is known thinks, in the mean."""
SPREAD: Final = 0.5
BLUR: Final = 0.15
"""The spread of the logarithm: among people's times, and around one that is drawn again."""


@dataclass(slots=True)
class Thinking:
    """How a person took its time in one kind of window: ``could`` react, ``thought`` about it."""

    could: float = 2.0
    thought: float = 1.0
    times: deque[float] = field(default_factory=lambda: deque(maxlen=PAST))

    @property
    def share(self) -> float:
        """How often it thinks when it could react, from 0 to 1."""
        return self.thought / self.could

    def note(self, seconds: float | None) -> None:
        """Note that it could react, and for how long it thought; ``None``: an order answered."""
        keep = 1 - 1 / PAST  # what lies far back counts for less
        self.could, self.thought = keep * self.could + 1, keep * self.thought
        if seconds is not None:
            self.thought += 1
            self.times.append(seconds)

    def draw(self, luck: Random) -> float:
        """Return a time that it might think for.

        It is never one that was seen before: who saw it twice would know that once it was drawn.
        """
        known = len(self.times)
        if luck.random() * (known + 1) < 1:
            return USUAL * luck.lognormvariate(-SPREAD * SPREAD / 2, SPREAD)
        return self.times[luck.randrange(known)] * luck.lognormvariate(0, BLUR)


@dataclass(slots=True)
class PersonHabits:
    """One person's: orders by game and card, and its thinking by game and kind of window."""

    orders: dict[str, dict[str, Order]] = field(default_factory=dict)
    thinking: dict[str, dict[str, Thinking]] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {
            "orders": {
                game: {card: [order.mode.value, order.amount] for card, order in orders.items()}
                for game, orders in self.orders.items()
            },
            "thinking": {
                game: {
                    name: [each.could, each.thought, *each.times] for name, each in kinds.items()
                }
                for game, kinds in self.thinking.items()
            },
        }


def parsed(kept: Any) -> PersonHabits:
    """Return what ``PersonHabits.plain`` returned; ``ValueError`` for anything else."""
    try:
        orders = {
            game: {card: Order(Mode(mode), int(amount)) for card, (mode, amount) in found.items()}
            for game, found in kept["orders"].items()
        }
        thinking = {
            game: {name: _thinking(*map(float, numbers)) for name, numbers in found.items()}
            for game, found in kept["thinking"].items()
        }
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise ValueError(f"no habits: {error!r}") from error
    return PersonHabits(orders, thinking)


def _thinking(could: float, thought: float, *times: float) -> Thinking:
    if not (0 <= thought <= could and could > 0 and all(0 < each < 3600 for each in times)):
        raise ValueError("such times there are not")
    return Thinking(could, thought, deque(times, PAST))


class HabitStore:
    """The habits of all people at this installation, by name; ``folder`` keeps them.

    What cannot be read is as if it were not there, and is written over by what comes then: nothing
    in it is worth a question.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = None if folder is None else folder / FILE
        self._people = dict(_read(self._path)) if self._path is not None else {}

    def of(self, name: str) -> PersonHabits:
        """Return a person's."""
        return self._people.setdefault(name, PersonHabits())

    def save(self) -> str:
        """Keep them; return why that is impossible, if it is."""
        if self._path is None:
            return ""
        said = {name: each.plain() for name, each in self._people.items()}
        try:
            files.replace(self._path, json.dumps(said, indent=1).encode())
        except OSError as error:
            return Fault.HABITS_LOST.of(path=str(self._path), why=error.strerror)
        return ""


def _read(path: Path) -> Iterator[tuple[str, PersonHabits]]:
    try:
        kept = files.plain(path.read_bytes())
    except (OSError, ValueError):
        return
    for name, habits in kept.items() if isinstance(kept, Mapping) else ():
        try:
            yield name, parsed(habits)
        except ValueError:
            continue
