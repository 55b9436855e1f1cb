"""Whoever connects without being known yet: room and work are shared fairly between addresses.

What floods from one address, or from fewer than there is room for, crowds itself out, and waits
for itself: whoever comes from another address finds room, and has the next turn.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Final, TypeVar

import trio

from lanplay_protocol.rates import Bucket

K = TypeVar("K")

TURNS: Final = 40.0
"""Handshakes a second, of all strangers together: a twentieth of a slow processor core."""
BURST: Final = 32
REMEMBERED: Final = 256
"""Addresses of which it is known when they last had a turn."""


def crowded_out(here: Mapping[K, str], room: int, each: int) -> K | None:
    """Return who has to go where more than ``room`` are, or more than ``each`` of one address.

    ``here`` has the addresses of all, by age. Of the address that has the most the oldest goes; of
    several such addresses, that of which one has been here longest. ``None`` if nobody has to.
    """
    counts = Counter(here.values())
    most = max(counts.values(), default=0)
    if most <= each and len(here) <= room:
        return None
    return next(key for key, address in here.items() if counts[address] == most)


class Turnstile:
    """Who does costly work next: each address in its turn. ``now`` is in seconds.

    An address whose last turn is longest ago is next; within it, whoever has waited longest.
    """

    def __init__(self, burst: float = BURST, per_second: float = TURNS) -> None:
        self._bucket = Bucket(burst, per_second)
        self._waiting: dict[trio.Event, str] = {}
        self._last: OrderedDict[str, int] = OrderedDict()
        self._count = 0
        self.pause = 1 / per_second

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def wait(self, address: str) -> trio.Event:
        """Return what is set when it is the turn of somebody at an address."""
        turn = trio.Event()
        self._waiting[turn] = address
        return turn

    def leave(self, turn: trio.Event) -> None:
        """Forget somebody who waits no more."""
        self._waiting.pop(turn, None)

    def advance(self, now: float) -> None:
        """Let those have their turn for whom there is time."""
        while self._waiting and self._bucket.take(now):
            turn = min(self._waiting, key=lambda each: self._last.get(self._waiting[each], 0))
            address = self._waiting.pop(turn)
            self._count += 1
            self._last[address] = self._count
            self._last.move_to_end(address)
            if len(self._last) > REMEMBERED:
                self._last.popitem(last=False)
            turn.set()

    async def run(self) -> None:
        """Let all who wait have their turn in time; return when nobody waits."""
        while self._waiting:
            self.advance(trio.current_time())
            await trio.sleep(self.pause)
