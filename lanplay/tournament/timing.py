"""How long bots take. Not part of what is reproducible, so it is kept apart from all results."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from lanplay.tournament.bots import Contestant


@dataclass(slots=True)
class DecisionTimes:
    """Sums over games by entrant: decisions, nanoseconds, and the slowest decision.

    Decisions for which a bot was no longer asked, after its strikes, are left out.
    """

    decisions: list[int]
    nanoseconds: list[int]
    slowest: list[int]

    @classmethod
    def empty(cls, entrants: int) -> DecisionTimes:
        """Return the timing of no game."""
        return cls([0] * entrants, [0] * entrants, [0] * entrants)

    def add(self, entrant: int, agent: Contestant) -> None:
        """Add what an entrant took in one seat of one game."""
        self.decisions[entrant] += agent.decisions - agent.spared
        self.nanoseconds[entrant] += agent.nanoseconds
        self.slowest[entrant] = max(self.slowest[entrant], agent.slowest)

    def merge(self, other: DecisionTimes) -> None:
        """Add the sums of other games."""
        for entrant in range(len(self.decisions)):
            self.decisions[entrant] += other.decisions[entrant]
            self.nanoseconds[entrant] += other.nanoseconds[entrant]
            self.slowest[entrant] = max(self.slowest[entrant], other.slowest[entrant])

    def mean(self, entrant: int) -> float:
        """Return an entrant's mean time for a decision in microseconds; 0 if it made none."""
        return self.nanoseconds[entrant] / 1000 / max(1, self.decisions[entrant])

    def plain(self) -> dict[str, Any]:
        """Return the sums as JSON data."""
        return asdict(self)

    @classmethod
    def of(cls, data: dict[str, Any], entrants: int) -> DecisionTimes:
        """Return the timing of ``plain()``; of no game if that is not what ``data`` is."""
        empty = cls.empty(entrants)
        sums = [data.get(name) for name in empty.plain()]
        if any(not isinstance(each, list) or len(each) != entrants for each in sums):
            return empty
        if any(type(value) is not int or value >> 63 for each in sums for value in each or ()):
            return empty
        return cls(*[each for each in sums if each is not None])
