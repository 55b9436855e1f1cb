"""How often a table lets its password be guessed: slower with each wrong guess, by key and in all.

A guess is charged when it begins and given back only when it was right, so that neither parallel
nor abandoned runs are free. Keys cost nothing to make, so the sum over all keys is what bounds an
attack; its delay is kept short enough that somebody who knows the password still gets in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lanplay.errors import Fault
from lanplay_protocol.channel.errors import ChannelError
from lanplay_protocol.errors import Code

KEYS: Final = 256
"""Keys remembered; the one that guessed longest ago is forgotten first."""


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

    @property
    def wrong(self) -> int:
        """Guesses that were not right, from whomever, those that are still under way included."""
        return self._all.wrong

    def wrong_by(self, key: bytes) -> int:
        """The same of one key; none for a key that was forgotten."""
        return self._keys.get(key, _Tally()).wrong

    def wait(self, key: bytes, now: float) -> float:
        """Seconds until this key may guess; 0.0 if it may now."""
        return max(0.0, self._all.until - now, self._keys.get(key, _Tally()).until - now)

    def begin(self, key: bytes, now: float) -> None:
        """Charge a guess; to be called before any answer to its first message.

        Raises ``ChannelError``, which names the seconds to wait, if it comes too early.
        """
        if wait := self.wait(key, now):
            text = Fault.PASSWORD_ATTEMPTS.of(wait=max(1, round(wait)))
            raise ChannelError(Code.UNEXPECTED, text)
        tally = self._keys.pop(key, _Tally())
        self._keys[key] = tally.charged(PER_KEY, now)
        self._all = self._all.charged(IN_ALL, now)
        if len(self._keys) > KEYS:
            del self._keys[next(iter(self._keys))]

    def succeeded(self, key: bytes) -> None:
        """Give back the guess of a key that has proven the password, and forget its wrong ones."""
        self._keys.pop(key, None)
        self._all = self._all.refunded()
