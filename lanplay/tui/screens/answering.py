"""How a person answers a question with keys: by the list of its options, or on the board itself."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import trio

from lanplay.engine.question import Answer, Illegal, Option, Phrase, Question, walked
from lanplay.engine.view import View
from lanplay.language import _
from lanplay.tui.games import GameScreen
from lanplay.tui.screens.hints import useless
from lanplay.tui.screens.pointing import Pointing
from lanplay.tui.stage import Stage
from lanplay.ui.decision import Decision, digits, numbers
from lanplay.ui.scene import Scene


class Answering:
    """The question at hand, if there is one, and the keys for it.

    ``decision`` is how far the person is with it. ``across`` is how many of its options stand side
    by side; ``note`` is what the board has to say of the last key.
    """

    def __init__(self, stage: Stage, screen: GameScreen) -> None:
        self._stage = stage
        self._pointing = Pointing(screen)
        self.decision: Decision | None = None
        self.across = 1
        self.note = ""
        self._shown_at = 0.0
        self._done = trio.Event()
        self._advice: tuple[Question | None, tuple[Answer, ...]] = (None, ())

    @property
    def pointer(self) -> tuple[int, ...]:
        """What is pointed at on the board (see ``Scene.pointer``)."""
        return self._pointing.at

    async def ahead(self, view: View[Any], question: Question) -> Answer:
        """Return the answer that was given ahead; ``None`` if none was (see ``Pointing``)."""
        return await self._pointing.ahead(view, question, self._stage.habits)

    def stop(self) -> None:
        """Drop the answers that were given ahead."""
        self._pointing.stop()

    def begin(self, view: View[Any], question: Question) -> Decision:
        """Take keys for a question from now on; return what its answer will be found in."""
        self._shown_at = -inf if self._pointing.follows(question) else trio.current_time()
        self._done = trio.Event()
        self.decision, self.note = Decision(view, question), ""
        return self.decision

    def advised(self, question: Question, path: Sequence[Answer]) -> None:
        """Take a path of picks as advice on a question: ``follow`` picks them one by one."""
        self._advice = (question, tuple(path))

    def follow(self) -> bool:
        """Pick what is advised next; false where nothing is. On a map that is the answer."""
        question, path = self._advice
        if self.decision is None or self.decision.question != question:
            return False
        if not self.decision.follow(path):
            return self.decision.ready
        if self.decision.ready and self._pointing.points:
            self._done.set()
        return True

    def advised_next(self) -> tuple[Phrase, Sequence[Option], bool] | None:
        """Return what ``follow`` would pick next: the step's prompt and the options; else nothing.

        For whoever has strayed from the path, which is told, it is the step at which it was left.
        """
        question, path = self._advice
        if self.decision is None or self.decision.question != question:
            return None
        steps = walked(question, self.decision.view, path)
        for place, (prompt, options) in enumerate(self.decision.picked):
            if place < len(steps) and (prompt, tuple(options)) != steps[place]:
                return (*steps[place], True)
        done = len(self.decision.picked)
        return (*steps[done], False) if done < len(steps) else None

    def end(self) -> None:
        """Take no more keys: the question is answered, or nobody waits for an answer."""
        self.decision, self.note = None, ""

    def goes_on(self) -> None:
        """Forget what was said of the last key, unless it was said of a question at hand."""
        if self.decision is None:
            self.note = ""

    async def given(self) -> None:
        """Return once the answer is given."""
        await self._done.wait()

    @property
    def is_given(self) -> bool:
        """Whether the answer is given."""
        return self._done.is_set()

    def press(self, scene: Scene | None, key: str) -> bool:
        """Take a key for the question at hand; false if it is none, or if none is at hand."""
        if self.decision is None:
            return False
        if (doubt := self.decision.doubt()) and key == "enter":
            self.note = doubt
            return True
        early = self._early()
        touch = self._pointing.press(scene, self.decision, key, self._stage.habits, early)
        if touch is None:
            return self._listed(self.decision, key)
        self.note = touch.note
        if self.decision.ready:
            self._done.set()
        return True

    def _early(self) -> bool:
        """Tell whether a key may still have been meant for what was shown before."""
        return trio.current_time() < self._shown_at + self._stage.habits.guard

    def _listed(self, decision: Decision, key: str) -> bool:
        """Take a key for the list of options; false if it is none."""
        match key:
            case "enter":
                self._enter(decision)
            case "escape" | "backspace":
                return decision.back()
            case "left" | "right":
                decision.move(1 if key == "right" else -1)
            case "up" | "down":
                decision.move(self.across if key == "down" else -self.across)
            case " " if decision.several:
                self._pick(decision, decision.cursor)
            case _ if len(key) == 1 and key.isdecimal():
                place = _called(decision, int(key))
                self._pick(decision, place)
                if place == len(decision.options):
                    self.useless(key)
                    decision.astray = key if len(decision.options) > 1 else ""
            case _ if key.startswith("option "):
                self._pick(decision, int(key.removeprefix("option ")))
            case _:
                return False
        return True

    def useless(self, key: str) -> None:
        """Note that a key does nothing, and at a list of options which ones do."""
        self.note = useless(key)
        if self.decision is not None and self.decision.options and not self._pointing.points:
            told = _(
                "{key} does nothing: arrows and {numbers} choose, Enter goes on, ? tells more."
            )
            shown = _("Space") if key == " " else key
            self.note = told.format(key=shown, numbers=digits(self.decision.options))

    def _pick(self, decision: Decision, place: int) -> None:
        if place >= len(decision.options):
            return
        if not decision.several:
            decision.point(place)
            return
        before = len(decision.chosen)
        decision.toggle(place)
        if len(decision.chosen) == before > 1 and decision.refused is None:
            told = _("No more than {count}: put one back first.")
            self.note = told.format(count=before)

    def _enter(self, decision: Decision) -> None:
        if self._early():
            return
        if not decision.ready:
            if not decision.settle():
                if decision.refused is None:
                    least = getattr(decision.step, "at_least", 0)
                    self.note = _("First pick {count}.").format(count=least)
                return
            if not decision.ready or (decision.slip and self._stage.habits.confirm):
                self._shown_at = trio.current_time()
                return
        self._commit(decision)

    def _commit(self, decision: Decision) -> None:
        """Give the answer if it is legal; else go back and say why it is not."""
        try:
            decision.question.check(decision.answer)
            decision.question.check_own(decision.answer, decision.view)
        except Illegal as illegal:
            decision.back()
            decision.refused = illegal
        else:
            self._done.set()


def _called(decision: Decision, digit: int) -> int:
    """Return the place of the option that a digit calls: 0 is the tenth where none is called so."""
    calls = list(numbers(decision.options))
    number = digit if digit in calls else digit or 10
    return calls.index(number) if number in calls else len(calls)
