"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: a score per seat, and the seats that won.

    More than one share the win; a game that can be lost by all may have no winner.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def share(self, seat: int) -> float:
        """Return a seat's share of the win, from 0 to 1."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    @property
    def places(self) -> tuple[int, ...]:
        """Every seat's place: winners first, then by score; who is level shares a place.

        Nobody has the first place in a game that nobody has won.
        """
        keys = [(seat in self.winners, score) for seat, score in enumerate(self.scores)]
        keys = [(won, 0 if won else score) for won, score in keys]
        first = 1 if self.winners else 2
        return tuple([first + sum(other > key for other in keys) for key in keys])
