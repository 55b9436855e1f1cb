"""How long people may take: in reaction windows, where how fast an answer comes tells nothing.

A window (``Question.pass_answer``) asks all who might hold a card that reacts; most of them do not.
Where several people play, every answer of a program with a person leaves after a delay drawn from
one distribution, the same on all laptops: of a seat that cannot react, of AI, of a person that has
answered or let the time pass. A person may ask for more time once; so that this tells nothing
either, automatic answers take more time now and then.
"""

from __future__ import annotations

from math import inf
from random import Random, SystemRandom
from typing import Final

import trio

LEAST: Final = 1.5
MOST: Final = 3.0
"""The bounds of the delay, in seconds; it is drawn evenly from between them."""
MORE: Final = 10.0
"""Seconds that more time adds at most."""
SHARE: Final = 0.05
"""How many of the automatic answers take more time."""


class Window:
    """One seat's part in one window, from when it is made on."""

    def __init__(self, luck: Random | None = None) -> None:
        luck = luck or SystemRandom()
        self._opened = trio.current_time()
        self.closes = self._opened + luck.uniform(LEAST, MOST)
        self._longer = luck.random() < SHARE
        self._extra = luck.uniform(0, MORE)
        self._asked = False
        self._deadline = trio.CancelScope()
        self._stopped: float | None = None

    def more(self) -> bool:
        """Give a person more time; false if it had more already."""
        if self._asked:
            return False
        self._asked = True
        self.closes += MORE
        if self._stopped is None:
            self._deadline.deadline = self.closes
        return True

    def run(self, goes: bool) -> None:
        """Let the person's time stand still while the game is paused, or go on."""
        now = trio.current_time()
        if not goes and self._stopped is None:
            self._stopped, self._deadline.deadline = now, inf
        elif goes and self._stopped is not None:
            self.closes += now - self._stopped
            self._stopped, self._deadline.deadline = None, self.closes

    def patience(self) -> trio.CancelScope:
        """Return the scope that ends when the person's time is over."""
        self._deadline.deadline = self.closes
        return self._deadline

    async def leave(self, automatic: bool) -> None:
        """Wait until the answer may leave."""
        if automatic and self._longer:
            await trio.sleep_until(self.closes + self._extra)
        elif not self._asked:
            await trio.sleep_until(self.closes)


class Patience:
    """How long a person may think: ``scope`` is cancelled then. It counts only while it runs."""

    def __init__(self, seconds: float) -> None:
        self.scope = trio.CancelScope()
        self._left = seconds

    @property
    def closes(self) -> float:
        """When the time is over; where it does not run: as if it ran from now on."""
        stands = self.scope.deadline == inf
        return trio.current_time() + self._left if stands else self.scope.deadline

    def run(self, goes: bool) -> None:
        """Count, or stop counting."""
        now = trio.current_time()
        if goes:
            self.scope.deadline = now + self._left
        elif self.scope.deadline != inf:
            self._left = self.scope.deadline - now
            self.scope.deadline = inf
