"""A game in words, found by its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Protocol

from lanplay.engine.question import Phrase
from lanplay.engine.view import View


class Words(Protocol):
    """A game's texts."""

    def word(self, message: Phrase, names: Sequence[str]) -> str:
        """Return a message in words."""
        ...


class Summary(Protocol):
    """A game in lines of text, for interfaces without a board of its own."""

    def situation(self, view: View[Any], names: Sequence[str]) -> Iterator[str]:
        """Yield what a seat sees, a line each."""
        ...

    def weight(self, event: Phrase) -> float:
        """Return how much an event of the log has decided, in points; 0 for most."""
        ...


def words_of(game: str) -> Words:
    """Return the texts of a game."""
    module: Any = import_module(f"{_package(game)}.text")
    words: Words = module
    return words


def summary_of(game: str) -> Summary:
    """Return the summary of a game."""
    module: Any = import_module(f"{_package(game)}.summary")
    summary: Summary = module
    return summary


def _package(game: str) -> str:
    return f"lanplay.games.{game.replace('-', '_')}"
