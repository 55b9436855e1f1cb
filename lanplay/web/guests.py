"""People with phones, without any network: the code that lets them in, and who they are."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from typing import Final

import trio

from lanplay.web.live import Tap
from lanplay.web.pages import PageStack
from lanplay.web.taste import Taste

LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What codes are made of: no two look alike."""
ALIKE: Final = str.maketrans("OIL", "011", "- ")
"""What is typed instead, and what is left out."""
CODE_LETTERS: Final = 8
"""40 bits."""
WRONG: Final = 5
WRONG_SECONDS: Final = 60.0
"""So many wrong codes may come from an address within so many seconds."""
WRONG_ALL: Final = 50
"""After so many in all the code is another one."""
ASLEEP_SECONDS: Final = 25.0
"""A page of which nothing is heard for so long is taken for one that sleeps."""
STAND_IN_SECONDS: Final = 45.0
"""How long the game waits for the answer of a page that sleeps."""


class GuestCode:
    """The code of an invitation; those who guess are stopped. ``now`` is a clock.

    ``worn`` is called when they have worn it out: the one that is good now is to be shown then.
    """

    def __init__(self, now: Callable[[], float], worn: Callable[[], None]) -> None:
        self._now = now
        self._worn = worn
        self._wrong: dict[str, deque[float]] = {}
        self.renew()

    def renew(self) -> None:
        """Take another code: the former one is good no more."""
        self._code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
        self._misses = 0

    @property
    def text(self) -> str:
        """The code, as it is read out."""
        half = CODE_LETTERS // 2
        return f"{self._code[:half]}-{self._code[half:]}"

    def stopped(self, address: str) -> bool:
        """Tell whether an address has tried too many wrong codes to be heard now."""
        tried = self._wrong.get(address, deque())
        while tried and tried[0] <= self._now() - WRONG_SECONDS:
            tried.popleft()
        return len(tried) >= WRONG

    def fits(self, text: str, address: str) -> bool:
        """Tell whether this is the code; a wrong one is counted, what cannot be one is not."""
        given = text.upper().translate(ALIKE)
        if secrets.compare_digest(given.encode(), self._code.encode()):
            return True
        if len(given) != CODE_LETTERS or not set(given) <= set(LETTERS):
            return False
        if len(self._wrong) > WRONG_ALL:
            self._wrong.clear()
        self._wrong.setdefault(address, deque()).append(self._now())
        self._misses += 1
        if self._misses >= WRONG_ALL:
            self.renew()
            self._worn()
        return False


class GuestPages(PageStack):
    """The pages of somebody with a phone: each tap, and each sign of the page, is a sign of life.

    ``asks``: it waits for the owner to let it take a seat that is another page's. ``dozed``: AI
    answers since it slept, ``woken`` is called when it is back; ``again`` shows it all anew.
    It came from ``address``.
    """

    def __init__(
        self,
        name: str,
        now: Callable[[], float],
        woken: Callable[[GuestPages], None],
        taste: Taste,
        again: Callable[[GuestPages], None] = lambda guest: None,
        address: str = "",
    ) -> None:
        super().__init__("guest", taste)
        self.name = name
        self.address = address
        self.asks = False
        self.dozed = False
        self.scope = trio.CancelScope()
        self._now = now
        self._woken = woken
        self._again = again
        self._heard = now()
        self._hidden = False

    def retold(self) -> None:
        """Show everything anew, the log too, in the language that is wanted now."""
        self._again(self)

    @property
    def asleep(self) -> float:
        """For how many seconds the page has slept; 0 while it is awake."""
        silent = self._now() - self._heard
        return silent if self._hidden else max(0.0, silent - ASLEEP_SECONDS)

    def act(self, tap: Tap) -> bool:
        """Take a tap, or a sign of the page."""
        self._heard, self._hidden = self._now(), tap.do == "hidden"
        if not self._hidden:
            self._woken(self)
        return tap.do in ("here", "hidden") or super().act(tap)
