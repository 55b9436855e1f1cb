"""One keyboard, two uses: answers while the game asks, commands at any time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition
from typing import TypeVar

import trio

from lanplay.cli.lines import Lines
from lanplay.cli.plain import PlainUI

T = TypeVar("T")
IDLE = "Nothing is asked of you now. help shows what you can do."


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

    def close(self) -> None:
        """End the prompt: whoever reads it gets ``Withdrawn``."""
        with self._come:
            self._closed = True
            self._come.notify_all()

    def readline(self) -> str:
        """Return the next line; ``Withdrawn`` once the prompt is closed."""
        with self._come:
            self._come.wait_for(lambda: self._lines or self._closed)
            if self._closed:
                raise Withdrawn
            return self._lines.pop(0)


class Console:
    """Routes the lines of an input: commands to ``command``, all others to the open prompt.

    ``command`` takes a line and tells whether it was one.
    """

    def __init__(self, lines: Lines, screen: PlainUI) -> None:
        self._lines = lines
        self._screen = screen
        self._prompt: Prompt | None = None
        self._early: list[str] = []
        self.command: Callable[[str], bool] = lambda _: False

    async def run(self) -> None:
        """Route lines until the input ends; lines that come before a question wait for it."""
        line = "\n"
        while line:
            await trio.to_thread.run_sync(self._lines.wait, abandon_on_cancel=True)
            line = self._lines.readline()
            if line and self.command(line.strip()):
                continue
            if self._prompt is not None:
                self._prompt.put(line)
            else:
                self._early.append(line)
        await trio.sleep_forever()

    async def ask(self, ask: Callable[[], T]) -> T:
        """Return what ``ask``, which reads the screen's input in a thread, comes to.

        If this is cancelled, the prompt ends and takes no line with it.
        """
        prompt = Prompt()
        for line in self._early:
            prompt.put(line)
        self._early.clear()
        self._prompt = prompt
        self._screen.source = prompt
        try:
            return await trio.to_thread.run_sync(ask, abandon_on_cancel=True)
        finally:
            prompt.close()
            self._prompt = None
