"""The manifest of a game: one value that says all that the rest of the program needs of it.

Making one imports no rules, words or screens: it refers to them, and they are loaded when they are
first needed. A game of another package is found by its manifest (see ``lanplay.games``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from lanplay.engine.dialogue import Phrase
from lanplay.engine.orders import OrderBook
from lanplay.engine.rules import RuleSet
from lanplay.engine.view import View

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Ref(Generic[T]):
    """``module:attribute``, or a module: loaded when it is first needed.

    This is the only way from a game's name to its modules.
    """

    target: str

    def load(self) -> T:
        """Return what is referred to; whatever importing it raises is raised."""
        module, _, attribute = self.target.partition(":")
        found: Any = import_module(module)
        loaded: T = getattr(found, attribute) if attribute else found
        return loaded


class Words(Protocol):
    """The texts of a game, or of its bots' hints."""

    def word(self, message: Phrase, names: Sequence[str]) -> str:
        """Return a phrase in the language of the process; ``KeyError`` for an unknown id.

        ``names`` are those of the seats.
        """
        ...


class Summary(Protocol):
    """A game in lines of text, for interfaces without a board of its own."""

    def situation(self, view: View[Any], names: Sequence[str]) -> Iterator[str]:
        """Yield what a seat sees, a line each."""
        ...

    def weight(self, event: Phrase) -> float:
        """Return how much an event of the log has decided, in points; 0 for most.

        What a seat loses by it is negative.
        """
        ...


class Narrator(Protocol):
    """What happened in a game and why: sentences between the events of its log.

    One narrator follows one game, from its start or from wherever its log begins.
    """

    def tell(self, event: Phrase) -> Sequence[Phrase]:
        """Return what is told where an event is logged: it itself, and what explains it."""
        ...

    def closing(self, table: Any) -> Sequence[Phrase]:
        """Return what there is to see once a game is over, as all may see it then."""
        ...


@runtime_checkable
class Confiding(Protocol):
    """A narrator that tells a seat what it alone may know."""

    def confide(self, event: Phrase, view: View[Any]) -> Sequence[Phrase]:
        """Return what is told the seat of a view before an event that was logged just now."""
        ...


@dataclass(frozen=True, slots=True)
class TableOption:
    """A choice that is made for a whole table.

    ``title`` says what it is called, ``values`` what each of its values is; the first one is the
    default. The words are marked for translation.
    """

    name: str
    title: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Income:
    """Where the seats of a game get what they get.

    ``sources`` are the names of the sources, ``of`` returns for each of them, in that order, how
    much each seat got there in a finished game. ``heard`` names the events of the log that it
    reads: no others need be kept.
    """

    sources: Sequence[str]
    of: Callable[[Any], Sequence[Sequence[int]]]
    heard: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Challenges:
    """What can be met over several games.

    ``texts`` say what each asks for, in the order of their numbers from 1; ``parts`` how many parts
    those have that have several. ``met`` returns what a finished game meets: number and part.
    """

    texts: Sequence[str]
    parts: Mapping[int, int]
    met: Callable[[Any], Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Pages:
    """The rules of a game to be read: a page of Markdown in ``folder``, translations in ``cs/`` …

    ``prefix`` begins the numbers of its rules (``DT-2.3``). Without a folder it is among those of
    this program.
    """

    page: str
    prefix: str
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class GameManifest:
    """All that lanplay knows of a game.

    ``name`` is typed, announced and recorded; ``title`` is what people read. ``lessons`` are
    what it teaches (``lanplay.games.teaching``), ``narrator`` tells what happened and why.
    ``cards`` counts the cards of the game: at the start card ``c`` has the face ``c``, known to
    all. ``cup`` is the most dice that lie under one cup. ``hides``: a seat may hold what others
    do not see. ``passes``: all of its questions have a default answer. ``orders`` are what
    people may order of cards that react. ``same_rules`` are earlier fingerprints, in
    hexadecimal: of rules under which all games come to the same end. ``data`` names files of
    the rules' package that the rules read. ``env`` is what the game declares for programs that
    learn it (``lanplay.env.declared``). ``hints`` words the reasons that its bots give,
    ``values`` prices positions (``lanplay_ai.values``). ``locale`` is a folder of gettext
    catalogs, ``<language>/LC_MESSAGES/<name>.mo``, for games of other packages.
    """

    name: str
    title: str
    seats: range
    rules: Ref[RuleSet]
    words: Ref[Words]
    summary: Ref[Summary]
    lessons: Ref[Any] | None = None
    narrator: Ref[Callable[[], Narrator]] | None = None
    options: tuple[TableOption, ...] = ()
    bots: Ref[Mapping[str, Any]] | None = None
    hints: Ref[Words] | None = None
    values: Ref[Any] | None = None
    screen: Ref[Any] | None = None
    web: Ref[Any] | None = None
    challenges: Ref[Challenges] | None = None
    income: Ref[Income] | None = None
    env: Ref[Any] | None = None
    orders: Ref[OrderBook] | None = None
    pages: Pages | None = None
    locale: Path | None = None
    cards: int = 0
    cup: int = 5
    hides: bool = True
    passes: bool = False
    same_rules: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
