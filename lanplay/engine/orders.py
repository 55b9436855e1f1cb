"""Standing orders: what a person wants done with a card that reacts, so that nobody waits for it.

Orders live in the program of whoever gave them and are sent to nobody. A question that opens a
window says what a seat could do there (``Reaction``); ``decide`` says whether an order does it.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, ClassVar, Final

from lanplay.engine.dialogue import Answer, Dialogue, Illegal, Phrase
from lanplay.engine.frozen import frozen
from lanplay.engine.question import Question
from lanplay.engine.view import View


class WindowPace(Enum):
    """How long a window stays open for those who have nothing to decide there."""

    BEAT = "beat"
    """For a moment that is always the same: orders answer, nobody is asked."""
    LOOK = "look"
    """Long enough to see what happened; who could react and ordered nothing is asked."""


class Mode(Enum):
    """What an order says; the values are what is kept of it between games."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"
    FROM = "from"
    """Where at least ``Order.amount`` is at stake."""
    AGAINST = "against"
    """Where it hits one of ``Order.seats``."""
    OWN = "own"
    """Where it concerns the seat itself."""


@frozen
class Order:
    """A standing order for one kind of card."""

    mode: Mode
    amount: int = 0
    seats: tuple[int, ...] = ()


@frozen
class Reaction:
    """What a seat could do in a window with one kind of card: ``answer`` does it.

    ``stake`` is how much it would bring, in the card's own unit; ``against`` the seats it would
    hit; ``own``: it concerns the seat itself.
    """

    card: str
    answer: Answer
    stake: int = 0
    against: tuple[int, ...] = ()
    own: bool = False


@frozen
class OrderForm:
    """What an order for one kind of card may say: its modes, and the amounts of ``FROM``.

    ``default`` holds until its owner orders something else.
    """

    card: str
    modes: tuple[Mode, ...]
    default: Order
    amounts: tuple[int, ...] = ()

    def orders(self, others: tuple[int, ...]) -> list[Order]:
        """Return every order that can be given; ``others`` are the seats of the other players."""
        found = []
        for mode in self.modes:
            if mode is Mode.FROM:
                found += [Order(mode, amount) for amount in self.amounts]
            elif mode is Mode.AGAINST:
                found += [Order(mode, 0, (seat,)) for seat in others]
            else:
                found.append(Order(mode))
        return found


@frozen
class OrderBook:
    """The orders that a game knows: ``forms`` by the kind of card, in the order of the cards.

    ``held`` returns the kinds of which a seat holds a card. The words are the game's, as
    phrases: what a card is called (``name``), what it does, in at most 60 characters (``effect``),
    and what an order says (``says``).
    """

    forms: Mapping[str, OrderForm]
    held: Callable[[View[Any]], tuple[str, ...]]
    name: Callable[[str], Phrase]
    effect: Callable[[str], Phrase]
    says: Callable[[str, Order], Phrase]


def decide(order: Order, reaction: Reaction) -> bool | None:
    """Return whether an order plays the card in this window; ``None`` where it is to be asked."""
    match order.mode:
        case Mode.ASK:
            return None
        case Mode.ALWAYS:
            return True
        case Mode.NEVER:
            return False
        case Mode.FROM:
            return reaction.stake >= order.amount
        case Mode.AGAINST:
            return any(seat in order.seats for seat in reaction.against)
        case Mode.OWN:
            return reaction.own
    raise AssertionError("unreachable: every mode is above")


class ReactionQuestion(Question, ABC):
    """Base of questions that open a window, in which orders can answer."""

    __slots__ = ()

    @property
    def pace(self) -> WindowPace:
        """How long the window stays open."""
        return WindowPace.LOOK

    def reactions(self, view: View[Any]) -> tuple[Reaction, ...]:
        """Return what the seat could do here, what it would rather do first."""
        return ()

    def ahead(self, view: View[Any], answer: Answer) -> tuple[ReactionQuestion, ...]:
        """Return what the seat may be asked at the beat before the next look, if it answers so.

        Only what it could do something about. They are asked along with this question, so that
        nobody waits again: the answers become orders until then.
        """
        return ()


class Foreseen(Question):
    """A window's question together with those that lie ahead; known to one program alone.

    Its answer is (answer to ``first``, the answers to what lies ahead). ``given`` is the answer to
    the first, wrapped in a tuple, where an order or the rules have given it; of what lies ahead it
    asks what is about ``cards``.
    """

    __slots__: Final = ("first", "cards", "given")

    needs_cup: ClassVar[bool] = False

    def __init__(
        self,
        first: ReactionQuestion,
        cards: tuple[str, ...],
        given: tuple[Answer] | None = None,
    ) -> None:
        self.first: Final = first
        self.cards: Final = cards
        self.given: Final = given

    @property
    def name(self) -> str:  # type: ignore[override]  # it is asked in the words of the first
        return self.first.name

    @property
    def rule(self) -> str:  # type: ignore[override]  # likewise
        return self.first.rule

    def later(self, view: View[Any], answer: Answer) -> list[ReactionQuestion]:
        """Return the questions ahead that are asked with the first."""
        return [
            each
            for each in self.first.ahead(view, answer)
            if any(reaction.card in self.cards for reaction in each.reactions(view))
        ]

    def check(self, answer: Answer) -> None:
        if type(answer) is not tuple or len(answer) != 2 or type(answer[1]) is not tuple:
            raise Illegal(self.rule, "malformed")
        self.first.check(answer[0])

    def check_own(self, answer: Answer, view: View[Any]) -> None:
        first, rest = parted(answer)
        self.first.check_own(first, view)
        later = self.later(view, first)
        if len(later) != len(rest):
            raise Illegal(self.rule, "malformed")
        for question, each in zip(later, rest, strict=True):
            question.check(each)
            question.check_own(each, view)

    def dialogue(self, view: View[Any]) -> Dialogue:
        first = self.given[0] if self.given else (yield from self.first.dialogue(view))
        rest: list[Answer] = []
        for question in self.later(view, first):
            answer = yield from question.dialogue(view)
            rest += [answer]
        return first, tuple(rest)

    def path(self, view: View[Any], answer: Answer) -> tuple[Answer, ...]:
        first, rest = parted(answer)
        found = [] if self.given else list(self.first.path(view, first))
        for question, each in zip(self.later(view, first), rest, strict=True):
            found += question.path(view, each)
        return tuple(found)

    def pass_answer(self) -> tuple[Answer] | None:
        passed = self.given or self.first.pass_answer()
        return None if passed is None else ((passed[0], ()),)

    def needs_confirmation(self, answer: Answer) -> bool:
        return self.first.needs_confirmation(parted(answer)[0])

    def values(self) -> dict[str, Any]:
        return self.first.values()


def parted(answer: Answer) -> tuple[Answer, tuple[Answer, ...]]:
    """Return the two parts of a checked answer to ``Foreseen``."""
    first, rest = answer  # type: ignore[misc]  # ``Foreseen.check`` has seen it
    return first, rest  # type: ignore[return-value]  # likewise
