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
``ClaimRefuted``    a seat has claimed what its cards do not show               ``None``
=============  ==========================================================  =====================

A card is a *handle*: a number that stands for a card whose face may be unknown. Shuffling and
mixing give new handles, so nothing known of the old ones carries over.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from lanplay.engine.fast_value import FastValue
from lanplay.engine.question import Answer, Question

Seat: TypeAlias = int
Card: TypeAlias = int
Face: TypeAlias = int
At: TypeAlias = tuple[int | str, ...]
"""The slot a piece of chance belongs to (round, step, …): used once in a game; no bools in it."""


class RequestVisitor:
    """Whoever finds the answers: one method for each kind of request (see the table above)."""

    def choose(self, request: Choose) -> dict[Seat, Answer]:
        raise NotImplementedError

    def roll(self, request: Roll) -> None:
        raise NotImplementedError

    def uncover(self, request: Uncover) -> dict[Seat, tuple[Face, ...]]:
        raise NotImplementedError

    def open_roll(self, request: OpenRoll) -> tuple[Face, ...]:
        raise NotImplementedError

    def shuffle(self, request: Shuffle) -> dict[str, list[Card]]:
        raise NotImplementedError

    def mix(self, request: Mix) -> dict[str, list[Card]]:
        raise NotImplementedError

    def deal(self, request: Deal) -> None:
        raise NotImplementedError

    def show(self, request: Show) -> tuple[Face, ...]:
        raise NotImplementedError

    def go_past(self, request: Round | ClaimRefuted) -> None:
        raise NotImplementedError


class Request(FastValue):
    """Base of all requests."""

    __slots__ = ()

    def accept(self, visitor: RequestVisitor) -> Any:
        """Return the answer that a driver finds."""
        raise NotImplementedError


class Choose(Request):
    """Seats answer their questions; with several, no answer is seen before all are given.

    ``prefetch`` names the chance slot that follows, when no further choice can come before it,
    whatever is answered: only then may its entropy travel with the answers.
    """

    __slots__: Final = ("questions", "prefetch")

    def __init__(self, questions: dict[Seat, Question], prefetch: At | None = None) -> None:
        self.questions: Final = questions
        self.prefetch: Final = prefetch

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.choose(self)


class Roll(Request):
    """Roll ``dice[seat]`` six-sided dice under the cup of each seat, replacing what lay there."""

    __slots__: Final = ("at", "dice")

    def __init__(self, at: At, dice: dict[Seat, int]) -> None:
        self.at: Final = at
        self.dice: Final = dice

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.roll(self)


class Uncover(Request):
    """Show some dice under cups, named by their places (0 is the first die of the last roll)."""

    __slots__: Final = ("dice",)

    def __init__(self, dice: dict[Seat, tuple[int, ...]]) -> None:
        self.dice: Final = dice

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.uncover(self)


class OpenRoll(Request):
    """Roll ``count`` dice with ``sides`` sides (faces 0 to ``sides`` - 1) in front of everybody.

    ``sides`` is at most 2**16.
    """

    __slots__: Final = ("at", "count", "sides")

    def __init__(self, at: At, count: int, sides: int) -> None:
        self.at: Final = at
        self.count: Final = count
        self.sides: Final = sides

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.open_roll(self)


class Shuffle(Request):
    """Shuffle each pile by itself; afterwards nobody knows the order."""

    __slots__: Final = ("at", "piles")

    def __init__(self, at: At, piles: dict[str, list[Card]]) -> None:
        self.at: Final = at
        self.piles: Final = piles

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.shuffle(self)


class Mix(Request):
    """``seat`` mixes piles whose faces it knows, so that only it can say what went where."""

    __slots__: Final = ("at", "seat", "piles")

    def __init__(self, at: At, seat: Seat, piles: dict[str, list[Card]]) -> None:
        self.at: Final = at
        self.seat: Final = seat
        self.piles: Final = piles

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.mix(self)


class Deal(Request):
    """Let ``seat`` alone learn the faces of ``cards``."""

    __slots__: Final = ("cards", "seat")

    def __init__(self, cards: Sequence[Card], seat: Seat) -> None:
        self.cards: Final = cards
        self.seat: Final = seat

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.deal(self)


class Show(Request):
    """Let everybody learn the faces of ``cards``."""

    __slots__: Final = ("cards",)

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards: Final = cards

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.show(self)


class Round(Request):
    """Round ``number`` (from 1) begins; the table's state alone determines what follows."""

    __slots__: Final = ("number",)

    def __init__(self, number: int) -> None:
        self.number: Final = number

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.go_past(self)


class ClaimRefuted(Request):
    """A card that was shown is not what ``seat`` had answered: its program is modified.

    It did so in its ``last`` answer, or else in any one of the game: whoever has answered for the
    seat knew the card. The rules go on as if the claim had not been made (``rule``).
    """

    __slots__: Final = ("seat", "rule", "last")

    def __init__(self, seat: Seat, rule: str, last: bool = True) -> None:
        self.seat: Final = seat
        self.rule: Final = rule
        self.last: Final = last

    def accept(self, visitor: RequestVisitor) -> Any:
        return visitor.go_past(self)


T = TypeVar("T")
Rules: TypeAlias = Generator[Request, Any, T]
"""A piece of rules: a coroutine over requests whose answers depend on the request."""
