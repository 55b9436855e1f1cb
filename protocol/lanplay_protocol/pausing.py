"""The pause of a game: how long it lasts, and who ends it. Sans-I/O; times are seconds.

A pause ends by itself. Before that its asker ends it, or most of the people of the table do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lanplay_protocol.replica.roster import Roster

LENGTH: Final = 300.0
"""Seconds that a pause lasts at most."""
MOST: Final = 3
"""Pauses that one seat may ask for in a game."""
IN_ALL: Final = 1800.0
"""Seconds for which a game stands still at most, by all its pauses."""


@dataclass(frozen=True, slots=True)
class GamePause:
    """A pause that somebody has asked for: its ``signature`` names it."""

    author: int
    seat: int
    signature: bytes
    until: float


class Pauses:
    """The pauses of one game, as one peer hears of them, in whatever order."""

    def __init__(self, roster: Roster) -> None:
        self.people = frozenset(s for s in range(len(roster.names)) if not roster.bot(s))
        self._made: dict[bytes, GamePause] = {}
        self._asked: Counter[int] = Counter()
        self._votes: dict[bytes, set[int]] = {}
        self._last: dict[int, frozenset[bytes]] = {}
        self._spent = 0.0
        self._looked = 0.0
        self._until = 0.0

    def running(self, now: float) -> tuple[GamePause, ...]:
        """Return the pauses that go on, in the order in which they were heard of."""
        return tuple(p for p in self._made.values() if p.until > now and not self._ended(p))

    def over(self, now: float) -> tuple[GamePause, ...]:
        """Return the pauses whose time is over, and that nobody has ended."""
        return tuple(p for p in self._made.values() if p.until <= now and not self._ended(p))

    def ends(self) -> float | None:
        """Return when the next pause ends by itself."""
        return min((p.until for p in self.running(self._looked)), default=None)

    def time_left(self, now: float) -> float | None:
        """Return after how many seconds all pauses are over; ``None`` where there is none."""
        return max((p.until - now for p in self.running(now)), default=None)

    def votes(self, pause: GamePause) -> int:
        """Return how many people want a pause to end."""
        return len(self._votes[pause.signature])

    @property
    def needed(self) -> int:
        """How many people end a pause of somebody else."""
        return len(self.people) // 2 + 1

    def left(self, seat: int, now: float) -> float:
        """Return for how long a pause of a seat would last; 0 where it may ask for none."""
        self.look(now)
        may = seat in self.people and self._asked[seat] < MOST
        return min(LENGTH, IN_ALL - self._spent) if may else 0.0

    def ask(self, author: int, seat: int, signature: bytes, now: float) -> None:
        """Begin a pause, if the seat may still ask for one."""
        if signature in self._made or (left := self.left(seat, now)) <= 0:
            return
        self._asked[seat] += 1
        self._made[signature] = GamePause(author, seat, signature, now + left)
        self._votes[signature] = {s for s, named in self._last.items() if signature in named}
        self.look(now)

    def go(self, seat: int, named: Iterable[bytes], now: float) -> None:
        """Let a seat want some pauses to end: it may have heard of them before this peer has."""
        self.look(now)
        self._last[seat] = frozenset(named)
        for signature in self._last[seat] & self._votes.keys():
            self._votes[signature].add(seat)
        self.look(now)

    def _ended(self, pause: GamePause) -> bool:
        votes = self._votes[pause.signature]
        return pause.seat in votes or len(votes & self.people) >= self.needed

    def look(self, now: float) -> None:
        """Count the time for which the game stood still until now."""
        self._spent += max(0.0, min(now, self._until) - self._looked)
        self._looked = now
        self._until = max((p.until for p in self.running(now)), default=now)
