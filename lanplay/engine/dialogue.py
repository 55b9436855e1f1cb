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
        super().__init__(f"{rule}: {reason} {values or ''}".rstrip())
        self.rule = rule
        self.message = Phrase(reason, values)


@frozen
class Option:
    """One thing to pick: its value, its wording, and why it cannot be picked now (if so)."""

    value: Answer
    label: Phrase
    why_not: Illegal | None = None


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
