"""Sentences that are told: an id with values, worded in the reader's language where it is shown.

``Sayings`` are enumerations of sentences in English; the catalogs find them there.
``Saying.of(**values)`` is a ``Told``: a string, in English, so that it can be logged, compared and
passed on as text; and ``worded`` gives it back in the language of the process. What crosses the
network is the name of a saying with its values (``lanplay_protocol.reasons``), so that each laptop
shows its own language. A command that its reader can give is no value: ``{go:command}`` is its key,
button or word, whichever is at hand where it is shown (``Way``); a further sentence is left out
where it names one that its reader cannot give. One with a command of the shell, ``{lanplay
resume:shell}``, is told only where that can be typed, not inside the program; ``{path:typed}`` is a
value as a shell wants it. Where a sentence lists what is ``known``, the name
nearest to what was wanted, which the first sentence has in quotes (``'{game}'``), is suggested.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Final

from lanplay.language import N_, Plural, _, filled

NOUNS: Mapping[str, Plural] = {
    "bots": Plural("{count} bot", "{count} bots"),
    "cards": Plural("{count} card", "{count} cards"),
    "people": Plural("{count} person", "{count} people"),
    "seats": Plural("{count} seat", "{count} seats"),
    "seconds": Plural("{count} second", "{count} seconds"),
}
"""What a sentence may count: ``{seats:seats}`` is ``4 seats``."""
COMMAND, SHELL, TYPED = "command", "shell", "typed"
MEANT: Final = N_("Did you mean {near}?")
Way = Callable[[str], str]
"""Returns how the person gives a command: its key, its button, or (``str``) what is typed; empty
where its person cannot."""


def inside(command: str) -> str:
    """Return a command as it is: the way inside the program, where no command has a key."""
    return command


class _Given(str):
    """A command in a sentence, as its person gives it."""

    __slots__ = ()

    def __format__(self, noun: str) -> str:
        return str(self)


class _Typed(str):
    """A value that stands in a command, too: there it is quoted if it must be."""

    __slots__ = ()

    def __format__(self, noun: str) -> str:
        from lanplay.extras import command_line

        return command_line(self) if noun == TYPED else str(self)


class Sayings(Enum):
    """What can be told: each member's value is its sentences, in their order."""

    value: tuple[str, ...]

    def of(self, **values: object) -> Told:
        """Return it with its values: text, whole numbers, or what was told itself."""
        return Told(self, values)

    @property
    def fields(self) -> frozenset[str]:
        """The names of the values that it needs."""
        return frozenset(name for name, noun in self._named() if noun not in (COMMAND, SHELL))

    @property
    def counted(self) -> frozenset[str]:
        """The names of those values that it counts: whole numbers, and nothing else."""
        return frozenset(name for name, noun in self._named() if noun in NOUNS)

    def _named(self) -> Iterator[tuple[str, str | None]]:
        parsed = string.Formatter().parse(" ".join(self.value))
        return ((name, noun) for _text, name, noun, _how in parsed if name)

    def text(
        self,
        values: Mapping[str, object],
        translate: Callable[[str], str] = _,
        way: Way = str,
        brief: bool = False,
    ) -> str:
        """Return the sentences in the language of the process, or as ``translate`` has them.

        ``brief``: only the first, without the full stop, to stand in another one.
        """
        ways: dict[str | None, Way] = {COMMAND: way, SHELL: str}
        named = [*self._named()]
        given: dict[str, str] = {
            name: _Given(ways[noun](name)) for name, noun in named if noun in ways
        }
        given |= {n: _Typed(harmless(str(values[n]))) for n, noun in named if noun == TYPED}
        inner = {key: _inner(value, translate, way) for key, value in values.items()} | given
        heard = [each for each in self.value if way is str or f":{SHELL}}}" not in each]
        useless = [f"{{{name}:{COMMAND}}}" for name, told in given.items() if not told]
        heard[1:] = [each for each in heard[1:] if not any(one in each for one in useless)]
        told = [filled(translate(each), inner, NOUNS) for each in heard]
        if (wanted := re.search(r"'\{(\w+)\}'", self.value[0])) and "known" in values:
            names = [each.partition(" (")[0] for each in str(values["known"]).split(", ")]
            told[1:1] = filter(None, [meant(str(values[wanted[1]]), names, translate)])
        told = [re.sub("([.!?][“”])[.]", r"\1", each) for each in told]  # it ends with a quotation
        return told[0].removesuffix(".") if brief else " ".join(told)


def _inner(value: object, translate: Callable[[str], str], way: Way) -> object:
    if isinstance(value, Told):
        return value.word(translate, way)
    return harmless(value) if isinstance(value, str) else value


def meant(word: str, known: Iterable[str], translate: Callable[[str], str] = _) -> str:
    """Return a question that suggests the known name nearest to ``word``; "" if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1)
    return translate(MEANT).format(near=harmless(near[0])) if near and near[0] != word else ""


def suggesting(text: str, word: str, known: Iterable[str]) -> str:
    """Return a text on a ``word`` that is not known, with what was probably meant."""
    near = meant(word, known)
    return f"{text.removesuffix('.')}. {near}" if near else text


def harmless(text: str) -> str:
    """Return text from a file, a record or a peer as it may be printed anywhere.

    What does not show (control characters, letters that turn the direction) is spelled out.
    """
    return "".join(
        each if each.isprintable() or (each.isspace() and each > "\x9f") else ascii(each)[1:-1]
        for each in text
    )


class Told(str):
    """A saying with its values; as a string it is English."""

    __slots__ = ("brief", "saying", "values")

    saying: Sayings
    values: Mapping[str, object]
    brief: bool

    def __new__(cls, saying: Sayings, values: Mapping[str, object], brief: bool = False) -> Told:
        told = super().__new__(cls, saying.text(values, str, brief=brief))
        told.saying, told.values, told.brief = saying, values, brief
        return told

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.saying, self.values, self.brief

    def word(self, translate: Callable[[str], str] = _, way: Way = str) -> str:
        """Return it in the language of the process, or as ``translate`` has its sentences."""
        return self.saying.text(self.values, translate, way, self.brief)


def worded(text: str, way: Way = str) -> str:
    """Return what was told in the language of the process; any other text as it is.

    ``way`` says how its reader gives commands; without it they are typed in a shell.
    """
    return text.word(_, way) if isinstance(text, Told) else text


def briefly(text: str) -> str:
    """Return what was told without what to do about it, to stand in another sentence."""
    return Told(text.saying, text.values, brief=True) if isinstance(text, Told) else text
