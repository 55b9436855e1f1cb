"""Questions carry what is legal, so that screens, bots, fuzzers and the referee share one truth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from lanplay.engine.plain import Plain
from lanplay.engine.value import Value

if TYPE_CHECKING:
    from lanplay.engine.view import View

Answer: TypeAlias = "int | tuple[Answer, ...] | None"
"""An answer is plain data, so that it can be sealed, sent, hashed and recorded as it is."""


class Message(Value):
    """Text to be: an id and values, worded in the reader's language where it is shown."""

    __slots__: Final = ("id", "values")

    def __init__(self, id: str, values: Mapping[str, Any] | None = None) -> None:
        self.id: Final = id
        self.values: Final[Mapping[str, Any]] = {} if values is None else values


class Illegal(Exception):
    """An answer that the rules refuse.

    ``rule`` is the number of the rule, ``message`` the reason.
    """

    def __init__(self, rule: str, reason: str, **values: Any) -> None:
        super().__init__(f"{rule}: {reason} {values or ''}".rstrip())
        self.rule = rule
        self.message = Message(reason, values)


class Option(Value):
    """One thing to pick: its value, its wording, and why it cannot be picked now (if so)."""

    __slots__: Final = ("label", "value", "why_not")

    def __init__(self, value: Answer, label: Message, why_not: Illegal | None = None) -> None:
        self.value: Final = value
        self.label: Final = label
        self.why_not: Final = why_not


class _Step:
    """Base of the steps of a dialogue; what can be picked is found once, as many are kept."""

    __slots__ = ("_legal",)

    _legal: Sequence[Answer]
    options: Sequence[Option]

    def legal(self) -> Sequence[Answer]:
        """Return the values of the options that can be picked now, in their order."""
        found: Sequence[Answer] | None = getattr(self, "_legal", None)
        if found is None:
            found = self._legal = [each.value for each in self.options if each.why_not is None]
        return found


class Pick(_Step):
    """Pick exactly one option; its value is sent back."""

    __slots__: Final = ("options", "prompt")

    def __init__(self, prompt: Message, options: Sequence[Option]) -> None:
        self.prompt: Final = prompt
        self.options = options


class PickSome(_Step):
    """Pick ``at_least`` to ``at_most`` options in an order that may matter; a tuple is sent back.

    ``why_not`` judges a whole selection, ``note`` says what it would mean (its price, say).
    """

    __slots__: Final = ("at_least", "at_most", "note", "options", "prompt", "why_not")

    def __init__(
        self,
        prompt: Message,
        options: Sequence[Option],
        at_least: int,
        at_most: int,
        why_not: Callable[[tuple[Answer, ...]], Illegal | None] = lambda _: None,
        note: Callable[[tuple[Answer, ...]], Message | None] = lambda _: None,
    ) -> None:
        self.prompt: Final = prompt
        self.options = options
        self.at_least: Final = at_least
        self.at_most: Final = at_most
        self.why_not: Final = why_not
        self.note: Final = note


Dialogue: TypeAlias = Generator[Pick | PickSome, Any, Answer]
"""How a question is answered step by step: yields picks, returns the answer."""


class Question(ABC):
    """What a seat is asked. Subclasses are frozen values, one class per kind of question.

    The public half of legality is ``check``: every replica runs it on what it can see. The private
    half is ``check_own``: only the seat's own peer can run it; what is shown next proves it.
    """

    __slots__ = ()

    name: ClassVar[str]
    """Message id of the question."""
    rule: ClassVar[str]
    """Number of the rule that asks it."""

    @abstractmethod
    def check(self, answer: Answer) -> None:
        """Raise ``Illegal`` unless ``answer`` is legal as far as everybody can tell.

        Takes any value whatever: it may come from a modified program.
        """

    def check_own(self, answer: Answer, view: View[Any]) -> None:  # noqa: B027  # most have no half
        """Raise ``Illegal`` if ``answer``, which passed ``check``, misstates own faces."""

    @abstractmethod
    def dialogue(self, view: View[Any]) -> Dialogue:
        """Return the steps that lead to a legal answer; every path ends in one."""

    def sole(self, view: View[Any]) -> tuple[Answer] | None:
        """Return the only legal answer, wrapped in a tuple, or ``None`` when there is a choice.

        A client whose seat has no choice answers by itself.
        """
        found: list[Answer] = []
        for answer in answers(self, view):
            found.append(answer)
            if len(found) > 1:
                return None
        return (found[0],)

    def passing(self) -> tuple[Answer] | None:
        """Return the answer that lets a reaction window pass, wrapped in a tuple.

        ``None`` for all other questions. A window asks seats of which nobody else can tell whether
        they could do anything; where people play, the time of its answers must not tell it either.
        """
        return None

    def weighty(self, answer: Answer) -> bool:
        """Tell whether a person should look once more at an answer, though one step gives it.

        That is so where it uses up for good what there is once, or gives a lot away: not where one
        of many alike is picked. ``answer`` has passed ``check``.
        """
        return False

    def shows(self, answer: Answer) -> tuple[int, ...]:
        """Return the places of the dice under the seat's cup that ``answer`` shows to all."""
        return ()

    def values(self) -> dict[str, Any]:
        """Return the values for the wording of the question."""
        return {}


def choices(step: Pick | PickSome) -> Iterator[Answer]:
    """Yield everything that may be picked at one step of a dialogue, subsets in option order."""
    legal = step.legal()
    if isinstance(step, Pick):
        yield from legal
        return
    for mask in range(1 << len(legal)):
        chosen = tuple(value for place, value in enumerate(legal) if mask >> place & 1)
        if step.at_least <= len(chosen) <= step.at_most and step.why_not(chosen) is None:
            yield chosen


def answers(question: Question, view: View[Any]) -> Iterator[Answer]:
    """Yield every answer that the question's dialogue can reach, in a fixed order, lazily."""
    yield from _answers(question, view, ())


def _answers(question: Question, view: View[Any], path: tuple[Answer, ...]) -> Iterator[Answer]:
    step = _follow(question.dialogue(view), path)
    if isinstance(step, tuple):
        yield step[0]
        return
    for choice in choices(step):
        yield from _answers(question, view, (*path, choice))


def _follow(dialogue: Dialogue, path: tuple[Answer, ...]) -> Pick | PickSome | tuple[Answer]:
    try:
        step = next(dialogue)
        for choice in path:
            step = dialogue.send(choice)
    except StopIteration as end:
        return (end.value,)
    return step


def is_plain_answer(value: Plain) -> bool:
    """Tell whether ``value`` has the shape of an answer (None, ints and tuples, 4 levels deep)."""
    return _is_answer(value, 4)


def _is_answer(value: object, depth: int) -> bool:
    if value is None or type(value) is int:
        return True
    return depth > 0 and type(value) is tuple and all(_is_answer(v, depth - 1) for v in value)
