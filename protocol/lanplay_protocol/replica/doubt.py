"""What a restarted program may have signed that its journal lacks, until the others have told.

No journal shows that its end was cut off, so every restart asks. On a new link each peer says what
it holds of the other's last words (``held``); these are signed, so that nobody makes any up.
"""

from __future__ import annotations

from collections.abc import Set

ANSWER = 9.0
"""Seconds that a peer has to say what it holds once it is here: a link that is silent for so long
ends."""


class Doubt:
    """Whom this peer has yet to hear, and ``furthest``: the last place for which it has signed.

    Places are views and phases; times are seconds, any origin.
    """

    def __init__(self) -> None:
        self.furthest = (-1, -1)
        self._until: dict[int, float] = {}
        self._end = 0.0

    def begin(self, peers: Set[int], until: float) -> None:
        """Wait for some peers, each ``until`` a time; ``ANSWER`` seconds once it is here."""
        self._until, self._end = dict.fromkeys(peers, until), until

    def here(self, peer: int, now: float) -> None:
        """Take note of a link, on which an honest program says at once what it holds."""
        if peer in self._until:
            self._until[peer] = min(self._until[peer], now + ANSWER)

    def gone(self, peer: int) -> None:
        """Take note that a link has ended: over it nothing can be said any more."""
        if peer in self._until:
            self._until[peer] = self._end

    def told(self, peer: int) -> None:
        """Take note that a peer has said what it holds."""
        self._until.pop(peer, None)

    def expire(self, now: float) -> None:
        """Wait no longer for those whose time has ended."""
        self._until = {peer: end for peer, end in self._until.items() if end > now}

    def waits(self, now: float) -> bool:
        """Tell whether somebody may still tell what this peer has signed."""
        return now < self._end

    @property
    def silent(self) -> Set[int]:
        """The peers that have yet to say what they hold."""
        return self._until.keys()

    @property
    def deadline(self) -> float | None:
        """When the next wait ends, if one does."""
        return min(self._until.values(), default=None)
