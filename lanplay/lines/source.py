"""Standard input as lines that can be waited for without taking them."""

from __future__ import annotations

import sys
from collections import deque
from threading import Condition, Thread
from typing import TextIO


class Lines:
    """Reads a text stream in a thread of its own, so that nobody who stops waiting loses a line.

    Where a program was started without standard input there is no stream: it has ended.
    """

    def __init__(self, source: TextIO | None) -> None:
        self.source = source
        self._lines: deque[str] = deque()
        self._come = Condition()
        self._started = False

    def readline(self) -> str:
        """Take the next line, with its line end; an empty string at the end of the input."""
        self.wait()
        with self._come:
            return self._lines.popleft() if self._lines[0] else ""

    def wait(self) -> None:
        """Wait until a line, or the end of the input, is there to be taken."""
        with self._come:
            if not self._started:
                self._started = True
                Thread(target=self._pump, daemon=True).start()
            self._come.wait_for(lambda: self._lines)

    def forget(self) -> None:
        """Drop the lines that have come, but for the end of the input: they answer nothing new."""
        with self._come:
            self._lines = deque(line for line in self._lines if not line)

    def _pump(self) -> None:
        line = "\n"
        while line:
            try:
                line = self.source.readline() if self.source is not None else ""
            except (OSError, ValueError):
                line = ""
            with self._come:
                self._lines.append(line)
                self._come.notify_all()


STDIN = Lines(sys.stdin)
"""The one reader of standard input."""
