"""Sentences that are told: an id with values, worded in the reader's language where it is shown.

``Sayings`` are enumerations of sentences in English; the catalogs find them there.
``Saying.of(**values)`` is a ``Told``: a string, in English, so that it can be logged, compared and
passed on as text; and ``worded`` gives it back in the language of the process. What crosses the
network is the name of a saying with its values (``lanplay_protocol.reasons``), so that each laptop
shows its own language.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from lanplay.language import Plural, _, filled

NOUNS: Mapping[str, Plural] = {
    "bots": Plural("{count} bot", "{count} bots"),
    "cards": Plural("{count} card", "{count} cards"),
    "guests": Plural("{count} guest", "{count} guests"),
    "people": Plural("{count} person", "{count} people"),
    "seats": Plural("{count} seat", "{count} seats"),
    "seconds": Plural("{count} second", "{count} seconds"),
}
"""What a sentence may count: ``{seats:seats}`` is ``4 seats``."""


class Sayings(Enum):
    """What can be told: each member's value is its sentences, in their order."""

    value: tuple[str, ...]

    def of(self, **values: object) -> Told:
        """Return it with its values: text, whole numbers, or what was told itself."""
        return Told(self, values)

    @property
    def fields(self) -> frozenset[str]:
        """The names of the values that it needs."""
        parsed = string.Formatter().parse(" ".join(self.value))
        return frozenset(name for _text, name, _noun, _how in parsed if name)

    def text(self, values: Mapping[str, object], translate: Callable[[str], str] = _) -> str:
        """Return the sentences in the language of the process, or as ``translate`` has them."""
        inner = {key: _inner(value, translate) for key, value in values.items()}
        return " ".join(filled(translate(each), inner, NOUNS) for each in self.value)

    def cause(self, values: Mapping[str, object], translate: Callable[[str], str] = _) -> str:
        """Return the first of its sentences without the full stop, to stand in another one."""
        inner = {key: _inner(value, translate) for key, value in values.items()}
        return filled(translate(self.value[0]), inner, NOUNS).removesuffix(".")


def _inner(value: object, translate: Callable[[str], str]) -> object:
    if isinstance(value, Told):
        return value.word(translate)
    return harmless(value) if isinstance(value, str) else value


def harmless(text: str) -> str:
    """Return text from a file, a record or a peer as it may be printed anywhere.

    What does not show (control characters, letters that turn the direction) is spelled out.
    """
    return "".join(letter if _shows(letter) else ascii(letter)[1:-1] for letter in text)


def _shows(letter: str) -> bool:
    return letter.isprintable() or (letter.isspace() and letter > "\x9f")


class Told(str):
    """A saying with its values; as a string it is English."""

    __slots__ = ("brief", "saying", "values")

    saying: Sayings
    values: Mapping[str, object]
    brief: bool

    def __new__(cls, saying: Sayings, values: Mapping[str, object], brief: bool = False) -> Told:
        told = super().__new__(cls, (saying.cause if brief else saying.text)(values, str))
        told.saying, told.values, told.brief = saying, values, brief
        return told

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.saying, self.values, self.brief

    def word(self, translate: Callable[[str], str] = _) -> str:
        """Return it in the language of the process, or as ``translate`` has its sentences."""
        return (self.saying.cause if self.brief else self.saying.text)(self.values, translate)


def worded(text: str) -> str:
    """Return what was told in the language of the process; any other text as it is."""
    return text.word() if isinstance(text, Told) else text


def briefly(text: str) -> str:
    """Return what was told without what to do about it, to stand in another sentence."""
    return Told(text.saying, text.values, brief=True) if isinstance(text, Told) else text
