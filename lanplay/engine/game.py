"""What a game has to offer so that everything else can play it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lanplay.engine.plain import Plain
from lanplay.engine.requests import Rules
from lanplay.engine.table import Table
from lanplay.errors import Fault, Mistake


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


class Game(Protocol):
    """A game: its name, its limits and its rules.

    ``options`` maps each table option to its values, the default first. ``cards`` counts the cards
    of the game: at the start card ``c`` has the face ``c``, known to all. ``version`` changes
    whenever the same answers would lead to another state.
    """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def seats(self) -> range: ...
    @property
    def options(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def cards(self) -> int: ...

    def table(self, seats: int, options: Mapping[str, str], snapshot: Plain = None) -> Any:
        """Return the table before round 1, or a new one at the round boundary of ``snapshot``.

        ``snapshot`` is what ``snapshot()`` returned in a game with as many seats, also after
        ``encode`` and ``decode``. On the new table a public card has its face as its handle; hidden
        cards have the handles left over, without public faces, until the rules have dealt them
        anew. Raises ``ValueError`` for an unknown count or option or an impossible ``snapshot``: it
        may come from a stranger.
        """
        ...

    def snapshot(self, table: Any) -> Plain:
        """Return what a new game can start from: the public state, no handles, no hidden face.

        ``table`` is as it was when ``Round`` was asked. Equal for tables that differ in handles
        only, and the same again on the new table once its hidden cards have been dealt.
        """
        ...

    def rules(self, table: Any) -> Rules[None]:
        """Return the rules from the table's round boundary (or the set-up) to the end.

        On a new table from a ``snapshot`` they first deal the hidden cards anew, by ``Shuffle`` and
        ``Deal``: every place gets as many as it had, public cards stay, nobody's knowledge does.
        """
        ...

    def result(self, table: Any) -> Result:
        """Return how the game ended; only after the rules have run to their end."""
        ...


def check_table(game: Game, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """Return all options with their values, defaults filled in, in the game's own order.

    Raises ``Mistake``, a ``ValueError`` that names what is wrong and what would be right.
    """
    if seats not in game.seats:
        limits = {"least": game.seats.start, "most": game.seats.stop - 1}
        raise Mistake(Fault.SEATS, game=game.name, seats=seats, **limits)
    for name, value in options.items():
        if name not in game.options:
            known = ", ".join(game.options) or "-"
            raise Mistake(Fault.NO_OPTION, game=game.name, option=name, known=known)
        if value not in game.options[name]:
            known = ", ".join(game.options[name])
            asked = {"game": game.name, "option": name, "value": value}
            raise Mistake(Fault.OPTION_VALUE, known=known, **asked)
    return {name: options.get(name, values[0]) for name, values in game.options.items()}


__all__ = ["Game", "Result", "Table", "check_table"]
