"""A coach for a first game: the goal, then a line where something is new, each line once.

It speaks to the person of one screen, of what that person sees, and never names a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lanplay import files
from lanplay.engine.question import Question
from lanplay.engine.view import View
from lanplay.games.teaching import lessons_of


class Coach:
    """What is said in the course of one game; it falls silent as all has been said.

    A file of ``notes`` lets it go on where the game is left; it is there while there is a coach.
    """

    def __init__(self, game: str, notes: Path | None = None) -> None:
        self._lessons = lessons_of(game)
        self._notes = notes
        self._goes_on = notes is not None and notes.is_file()
        told = ""
        if notes is not None and self._goes_on:
            with suppress(OSError):
                told = notes.read_text("utf-8", "replace")
        self._said = told.split("\n")[:-1]  # the last question has not been answered: say it again
        self._note()

    def goal(self) -> Sequence[str]:
        """Return the goal of the game, a sentence each; empty where nothing is taught, or again."""
        return () if self._goes_on else self._lessons.goal()

    def tip(self, view: View[Any], question: Question) -> str:
        """Return what is new about a question, in words; empty if nothing is."""
        for name, values in self._lessons.tips(view, question):
            if name not in self._said:
                self._said.append(name)
                self._note()
                return self._lessons.coach(name, values)
        return ""

    def end(self) -> None:
        """Leave no notes."""
        if self._notes is not None:
            with suppress(OSError):
                self._notes.unlink()

    def _note(self) -> None:
        if self._notes is not None:
            with suppress(OSError):  # at worst it says something twice
                files.renew(self._notes, "\n".join(self._said).encode())
