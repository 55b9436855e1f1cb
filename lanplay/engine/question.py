"""Questions carry what is legal, so that screens, bots, fuzzers and the referee share one truth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from lanplay.engine.dialogue import (
    Answer,
    Dialogue,
    Illegal,
    Option,
    Phrase,
    Pick,
    PickSome,
    WordedLater,
)
from lanplay.engine.fast_value import FastValue
from lanplay.engine.plain import Plain

if TYPE_CHECKING:
    from lanplay.engine.view import View

__all__ = [
    "Answer",
    "ChoiceQuestion",
    "Dialogue",
    "Illegal",
    "Option",
    "Phrase",
    "Pick",
    "PickSome",
    "Question",
    "WordedLater",
    "answers",
    "choices",
    "is_plain_answer",
    "picked",
]

Message = Phrase  # old name


class Question(FastValue, ABC):
    """What a seat is asked. Subclasses are frozen values, one class per kind of question.

    The public half of legality is ``check``: every replica runs it on what it can see. The private
    half is ``check_own``: only the seat's own peer can run it; what is shown next proves it.

    A class that has a ``name`` states ``needs_cup`` beside it, and one whose answers show dice
    states that it needs them: ``TypeError`` for a class that does not.
    """

    __slots__ = ()

    name: ClassVar[str]
    """Message id of the question."""
    rule: ClassVar[str]
    """Number of the rule that asks it."""
    needs_cup: ClassVar[bool]
    """Whether an answer hangs on the dice under the seat's cup.

    Whoever takes the seat over is told of them before it is asked such a question, and only then.
    Where hands stay sealed it is not: the cup in its view is empty, and the dialogue leads to a
    legal answer all the same, to ``unseen_answer`` where there is one.
    """

    whole_turn: ClassVar[bool] = False
    """Whether an answer is a tuple of all picks of a turn, so that one decision counts as many."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in vars(cls) and "needs_cup" not in vars(cls):
            raise TypeError(f"the question {cls.__name__} does not state needs_cup")
        if cls.reveals is not Question.reveals and not getattr(cls, "needs_cup", True):
            raise TypeError(f"the question {cls.__name__} shows dice that it does not need")

    @abstractmethod
    def check(self, answer: Answer) -> None:
        """Raise ``Illegal`` unless ``answer`` is legal as far as everybody can tell.

        Takes any value whatever: it may come from a modified program.
        """

    def check_own(self, answer: Answer, view: View[Any]) -> None:  # most have no half
        """Raise ``Illegal`` if ``answer``, which passed ``check``, misstates own faces."""

    @abstractmethod
    def dialogue(self, view: View[Any]) -> Dialogue:
        """Return the steps that lead to a legal answer; every path ends in one."""

    def path(self, view: View[Any], answer: Answer) -> tuple[Answer, ...]:
        """Return what is picked at each step of the dialogue to give a legal answer.

        This is the answer itself where one option is picked, as in most questions.
        """
        return (answer,)

    def only_answer(self, view: View[Any]) -> tuple[Answer] | None:
        """Return the only legal answer, wrapped in a tuple, or ``None`` when there is a choice.

        A client whose seat has no choice answers by itself.
        """
        found: list[Answer] = []
        for answer in answers(self, view):
            found.append(answer)
            if len(found) > 1:
                return None
        return (found[0],)

    def pass_answer(self) -> tuple[Answer] | None:
        """Return the answer that lets a reaction window pass, wrapped in a tuple.

        ``None`` for all other questions. A window asks seats of which nobody else can tell whether
        they could do anything; where people play, the time of its answers must not tell it either.
        """
        return None

    def unseen_answer(self) -> tuple[Answer] | None:
        """Return the answer of whoever may not see the dice under the cup, wrapped in a tuple.

        ``None`` where it may name dice all the same, by their places. It follows from what all see.
        """
        return None

    def default_answer(self) -> tuple[Answer] | None:
        """Return the legal answer of a seat for which nobody decides, wrapped in a tuple.

        It follows from what all see. A game ``passes`` if all of its questions have one.
        """
        return None

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell whether a person should look once more at an answer, though one step gives it.

        That is so where it uses up for good what there is once, or gives a lot away: not where one
        of many alike is picked. ``answer`` has passed ``check``.
        """
        return False

    def reveals(self, answer: Answer) -> tuple[int, ...]:
        """Return the places of the dice under the seat's cup that ``answer`` shows to all."""
        return ()

    def values(self) -> dict[str, Any]:
        """Return the values for the wording of the question."""
        return {}

    # What bots of other packages call these for one release more.
    def sole(self, view: View[Any]) -> tuple[Answer] | None:  # old name
        return self.only_answer(view)

    def passing(self) -> tuple[Answer] | None:  # old name
        return self.pass_answer()

    def weighty(self, answer: Answer) -> bool:  # old name
        return self.needs_confirmation(answer)

    def shows(self, answer: Answer) -> tuple[int, ...]:  # old name
        return self.reveals(answer)


class ChoiceQuestion(Question):
    """Base of questions that leave a choice whatever the seat sees: none is answered by itself."""

    __slots__ = ()

    def only_answer(self, view: View[Any]) -> tuple[Answer] | None:
        """Return ``None``."""
        return None


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


def picked(
    question: Question, view: View[Any], answer: Answer
) -> list[tuple[Phrase, tuple[Option, ...]]]:
    """Return how a legal answer is given: the prompt of each step, and the options picked there."""
    return walked(question, view, question.path(view, answer))


def walked(
    question: Question, view: View[Any], path: Sequence[Answer]
) -> list[tuple[Phrase, tuple[Option, ...]]]:
    """Return the prompt of each step of a path of picks, and the options picked there."""
    found = []
    dialogue = question.dialogue(view)
    step = next(dialogue, None)
    for value in path:
        if step is None:
            break
        options = {option.value: option for option in step.options}
        chosen = value if isinstance(step, PickSome) else (value,)
        found.append((step.prompt, tuple(options[each] for each in chosen)))  # type: ignore[union-attr]  # a step that takes several has a tuple
        try:
            step = dialogue.send(value)
        except StopIteration:
            step = None
    return found


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
