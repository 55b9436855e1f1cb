"""A coach for a first game: the goal, then a line where something is new, each line once.

It speaks to the person of one screen, of what that person sees, and never names a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lanplay.engine.question import Question
from lanplay.engine.view import View
from lanplay.games.teaching import lessons_of


class Coach:
    """What is said in the course of one game; it falls silent as all has been said."""

    def __init__(self, game: str) -> None:
        self._lessons = lessons_of(game)
        self._said: set[str] = set()

    def goal(self) -> Sequence[str]:
        """Return the goal of the game, a sentence each; empty where the game teaches nothing."""
        return self._lessons.goal()

    def tip(self, view: View[Any], question: Question) -> str:
        """Return what is new about a question, in words; empty if nothing is."""
        for name, values in self._lessons.tips(view, question):
            if name not in self._said:
                self._said.add(name)
                return self._lessons.coach(name, values)
        return ""
