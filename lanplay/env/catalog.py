"""The actions of a game: a fixed list with stable numbers, in words."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from typing import Final

from lanplay.env.places import Encoding, Numbers, OneOf

WAIT: Final = 0
"""The action of a seat that has nothing to choose: it waits."""


class Catalog:
    """All actions of a game: ``WAIT``, then one stretch of numbers for each ``section``.

    A section is what is chosen at one step of a question, an option of it an action.
    """

    def __init__(self, sections: Mapping[str, Sequence[str]]) -> None:
        self.words = ["wait"]
        self.start: dict[str, int] = {}
        for name, options in sections.items():
            self.start[name] = len(self.words)
            self.words += options
        self.size = len(self.words)

    def kind(self) -> Encoding:
        """Return how it is observed which section is chosen from: by an action of it."""
        return _Section(self)


class _Section(OneOf):
    def __init__(self, catalog: Catalog) -> None:
        names = [*catalog.start]
        super().__init__(names, names)
        starts = [*catalog.start.values()]
        self._offset = [max(bisect(starts, action) - 1, 0) for action in range(catalog.size)]

    def write(self, into: Numbers, at: int, value: int, me: int, seats: int) -> None:
        into[at + self._offset[value]] = 1


def subset(words: Mapping[int, str] | Sequence[str], mask: int) -> str:
    """Return the things of a mask in words; ``none`` for none."""
    return " ".join([words[bit] for bit in range(mask.bit_length()) if mask >> bit & 1]) or "none"
