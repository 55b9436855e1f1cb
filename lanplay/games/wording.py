"""How a game's messages become sentences in the reader's language.

A game has one ``Wording`` in its module ``text``: a template in English for each message id of its
rules and questions, and how each value of a message is shown. A template names the values in
braces. A number is shown with its noun, in the form that the language wants after it, where the
template names the noun after a colon. Ours stand in a file ``words.toml`` beside ``text``::

    [nouns]
    nuggets = ["{count} nugget", "{count} nuggets"]
    [events]
    mine = "Gold Mine: {seat} takes {nuggets:nuggets}."

and ``text`` has::

    TEXTS = texts_of(__name__)
    WORDING = Wording(TEXTS.templates, TEXTS.nouns, {"card": card_name})
    word = WORDING.word

A sentence is written so that what stands in for a value never needs declension: names and places
as its subject or after a colon, and no article, ending or pronoun that depends on them. A noun has
a form that stands alone ("1 card") and one that a verb takes; see ``lanplay.language``. One id is
one sentence; it is never put together from others.

Where there is nothing to name, some sentences are others ("keeps nothing"): the template of
``ID/none``, or else ``ID/only``, is taken where all that it leaves out is nothing (0, empty).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import starmap
from pkgutil import get_data
from string import Formatter
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from lanplay.engine.manifest import GameManifest, Narrator, Summary, TableOption, Words
from lanplay.engine.question import Answer, Phrase, Question
from lanplay.engine.view import View
from lanplay.errors import Mistake
from lanplay.games import OWN, manifest
from lanplay.language import Plural, _, filled

TEMPLATES: Final = ("same", "events", "questions", "prompts", "options", "reasons")
"""The tables of ``words.toml`` that have templates; those of ``same`` are not translated."""
NONE: Final = ("/none", "/only")
"""End the ids of the templates for a message that has nothing to name, or less."""
Shown: TypeAlias = Callable[[Any, Sequence[str]], str]
"""How a value is shown, given the names of the seats."""


def seat_name(seat: int, names: Sequence[str]) -> str:
    """Show a seat by its name."""
    return names[seat]


def seat_names(seats: Sequence[int], names: Sequence[str]) -> str:
    """Show several seats by their names, in their order."""
    return ", ".join(names[seat] for seat in seats)


SEATS: Final[Mapping[str, Shown]] = {"seat": seat_name, "other": seat_name, "seats": seat_names}
"""How values of these names are shown in every game that does not show them otherwise."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of one game: a template per message id, nouns to count, how values are shown.

    ``shown`` is keyed by the name of the value; beside ``SEATS``, numbers and text not named there
    are shown as they are.
    """

    templates: Mapping[str, str]
    nouns: Mapping[str, Plural] = field(default_factory=dict)
    shown: Mapping[str, Shown] = field(default_factory=dict)

    def word(self, message: Phrase, names: Sequence[str]) -> str:
        """Return a message in the language of the process; ``KeyError`` for an unknown id."""
        values = {
            key: show(value, names) if (show := self.shown.get(key) or SEATS.get(key)) else value
            for key, value in message.values.items()
        }
        return filled(_(self._template(message)), values, self.nouns)

    def _template(self, message: Phrase) -> str:
        template = self.templates[message.id]
        others = (self.templates.get(message.id + end) for end in NONE)
        for other in filter(None, others):
            if not any(message.values[name] for name in _names(template) - _names(other)):
                return other
        return template


class Texts(NamedTuple):
    """What a ``words.toml`` says: templates by message id, nouns to count, and all else by name."""

    templates: Mapping[str, str]
    nouns: Mapping[str, Plural]
    more: Mapping[str, Any]


def texts_of(module: str) -> Texts:
    """Return what the ``words.toml`` beside a module says."""
    said = tomllib.loads((get_data(module, "words.toml") or b"").decode())
    templates = {id: text for name in TEMPLATES for id, text in said.get(name, {}).items()}
    nouns = said.get("nouns", {})
    return Texts(templates, dict(zip(nouns, starmap(Plural, nouns.values()), strict=True)), said)


@cache
def _names(template: str) -> set[str]:
    return {name for _text, name, _noun, _how in Formatter().parse(template) if name}


@dataclass(frozen=True, slots=True)
class _Forgiving:
    """The texts of another package's game: what it has no words for is told by its id."""

    words: Words

    def word(self, message: Phrase, names: Sequence[str]) -> str:
        """Return a phrase in words, or its id: what nobody can read ends no game."""
        try:
            return self.words.word(message, names)
        except Exception:
            return f"[{message.id}]"


def words_of(game: str) -> Words:
    """Return the texts of a game. Whoever looks for faults takes them from its manifest."""
    found = manifest(game).words.load()
    return found if game in OWN else _Forgiving(found)


@dataclass(frozen=True, slots=True)
class LookupPage:
    """Something to look up at a table: its name, what it tells (marked for translation), its lines.

    ``tell`` yields them for a view, the names of the seats, and the seat that is asked about.
    With ``of_seat`` that may be any.
    """

    name: str
    help: str
    tell: Callable[[View[Any], Sequence[str], int], Iterator[str]]
    of_seat: bool = False


@dataclass(frozen=True, slots=True)
class Title:
    """Something worth telling of a game that is over, such as its greatest robbery.

    ``told`` is marked for translation. Of the events called ``event`` it is the one with most of
    the value ``by``, or of several, ``"points bonus"``; without ``by`` it is whose they were most
    often.
    """

    told: str
    event: str
    by: str = ""


def titles_of(game: str) -> Sequence[Title]:
    """Return what is worth telling of games that are over: ``TITLES`` of the summary."""
    found: Sequence[Title] = getattr(summary_of(game), "TITLES", ())
    return found


def brought_by(game: str) -> Mapping[str, Collection[str]]:
    """Return by event that decides a game which events may have brought it: ``BROUGHT_BY``."""
    found: Mapping[str, Collection[str]] = getattr(summary_of(game), "BROUGHT_BY", {})
    return found


class LedBy(Protocol):
    """The summary of a game with a map, on which one can name where to go.

    The answers that lead there are given one after the other.
    """

    def led(self, view: View[Any], question: Question, text: str) -> tuple[Answer, ...]:
        """Return them for the place of a name; ``ValueError`` says why none lead there."""
        ...

    def goes_on(self, t: Any, question: Question, answer: Answer) -> bool:
        """Tell whether the next one is still what was meant."""
        ...


def leads_of(game: str) -> LedBy | None:
    """Return what leads to places of a game's map; ``None`` in games without one."""
    found: Any = summary_of(game)
    return found if hasattr(found, "led") else None


def pages_of(game: str) -> Sequence[LookupPage]:
    """Return what can be looked up in a game, beside its situation: ``PAGES`` of its summary."""
    found: Sequence[LookupPage] = getattr(summary_of(game), "PAGES", ())
    return found


def summary_of(game: str) -> Summary:
    """Return the summary of a game."""
    return manifest(game).summary.load()


class Plainly:
    """The narrator of a game that brings none: every event tells itself."""

    def tell(self, event: Phrase) -> Sequence[Phrase]:
        """Return the event."""
        return [event]

    def closing(self, table: Any) -> Sequence[Phrase]:
        """Return nothing."""
        return ()


def narrator_of(game: str) -> Narrator:
    """Return a new narrator, for one game."""
    found = manifest(game).narrator
    return Plainly() if found is None else found.load()()


def narrated(game: str, events: Sequence[Phrase]) -> list[Phrase]:
    """Return all that is told of a game's events, from its first one on."""
    narrator = narrator_of(game)
    return [told for event in events for told in narrator.tell(event)]


def closing(game: str, table: Any, names: Sequence[str]) -> list[str]:
    """Return in words what there is to see on the table of a game that is over."""
    told = narrator_of(game).closing(table)
    return [words_of(game).word(each, names) for each in told]


def option_name(game: str, option: str) -> str:
    """Return what a table option is called; its name where the game has no words for it."""
    found = _option(game, option)
    return _(found.title) if found is not None else option


def option_value(game: str, option: str, value: str) -> str:
    """Return a value of a table option in words; the value where the game has none for it."""
    found = _option(game, option)
    return _(found.values.get(value, value)) if found is not None else value


def game_title(game: str) -> str:
    """Return what a game is called; its name if this program does not have it."""
    found = _manifest(game)
    return game if found is None else _(found.title)


def game_named(game: str) -> str:
    """Return a game's name, which is what is typed, and behind it what the game is called."""
    return f"{game} ({game_title(game)})"


def _option(game: str, option: str) -> TableOption | None:
    found = _manifest(game)
    named = {each.name: each for each in found.options} if found is not None else {}
    return named.get(option)


def _manifest(game: str) -> GameManifest | None:
    """Return the manifest of a game; ``None`` for one that another program names."""
    try:
        return manifest(game)
    except Mistake:
        return None
