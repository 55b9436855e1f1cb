"""One screen per game, named by its manifest; a game without one is shown in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from lanplay.engine.manifest import Ref
from lanplay.engine.question import Answer, Option, Question
from lanplay.engine.view import View
from lanplay.games import manifest
from lanplay.tui.cells import Line, Size
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.changes import Visible
from lanplay.ui.scene import Scene


class GameScreen(Protocol):
    """How one game is drawn. Every method is a pure function of what it is given."""

    def board(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return what lies on the table for all to see: at most ``size.rows`` lines.

        ``size.rows`` is never less than 11, ``size.columns`` never less than 72.
        """

    def own(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the person's own things; called only where ``scene.view`` is there."""

    def option(self, scene: Scene, option: Option, glyphs: Glyphs) -> Line:
        """Return an option of a question."""

    def rolls(self, question: Question) -> bool:
        """Tell whether dice have just been rolled when this question is asked."""

    def signs(self, glyphs: Glyphs) -> Sequence[tuple[str, str]]:
        """Return the signs on the board and what each means, for the help page."""

    def breakdown(self, scene: Scene) -> Breakdown:
        """Return the score of a finished game by source."""


@runtime_checkable
class Leaved(Protocol):
    """A screen whose board has leaves, and shows one seat at a time (``Scene.leaf``, ``focus``)."""

    def leaves(self, scene: Scene) -> int:
        """Return how many leaves there are where the board does not fit."""


@runtime_checkable
class Staged(Protocol):
    """A screen whose changes are seen happening (``Scene.effects``)."""

    def standing(self, scene: Scene) -> Visible:
        """Return what can be seen to change; pile by pile and figure by figure always the same."""


@dataclass(frozen=True, slots=True)
class Touch:
    """What a key has done on a board on which one points at places.

    ``pointer`` is what is pointed at now (see ``Scene.pointer``). ``answers`` are given: the first
    one now, the others to the questions that follow, as long as ``Mapped.goes_on``. ``note`` is a
    sentence to be shown; with answers it is shown first, and the same key gives them.
    """

    pointer: tuple[int, ...]
    answers: tuple[Answer, ...] = ()
    note: str = ""


@runtime_checkable
class Mapped(Protocol):
    """A screen whose questions are answered on its board, by pointing and by keys of their own."""

    def keyed(self, scene: Scene, key: str) -> Touch | None:
        """Return what a key means at the question of ``scene.decision``; ``None`` if nothing."""

    def panel(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return what stands in place of the options: what is pointed at, and the keys."""

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys with which one points and answers, for the help page."""

    def goes_on(self, view: View[Any], question: Question, answer: Answer) -> bool:
        """Tell whether an answer that was given ahead is still what the person meant."""


def screen_of(name: str) -> GameScreen:
    """Return the screen of a game; the wordy one for a game that brings none."""
    ref: Ref[GameScreen] = manifest(name).screen or Ref("lanplay.tui.games.wordy:Wordy")
    found: Any = ref.load()
    screen: GameScreen = found(name) if isinstance(found, type) else found
    return screen
