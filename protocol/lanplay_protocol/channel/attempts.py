"""How often a table lets its password be guessed: slower with each wrong guess, by key and in all.

A guess is charged when it begins and given back only when it was right, so that neither parallel
nor abandoned runs are free. Keys cost nothing to make, so the sum over all keys is what bounds an
attack; its delay is kept short enough that somebody who knows the password still gets in. Whoever
has waited has the next guess, each address in its turn: one that asks all the time has no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lanplay.errors import Fault
from lanplay_protocol.channel.errors import ChannelError
from lanplay_protocol.errors import Code

KEYS: Final = 256
"""Keys and addresses remembered; the one that guessed longest ago is forgotten first."""
PATIENCE: Final = 30.0
"""Seconds for which an address that came too early has its turn: so long its person may retry."""


@dataclass(frozen=True, slots=True)
class Pace:
    """After ``free`` wrong guesses each further one doubles the delay, from 1 to ``longest`` s."""

    free: int
    longest: float

    def delay(self, wrong: int) -> float:
        """Seconds until the next guess after this many wrong ones."""
        return 0.0 if wrong < self.free else min(self.longest, 2.0 ** min(wrong - self.free, 32))


PER_KEY: Final = Pace(free=3, longest=300.0)
IN_ALL: Final = Pace(free=10, longest=10.0)
"""At most 8640 guesses a day, whoever makes them: password lengths are to be judged by that."""


@dataclass(frozen=True, slots=True)
class _Tally:
    wrong: int = 0
    until: float = 0.0

    def charged(self, pace: Pace, now: float) -> _Tally:
        return _Tally(self.wrong + 1, now + pace.delay(self.wrong + 1))

    def refunded(self) -> _Tally:
        return _Tally(max(0, self.wrong - 1), self.until)


class Attempts:
    """The guesses at one table. Times are seconds of one clock that never goes back."""

    def __init__(self) -> None:
        self._keys: dict[bytes, _Tally] = {}
        self._all = _Tally()
        self._turns: dict[str, int] = {}
        self._asked: dict[str, float] = {}
        self._count = 0

    @property
    def wrong(self) -> int:
        """Guesses that were not right, from whomever, those that are still under way included."""
        return self._all.wrong

    def wait(self, key: bytes, now: float, address: str = "") -> float:
        """Seconds until this key may guess, seen at an address; 0.0 if it may now."""
        own = self._keys.get(key, _Tally()).until
        return max(0.0, max(self._all.until, own, self._others(address)) - now)

    def _others(self, address: str) -> float:
        """When the turn is over of those who have waited, and guessed last before an address."""
        last = self._turns.get(address, 0)
        others = (each for each in self._asked if self._turns.get(each, 0) < last)
        return max((self._asked[each] + PATIENCE for each in others), default=0.0)

    def begin(self, key: bytes, now: float, address: str = "") -> None:
        """Charge a guess; to be called before any answer to its first message.

        Raises ``ChannelError``, which names the seconds to wait, if it comes too early.
        """
        self._asked.pop(address, None)
        if wait := self.wait(key, now, address):
            if self._keys.get(key, _Tally()).until <= now:
                self._asked[address] = now
                if len(self._asked) > KEYS:
                    del self._asked[next(iter(self._asked))]
            text = Fault.PASSWORD_ATTEMPTS.of(wait=max(1, round(wait)))
            raise ChannelError(Code.UNEXPECTED, text)
        self._count += 1
        self._turns.pop(address, None)
        self._turns[address] = self._count
        tally = self._keys.pop(key, _Tally())
        self._keys[key] = tally.charged(PER_KEY, now)
        self._all = self._all.charged(IN_ALL, now)
        if len(self._keys) > KEYS:
            del self._keys[next(iter(self._keys))]
        if len(self._turns) > KEYS:
            del self._turns[next(iter(self._turns))]

    def succeeded(self, key: bytes) -> None:
        """Give back the guess of a key that has proven the password, and forget its wrong ones."""
        self._keys.pop(key, None)
        self._all = self._all.refunded()
