"""What a dialogue is made of: steps with options to pick, and the words of all that is shown."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from lanplay.engine.frozen import frozen

Answer: TypeAlias = "int | tuple[Answer, ...] | None"
"""An answer is plain data, so that it can be sealed, sent, hashed and recorded as it is."""


@frozen
class Phrase:
    """Text to be: an id and values, worded in the reader's language where it is shown."""

    id: str
    values: Mapping[str, Any] = field(default_factory=dict)


class Illegal(Exception):
    """An answer that the rules refuse.

    ``rule`` is the number of the rule, ``message`` the reason.
    """

    def __init__(self, rule: str, reason: str, **values: Any) -> None:
        super().__init__(rule, reason)
        self.rule = rule
        self.message = Phrase(reason, values)

    def __str__(self) -> str:  # not made beforehand: most are never read
        return f"{self.rule}: {self.message.id} {self.message.values or ''}".rstrip()


@frozen
class Option:
    """One thing to pick: its value, its wording, and why it cannot be picked now (if so)."""

    value: Answer
    label: Phrase
    why_not: Illegal | None = None


class WordedLater(Sequence[Option]):
    """Options that are put in words once these are read: programs need the ``values`` alone.

    ``word`` may ask for nothing that changes while a step is kept.
    """

    __slots__ = ("_options", "_word", "values")

    def __init__(self, values: Sequence[Answer], word: Callable[[Any], Phrase]) -> None:
        self.values = values
        self._word = word
        self._options: list[Option] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: Any) -> Any:
        if self._options is None:
            self._options = [Option(value, self._word(value)) for value in self.values]
        return self._options[place]


class _Step:
    """Base of the steps of a dialogue; what can be picked is found once, as many are kept."""

    __slots__ = ("_legal",)

    _legal: Sequence[Answer]
    options: Sequence[Option]

    def legal(self) -> Sequence[Answer]:
        """Return the values of the options that can be picked now, in their order."""
        found: Sequence[Answer] | None = getattr(self, "_legal", None)
        if found is None:
            options = self.options
            if type(options) is WordedLater:
                found = options.values
            else:
                found = [each.value for each in options if each.why_not is None]
            self._legal = found
        return found


@frozen
class Pick(_Step):
    """Pick exactly one option; its value is sent back.

    ``asks`` is what is asked here where the question as a whole asks for something else.
    """

    prompt: Phrase
    options: Sequence[Option]
    asks: Phrase | None = None


@frozen
class PickSome(_Step):
    """Pick ``at_least`` to ``at_most`` options in an order that may matter; a tuple is sent back.

    ``why_not`` judges a whole selection, ``note`` says what it would mean (its price, say).
    ``asks`` is that of ``Pick``.
    """

    prompt: Phrase
    options: Sequence[Option]
    at_least: int
    at_most: int
    why_not: Callable[[tuple[Answer, ...]], Illegal | None] = lambda _: None
    note: Callable[[tuple[Answer, ...]], Phrase | None] = lambda _: None
    asks: Phrase | None = None


Dialogue: TypeAlias = Generator[Pick | PickSome, Any, Answer]
"""How a question is answered step by step: yields picks, returns the answer."""
