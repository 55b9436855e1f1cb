"""The state of a replica, and every way in which it changes: small machines, as tables.

A change that a state does not list cannot happen in it, and raises: that is a fault of this
program. A change that leads to the state itself is one that makes no difference there.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import TypeAlias

from lanplay_protocol.replica.events import Halted


class Change(Enum):
    """What happens to a replica."""

    SET_UP = auto()  # the first phases are complete
    ENDED = auto()  # the rules have come to their end
    STUCK = auto()  # the table cannot play on without somebody
    CUT_OFF = auto()  # a view begins without this peer
    LET_BACK = auto()  # a view begins with this peer again
    FOUND_INCOMPLETE = auto()  # what this peer had persisted misses something
    LEFT = auto()  # this peer's person goes
    QUORUM_LOST = auto()  # fewer than a quorum are here
    QUORUM_HERE = auto()  # enough are here


class Progress(Enum):
    """How far the game is."""

    SETUP = auto()
    PLAYING = auto()
    HALTED = auto()
    OVER = auto()


class Role(Enum):
    """What this peer may do: who is not a member signs no phase message."""

    MEMBER = auto()
    EXCLUDED = auto()  # it follows from outside, and asks to take part again
    INCOMPLETE = auto()  # it may have signed what it does not know: it asks to be left out first


class Intent(Enum):
    """Whether this peer's person is at the table: apart from its role, as any role may leave."""

    STAYING = auto()
    LEAVING = auto()  # once excluded it does not ask to take part again


class Quorum(Enum):
    """Whether enough peers are here to decide who takes part."""

    HERE = auto()
    LOST = auto()


State: TypeAlias = Progress | Role | Intent | Quorum

_G, _R, _Q = Progress, Role, Quorum
_RULES: tuple[tuple[Change, tuple[State, ...], State], ...] = (
    (Change.SET_UP, (_G.SETUP, _G.PLAYING), _G.PLAYING),
    (Change.ENDED, (_G.PLAYING,), _G.OVER),
    (Change.STUCK, (_G.SETUP, _G.PLAYING, _G.HALTED), _G.HALTED),
    (Change.STUCK, (_G.OVER,), _G.OVER),
    (Change.CUT_OFF, (_R.MEMBER, _R.EXCLUDED, _R.INCOMPLETE), _R.EXCLUDED),
    (Change.LET_BACK, (_R.MEMBER, _R.EXCLUDED), _R.MEMBER),
    (Change.LET_BACK, (_R.INCOMPLETE,), _R.INCOMPLETE),
    (Change.FOUND_INCOMPLETE, (_R.MEMBER, _R.INCOMPLETE), _R.INCOMPLETE),
    (Change.FOUND_INCOMPLETE, (_R.EXCLUDED,), _R.EXCLUDED),
    (Change.LEFT, tuple(Intent), Intent.LEAVING),
    (Change.QUORUM_LOST, tuple(Quorum), _Q.LOST),
    (Change.QUORUM_HERE, tuple(Quorum), _Q.HERE),
)
TABLE: Mapping[tuple[State, Change], State] = {
    (before, change): after for change, states, after in _RULES for before in states
}
"""What follows a change in a state; what is not here cannot happen."""
MACHINES: Mapping[Change, str] = {c: type(s).__name__.lower() for c, _, s in _RULES}
"""Which of the machines a change is for: the field of ``Status`` that holds its state."""


class Status:
    """The state of one replica. ``why`` says why its game is halted."""

    def __init__(self) -> None:
        self.progress: State = Progress.SETUP
        self.role: State = Role.MEMBER
        self.intent: State = Intent.STAYING
        self.quorum: State = Quorum.HERE
        self.why: Halted | None = None

    def on(self, change: Change) -> None:
        """Take a change; ``ImpossibleChange`` where the state does not know it."""
        machine = MACHINES[change]
        state: State = getattr(self, machine)
        if (state, change) not in TABLE:
            raise ImpossibleChange(f"{change.name} in {state}")
        setattr(self, machine, TABLE[state, change])

    @property
    def halted(self) -> bool:
        """Tell whether the game cannot go on for now."""
        return self.progress is Progress.HALTED

    @property
    def stands(self) -> bool:
        """Tell whether the game goes nowhere any more: it is over, or halted."""
        return self.progress in (Progress.HALTED, Progress.OVER)

    @property
    def member(self) -> bool:
        """Tell whether this peer takes part."""
        return self.role is Role.MEMBER

    @property
    def incomplete(self) -> bool:
        """Tell whether this peer may have promised and signed what it does not know."""
        return self.role is Role.INCOMPLETE

    @property
    def out(self) -> bool:
        """Tell whether this peer was cut off and follows from outside."""
        return self.role is Role.EXCLUDED

    @property
    def leaving(self) -> bool:
        """Tell whether this peer's person goes."""
        return self.intent is Intent.LEAVING

    @property
    def asks_back(self) -> bool:
        """Tell whether this peer asks, from time to time, to take part or to be cut off first."""
        staying = self.intent is Intent.STAYING
        return self.incomplete or (self.out and staying)

    @property
    def takes_part(self) -> bool:
        """Tell whether this peer takes part, or asks to."""
        return self.asks_back or not self.out


class ImpossibleChange(AssertionError):
    """Something happened to a replica that cannot happen in its state."""
