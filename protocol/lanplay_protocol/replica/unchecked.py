"""What comes before a game has its id, by which alone it can be checked."""

from __future__ import annotations

from collections.abc import Iterator

from lanplay_protocol.replica.evidence import SPARE
from lanplay_protocol.replica.messages import SignedMessage


class Unchecked:
    """Statements with who brought them: of each at most ``most``, and ``SPARE`` bytes.

    So nobody's words are refused because of another's flood.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[tuple[int, SignedMessage]] = []

    def __iter__(self) -> Iterator[tuple[int, SignedMessage]]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, signed: SignedMessage, bringer: int) -> None:
        """Keep a statement, if there is room for it."""
        brought = [each for by, each in self._kept if by == bringer]
        size = sum(len(each.body) for each in (*brought, signed))
        if signed not in brought and len(brought) < self._most and size <= SPARE:
            self._kept.append((bringer, signed))

    def take(self) -> list[SignedMessage]:
        """Return all, and keep nothing."""
        kept, self._kept = self._kept, []
        return [signed for _, signed in kept]
