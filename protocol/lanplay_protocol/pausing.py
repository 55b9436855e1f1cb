"""The pause of a game: how long it lasts, and who ends it. Sans-I/O; times are seconds.

A pause ends by itself. Before that its asker ends it, or most of the people of the table do. What
is known of pauses only grows, and comes to the same in whatever order it is heard.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final, TypeAlias

from lanplay_protocol.replica.roster import Roster

LENGTH: Final = 300.0
"""Seconds that a pause lasts at most."""
MOST: Final = 3
"""Pauses that one seat may ask for in a game."""

PauseName: TypeAlias = tuple[int, int]
"""The seat that asks for a pause, and how many it had asked for before."""


@dataclass(frozen=True, slots=True)
class GamePause:
    """A pause that somebody has asked for, and when its time is over here."""

    seat: int
    name: PauseName
    until: float


class Pauses:
    """The pauses of one game, as one peer hears of them, in whatever order."""

    def __init__(self, roster: Roster) -> None:
        self.people = frozenset(s for s in range(len(roster.names)) if not roster.bot(s))
        self._most_liars = len(roster.peers) - roster.quorum
        self._made: dict[PauseName, GamePause] = {}
        self._votes: defaultdict[PauseName, set[int]] = defaultdict(set)
        self._over: defaultdict[PauseName, set[int]] = defaultdict(set)

    def running(self, now: float) -> tuple[GamePause, ...]:
        """Return the pauses that go on, in the order in which they were heard of."""
        return tuple(p for p in self._made.values() if p.until > now and not self._ended(p))

    def over(self, now: float, me: int) -> tuple[GamePause, ...]:
        """Return the pauses whose time is over here, and of which ``me`` has not said so."""
        pauses = self._made.values()
        return tuple(p for p in pauses if p.until <= now and me not in self._over[p.name])

    def ends(self, now: float) -> float | None:
        """Return when the next pause ends by itself."""
        return min((p.until for p in self.running(now)), default=None)

    def time_left(self, now: float) -> float | None:
        """Return after how many seconds all pauses are over; ``None`` where there is none."""
        return max((p.until - now for p in self.running(now)), default=None)

    def votes(self, pause: GamePause) -> int:
        """Return how many people want a pause to end."""
        return len(self._votes[pause.name])

    @property
    def needed(self) -> int:
        """How many people end a pause of somebody else."""
        return len(self.people) // 2 + 1

    def next(self, seat: int) -> PauseName | None:
        """Return the name of the next pause of a seat; ``None`` where it may ask for none."""
        spent = 1 + max((turn for of, turn in self._made if of == seat), default=-1)
        return (seat, spent) if seat in self.people and spent < MOST else None

    def ask(self, name: PauseName, now: float) -> None:
        """Begin a pause; only a person has any."""
        if name[0] in self.people and name not in self._made:
            self._made[name] = GamePause(name[0], name, now + LENGTH)

    def go(self, seat: int, name: PauseName) -> None:
        """Let a seat want a pause to end: it may have heard of it before this peer has."""
        self._votes[name].add(seat)

    def say_over(self, peer: int, name: PauseName) -> None:
        """Let a laptop tell that the time of a pause is over: more of them than may lie end it."""
        self._over[name].add(peer)

    def _ended(self, pause: GamePause) -> bool:
        votes = self._votes[pause.name]
        most = len(votes & self.people) >= self.needed
        return most or pause.seat in votes or len(self._over[pause.name]) > self._most_liars
