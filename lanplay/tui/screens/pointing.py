"""How a person answers on the board itself, where the game's screen has it so (see ``Mapped``)."""

from __future__ import annotations

from typing import Any, Final

import trio

from lanplay.engine.question import Answer, Illegal, Question
from lanplay.engine.view import View
from lanplay.tui.games import GameScreen, Mapped, Touch
from lanplay.tui.stage import Habits
from lanplay.ui.decision import Decision
from lanplay.ui.scene import Scene

STEP_SECONDS: Final = 0.12
"""How long each step of a walk is seen."""


class Pointing:
    """What a person points at, and the answers that it has given ahead.

    ``at`` is what is pointed at (see ``Scene.pointer``).
    """

    def __init__(self, screen: GameScreen) -> None:
        self._screen = screen if isinstance(screen, Mapped) else None
        self.at: tuple[int, ...] = ()
        self._plan: tuple[Answer, ...] = ()
        self._round = 0
        self._again = ""
        self._last = ""

    @property
    def points(self) -> bool:
        """Whether questions are answered on the board."""
        return self._screen is not None

    async def ahead(self, view: View[Any], question: Question, habits: Habits) -> Answer:
        """Return the answer that was given ahead, after a moment to see it; ``None`` if none was.

        It is dropped, with all that was to follow, once anything is not as it was expected.
        """
        self.at, self._again = (), ""
        if self._holds(view, question) and habits.animation:
            await trio.sleep(STEP_SECONDS)
        if not self._holds(view, question):
            self.stop()
            return None
        answer, self._plan = self._plan[0], self._plan[1:]
        return answer

    def _holds(self, view: View[Any], question: Question) -> bool:
        """Tell whether the next answer given ahead is still what was meant."""
        if self._screen is None or not self._plan or view.table.round != self._round:
            return False
        return self._screen.goes_on(view, question, self._plan[0])

    def stop(self) -> None:
        """Drop the answers that were given ahead."""
        self._plan = ()

    def follows(self, question: Question) -> bool:
        """Tell whether a question follows one of its kind; nobody who answers it is surprised."""
        before, self._last = self._last, question.name
        return self._screen is not None and before == question.name

    def press(
        self, scene: Scene | None, decision: Decision, key: str, habits: Habits, early: bool
    ) -> Touch | None:
        """Take a key at a question; ``None`` if it is none of the board's.

        ``decision`` has its answer then, if one is given: it is ``ready``. As long as it is
        ``early``, none is given.
        """
        if self._screen is None or scene is None:
            return None
        if decision.ready:
            return Touch(self.at)
        touch = self._screen.keyed(scene, key)
        again, self._again = self._again, ""
        if touch is None:
            return None
        self.at = touch.pointer
        if not touch.answers or early:
            return touch
        if touch.note and habits.confirm and again != key:
            self._again = key
            return touch
        self._give(scene, decision, touch.answers)
        return Touch(touch.pointer)

    def _give(self, scene: Scene, decision: Decision, answers: tuple[Answer, ...]) -> None:
        try:
            decision.question.check(answers[0])
            decision.question.check_own(answers[0], decision.view)
        except Illegal as illegal:
            decision.refused = illegal
            return
        decision.step, decision.answer = None, answers[0]
        self._plan, self._round = answers[1:], scene.table.round
