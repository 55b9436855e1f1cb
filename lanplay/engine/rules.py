"""What the rules of a game come to for all drivers: functions of its table, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lanplay.engine.plain import Plain
from lanplay.engine.requests import Rules


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


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of a game, as functions of its table.

    ``table`` makes the table before round 1, for a number of seats and all options with their
    values. ``rules`` are the rules from the table's round boundary (or the set-up) to the end.
    ``result`` tells how the game ended, once they have run to their end.

    ``snapshot`` returns what a new game can start from: the public state, no handles, no hidden
    face; the table is as it was when ``Round`` was asked. Equal for tables that differ in handles
    only, and the same again on the new table once its hidden cards have been dealt.
    ``from_snapshot`` lays a new table so. There a public card has its face as its handle; hidden
    cards have the handles left over, without public faces, until the rules have dealt them anew, by
    ``Shuffle`` and ``Deal``: every place gets as many as it had, public cards stay, nobody's
    knowledge does. It raises ``ValueError`` for an impossible one: it may come from a stranger.
    """

    table: Callable[[int, Mapping[str, str]], Any]
    rules: Callable[[Any], Rules[None]]
    result: Callable[[Any], Result]
    snapshot: Callable[[Any], Plain]
    from_snapshot: Callable[[Any, Any], None]
