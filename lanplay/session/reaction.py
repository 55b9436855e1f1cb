"""How long people may take: for any answer, and in windows for reactions, where others wait."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

import trio

from lanplay.engine.orders import ReactionQuestion, WindowPace
from lanplay.engine.question import Question

PAUSE: Final = {WindowPace.BEAT: 0.05, WindowPace.LOOK: 0.5}
"""Seconds after which an answer leaves a window, of all who have nothing to decide there."""
HOLD: Final = 15.0
"""Seconds that a person who could react has beyond that."""
BANK: Final = 45.0
"""Seconds a game that it can spend besides."""
BACK: Final = 5.0
"""Seconds that come back to the bank each round."""
READING: Final = 60.0
"""Seconds a game in which reading a rule stops its clock."""


def pace_of(question: Question) -> WindowPace:
    """Return how long a window stays open; a game that says nothing of orders has looks alone."""
    return question.pace if isinstance(question, ReactionQuestion) else WindowPace.LOOK


@dataclass(slots=True)
class Bank:
    """What a seat has left in a game, in seconds, beyond the time of each window."""

    left: float = BANK
    reading: float = READING

    def new_round(self) -> None:
        """Give back what a round gives."""
        self.left = min(BANK, self.left + BACK)


class Hold:
    """A person's time in one window: ``scope`` is cancelled when it is over.

    The bank counts for who has touched a key since the window opened. While a rule is read, and
    while the game is paused, the clock stands still.
    """

    def __init__(self, seconds: float, bank: Bank) -> None:
        self._since = trio.current_time()
        self.scope = trio.CancelScope(deadline=self._since + seconds)
        self._bank = bank
        self._ends = self.scope.deadline
        self._touched = self._reads = self._stopped = False

    @property
    def closes(self) -> float:
        """When the time is over, the bank included once it counts."""
        return self._ends + (self._bank.left if self._touched else 0.0)

    def touch(self) -> None:
        """Let the bank count."""
        self._touched = True
        self._set()

    def read(self, reads: bool) -> None:
        """Stop the clock while a rule is read, for as long as the game allows; or let it go on."""
        self._count()
        self._reads = reads
        self._set()

    def run(self, goes: bool) -> None:
        """Let the time stand still, or go on."""
        self._count()
        self._stopped = not goes
        self._set()

    def _count(self) -> None:
        """Give back what has passed while the clock stood still."""
        now = trio.current_time()
        still = now - self._since if self._stopped or self._reads else 0.0
        if not self._stopped:
            still = min(still, self._bank.reading)
            self._bank.reading -= still
        self._ends += still
        self._since = now

    def _set(self) -> None:
        extra = self._bank.reading if self._reads else 0.0
        self.scope.deadline = inf if self._stopped else self.closes + extra

    def end(self) -> None:
        """Take from the bank what was spent of it."""
        self._count()
        over = self._since - self._ends
        if self._touched and over > 0:
            self._bank.left = max(0.0, self._bank.left - over)


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
