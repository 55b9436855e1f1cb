"""A game in words: its own summary of what lies on the table, for games without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lanplay.engine.question import Option, Question
from lanplay.engine.view import View
from lanplay.games.wording import summary_of, words_of
from lanplay.tui.cells import Line, Size, Span, wrapped
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.scene import Scene


class Wordy:
    """Draws any game from ``situation`` of its ``summary`` module."""

    def __init__(self, name: str) -> None:
        self._words = words_of(name)
        self._summary = summary_of(name)

    def board(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the game's summary; an onlooker's is that of a seat that has seen nothing."""
        nobody: Any = None  # summaries look at the table alone
        view = scene.view or View(0, scene.table, nobody, [])
        out: list[Line] = []
        for text in self._summary.situation(view, scene.names):
            out += wrapped("text", text, size.columns, 4)
        return out[: size.rows]

    def own(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return nothing: the summary has it."""
        return ()

    def option(self, scene: Scene, option: Option, glyphs: Glyphs) -> Line:
        """Return the option's wording."""
        return (Span("text", self._words.word(option.label, scene.names)),)

    def rolls(self, question: Question) -> bool:
        """Tell that there is nothing to animate."""
        return False

    def signs(self, glyphs: Glyphs) -> Sequence[tuple[str, str]]:
        """Return nothing: everything is in words."""
        return ()

    def breakdown(self, scene: Scene) -> Breakdown:
        """Return no source: where points came from is not known here."""
        return Breakdown((), ((),) * len(scene.names))
