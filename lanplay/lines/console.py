"""The line interface as a screen: one keyboard for answers and for commands.

``Console`` takes commands at any time, ``Turns`` where everything waits for its person: only then
does a pipe's order mean the same however slow the game is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from threading import Condition
from typing import Any, TypeVar

import trio

from lanplay.engine.question import Answer, Illegal, Phrase, Question
from lanplay.engine.view import View
from lanplay.language import _
from lanplay.lines.commanding import at_keyboard
from lanplay.lines.plain import PlainUI
from lanplay.lines.source import Lines
from lanplay.ui.alerts import alerts
from lanplay.ui.commands import Command, described, found, lacking, reason
from lanplay.ui.ringing import Ringer
from lanplay.ui.scene import Scene

T = TypeVar("T")
TICKS = 12
"""Turns of the loop in which what a command has done reaches the question at hand."""


class Withdrawn(Exception):
    """The question is no longer asked: its prompt ends unanswered."""


class Prompt:
    """What one prompt reads: the lines that are no commands."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._come = Condition()
        self._closed = False

    def put(self, line: str) -> None:
        """Hand a line to the prompt; the empty string is the end of the input."""
        with self._come:
            self._lines.append(line)
            self._come.notify_all()

    def close(self) -> list[str]:
        """End the prompt: whoever reads it gets ``Withdrawn``. Return the lines it has not read."""
        with self._come:
            self._closed = True
            self._come.notify_all()
            left, self._lines = self._lines, []
            return left

    def readline(self) -> str:
        """Return the next line; ``Withdrawn`` once the prompt is closed."""
        with self._come:
            self._come.wait_for(lambda: self._lines or self._closed)
            if self._closed:
                raise Withdrawn
            return self._lines.pop(0)


class Lined:
    """What both have in common: all is shown as lines (see ``ui.front_end.TableDisplay``)."""

    def __init__(self, ui: PlainUI) -> None:
        self.ui = ui
        self.commands: Callable[[], Sequence[Command]] = tuple
        self.listens = True
        self.closes: Callable[[], float | None] = lambda: None
        self.attends: Callable[[bool], None] = lambda reads: None
        self.reading = trio.CancelScope()
        self._scene: Callable[[], Scene] | None = None
        self._events: list[tuple[int, Phrase]] = []
        self._held: tuple[bool, tuple[str, ...]] = (False, ())
        self.ringer = Ringer("off", {})

    def showing(self) -> AbstractContextManager[Any]:
        """Do nothing: lines stay where they are."""
        return nullcontext()

    def sees(self, scene: Callable[[], Scene]) -> None:
        """Take where the game is; its state is printed with every question."""
        self._scene = scene

    def changed(self) -> None:
        """Do nothing: whoever wants to know types ``who``."""

    def way(self, command: str) -> str:
        """Return the command's name: it is typed."""
        return command

    def happened(self, round_: int, message: Phrase) -> None:
        """Print an event."""
        self._events.append((round_, message))
        self.ui.happened(message)

    def recalled(self, round_: int, message: Phrase) -> None:
        """Keep an event that was printed before: it may have decided the game."""
        self._events.append((round_, message))

    def notice(self, text: str) -> None:
        """Print what concerns the table, and what can be done where that holds the game up."""
        self.ui.notice(text)
        if self._scene is not None:
            scene = self._scene()
            absent = tuple(each.name for each in scene.absent)
            if (held := (scene.stuck, absent)) != self._held and any(held):
                for alert in alerts(replace(scene, paused_by=()), self.way):
                    self.ui.notice(alert)
            self._held = held

    def reply(self, text: str) -> None:
        """Print what a command came to."""
        self.ui.notice(text)

    def call(self, text: str) -> None:
        """Ring the bell of a terminal, if its person has typed nothing for a while."""
        self.ringer.call(text)

    def introduced(self, goal: Sequence[str]) -> None:
        """Print what the game is about."""
        for text in goal:
            self.ui.notice(text)

    def coached(self, text: str) -> None:
        """Print what a coach says."""
        if text:
            self.ui.notice(text)

    def refused(self, illegal: Illegal) -> None:
        """Print why an answer was refused."""
        self.ui.refused(illegal)

    def sum_up(self, winners: Sequence[int] = ()) -> None:
        """Print how a game ended that is over."""
        table = self._scene().table if self._scene is not None else None
        self.ui.sum_up(table, self._events, winners)

    def obey(self, line: str) -> bool:
        """Do what a command says and return true; false if the line is none."""
        commands = self.commands()
        if line == "help":
            self.reply(described(commands))
            return True
        call = found(commands, line)
        if call is None:
            if lacks := lacking(commands, line):
                self.reply(lacks)
            return bool(lacks)
        try:
            call[0].run(call[1])
        except ValueError as error:
            self.reply(reason(error, self.way))
        return True

    def hurry(self) -> None:
        """Say how long there is for an answer, if there is a limit."""
        if (closes := self.closes()) is not None:
            left = max(0.0, closes - trio.current_time())
            told = _("You have {seconds} s for this; then AI answers.")
            if any(each.name == "more" and each.now for each in self.commands()):
                told = _("You have {seconds} s for this; type more for extra time, once.")
            self.ui.notice(told.format(seconds=f"{left:.0f}"))


class Turns(Lined):
    """Reads a line only when something is asked."""

    def __init__(self, ui: PlainUI) -> None:
        super().__init__(ui)
        self.listens = False
        ui.obey = self._heed
        self._asks = False
        ui.sure = self._sure

    def _sure(self) -> str:
        """Return what a person at the keyboard is asked before it leaves for good."""
        call = found(self.commands(), "q")
        return _(call[0].sure) if call is not None and call[0].sure and at_keyboard() else ""

    def _heed(self, line: str) -> bool:
        """Obey a line in the thread that has read it; ``Withdrawn`` if nothing is asked then."""
        obeyed = trio.from_thread.run(self._obeyed, line)
        if not self._asks:
            raise Withdrawn
        return obeyed

    async def _obeyed(self, line: str) -> bool:
        obeyed = self.obey(line)
        for _tick in range(TICKS):  # by then whoever asked knows that it is cancelled
            await trio.lowlevel.checkpoint()
        return obeyed

    async def run(self) -> None:
        """Wait until cancelled: lines are read where they are wanted."""
        await trio.sleep_forever()

    async def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the person's answer."""
        ask, self._asks = partial(self.ui.answer, view, question), True
        try:
            return await trio.to_thread.run_sync(ask, abandon_on_cancel=True)
        finally:
            self._asks = False

    async def agree(self, question: str) -> None:
        """Return once there is a yes."""
        self._asks = True
        await trio.to_thread.run_sync(self.ui.agree, question, abandon_on_cancel=True)


class Console(Lined):
    """Routes lines as they come: commands are obeyed at once, all others go to the open prompt."""

    def __init__(self, lines: Lines, ui: PlainUI) -> None:
        super().__init__(ui)
        self._lines = lines
        self._prompt: Prompt | None = None
        self._early: list[str] = []
        self._answered = False

    def changed(self) -> None:
        """Print once after an answer for whom the game waits then; later ``who`` tells it."""
        scene = self._scene() if self._answered and self._scene is not None else None
        if scene is not None and scene.asked and scene.seat not in scene.asked:
            self._answered = False
            names = ", ".join(scene.names[seat] for seat in scene.asked)
            self.ui.notice(_("To decide: {names}.").format(names=names))

    async def run(self) -> None:
        """Route lines until the input ends, or the game, whose end has questions of its own.

        Lines that come before a question wait for it.
        """
        with trio.CancelScope() as self.reading:
            line = "\n"
            while line:
                await trio.to_thread.run_sync(self._lines.wait, abandon_on_cancel=True)
                line = self._lines.readline()
                self.attends(line.startswith("?") and self._prompt is not None)
                self.ringer.touched()
                if line and self.obey(line.strip()):
                    continue
                if self._prompt is not None:
                    self._prompt.put(line)
                else:
                    self._keep(line)
            await trio.sleep_forever()

    def _keep(self, line: str) -> None:
        """Keep a line that answers nothing for the next question, unless a person has typed it.

        A person saw none yet: what it would answer is not what was meant.
        """
        if not line or not at_keyboard():
            self._early.append(line)
        elif line.strip():
            self.reply(_("There is no question for you now; help shows what you can do."))

    async def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the person's answer."""
        self.hurry()
        self.call(_("Your turn"))
        self._answered = False
        answer = await self.ask(partial(self.ui.answer, view, question))
        self._answered = True
        return answer

    async def agree(self, question: str) -> None:
        """Return once there is a yes."""
        await self.ask(partial(self.ui.agree, question))

    async def ask(self, ask: Callable[[], T]) -> T:
        """Return what ``ask``, which reads the screen's input in a thread, comes to.

        If this is cancelled, the prompt ends and takes no line with it.
        """
        prompt = Prompt()
        for line in self._early:
            prompt.put(line)
        self._early.clear()
        self._prompt = prompt
        self.ui.source = prompt
        try:
            return await trio.to_thread.run_sync(ask, abandon_on_cancel=True)
        finally:
            self._prompt = None
            for line in prompt.close():
                self._keep(line)
