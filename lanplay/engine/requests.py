"""What rules may ask of the driver that runs them. The same vocabulary serves every game.

A rules coroutine yields one of these and is sent its answer:

=============  ==========================================================  =====================
request        meaning                                                     answer
=============  ==========================================================  =====================
``Choose``     seats answer questions; several at once means secretly      ``{seat: answer}``
``Roll``       dice under each seat's own cup, known to that seat alone    ``None``
``Uncover``    dice under cups are shown to all                            ``{seat: faces}``
``OpenRoll``   dice that everybody sees                                    ``faces``
``Shuffle``    piles become new cards in an order that nobody knows        ``{pile: cards}``
``Mix``        one seat mixes piles of its own; only it can follow them    ``{pile: cards}``
``Deal``       the seat alone learns these cards                           ``None``
``Show``       everybody learns these cards                                ``faces``
``Round``      a new round begins: a point to save, count and fork from    ``None``
``Refuted``    a seat has claimed what its cards do not show               ``None``
=============  ==========================================================  =====================

A card is a *handle*: a number that stands for a card whose face may be unknown. Shuffling and
mixing give new handles, so nothing known of the old ones carries over.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from lanplay.engine.question import Question
from lanplay.engine.value import value

Seat: TypeAlias = int
Card: TypeAlias = int
Face: TypeAlias = int
At: TypeAlias = tuple[int | str, ...]
"""The slot a piece of chance belongs to (round, step, …): used once in a game."""


@value
class Choose:
    """Seats answer their questions; with several, no answer is seen before all are given.

    ``ahead`` names the chance slot that follows, when no further choice can come before it,
    whatever is answered: only then may its entropy travel with the answers.
    """

    questions: Mapping[Seat, Question]
    ahead: At | None = None


@value
class Roll:
    """Roll ``dice[seat]`` six-sided dice under the cup of each seat, replacing what lay there."""

    at: At
    dice: Mapping[Seat, int]


@value
class Uncover:
    """Show some dice under cups, named by their places (0 is the first die of the last roll)."""

    dice: Mapping[Seat, tuple[int, ...]]


@value
class OpenRoll:
    """Roll ``count`` dice with ``sides`` sides (faces 0 to ``sides`` - 1) in front of everybody.

    ``sides`` is at most 2**16.
    """

    at: At
    count: int
    sides: int


@value
class Shuffle:
    """Shuffle each pile by itself; afterwards nobody knows the order."""

    at: At
    piles: Mapping[str, Sequence[Card]]


@value
class Mix:
    """``seat`` mixes piles whose faces it knows, so that only it can say what went where."""

    at: At
    seat: Seat
    piles: Mapping[str, Sequence[Card]]


@value
class Deal:
    """Let ``seat`` alone learn the faces of ``cards``."""

    cards: Sequence[Card]
    seat: Seat


@value
class Show:
    """Let everybody learn the faces of ``cards``."""

    cards: Sequence[Card]


@value
class Round:
    """Round ``number`` (from 1) begins; the table's state alone determines what follows."""

    number: int


@value
class Refuted:
    """A card that was shown is not what ``seat`` had answered: its program is modified.

    It did so in its ``last`` answer, or else in any one of the game: whoever has answered for the
    seat knew the card. The rules go on as if the claim had not been made (``rule``).
    """

    seat: Seat
    rule: str
    last: bool = True


Request: TypeAlias = (
    Choose | Roll | Uncover | OpenRoll | Shuffle | Mix | Deal | Show | Round | Refuted
)

T = TypeVar("T")
Rules: TypeAlias = Generator[Request, Any, T]
"""A piece of rules: a coroutine over requests whose answers depend on the request."""
