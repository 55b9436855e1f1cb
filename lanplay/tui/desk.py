"""The full screen as the place where a person sits: see ``lanplay.cli.desk.Desk``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from lanplay.config import Settings
from lanplay.engine.game import Game
from lanplay.tui.glyphs import glyphs
from lanplay.tui.loop import run
from lanplay.tui.screens.table import TableScreen
from lanplay.tui.stage import Habits, Stage
from lanplay.tui.theme import depth, style

T = TypeVar("T")

PAUSES: Final = {"slow": 1.5, "normal": 0.6, "fast": 0.2, "instant": 0.0}
"""Seconds between moves of AI, by the setting ``ai_speed``."""


class Book:
    """Where rules are looked up: the whole page of a game, and the passage of one rule."""

    def __init__(self, page: Callable[[str], str], passage: Callable[[str, str], str]) -> None:
        self.page = page
        self.passage = passage


class FullDesk:
    """Talks with the person through the full screen."""

    def __init__(self, stage: Stage, book: Book) -> None:
        self._stage = stage
        self._book = book

    def say(self, text: str) -> None:
        """Tell what belongs to no game."""
        self._stage.say(text)

    def table(self, game: Game, names: Sequence[str], alone: bool = False) -> TableScreen:
        """Return the screen of a table."""
        book = self._book

        def ruling(rule: str) -> str:
            return book.passage(book.page(game.name), rule)

        return TableScreen(self._stage, game, names, lambda: book.page(game.name), ruling)


def habits(settings: Settings) -> Habits:
    """Return how the person likes it."""
    return Habits(
        glyphs=glyphs(settings.ascii),
        pause=PAUSES[settings.ai_speed],
        animation=settings.animation,
        confirm=settings.confirm,
    )


def sit(settings: Settings, book: Book, main: Callable[[FullDesk], Awaitable[T]]) -> T:
    """Run ``main`` with the full screen on the terminal, and return its result."""
    stage = Stage(habits(settings))
    desk = FullDesk(stage, book)
    return run(stage, lambda: main(desk), style(settings.theme), depth(settings.colours))
