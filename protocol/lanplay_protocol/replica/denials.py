"""Beside which few of its author's statements one is held, however many there are of them.

A liar that signs thousands, each at another place, costs whoever reads them no more for each.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lanplay_protocol.replica.messages import MOVE, PhaseMessage, Slot, StatusMessage

if TYPE_CHECKING:
    from lanplay_protocol.replica.evidence import Statement


class Denials:
    """What is held of each author, by slot and by place.

    The first body of a slot is enough: any other one convicts beside it. Of the messages above a
    status the first is, as the others are of no earlier view; of the statuses below a message that
    of the highest attempt. So of statuses those count that no other one outdoes, which stands no
    higher and is of no earlier attempt: their attempts grow with their places.
    """

    def __init__(self) -> None:
        self._first: dict[Slot, Statement] = {}
        self._moves: dict[int, list[tuple[int, int]]] = {}
        self._standing: dict[tuple[int, tuple[int, int]], list[Statement]] = {}
        self._lowest: dict[int, list[tuple[tuple[int, int], int, Statement]]] = {}

    def add(self, new: Statement) -> None:
        """Take a statement."""
        if self._first.setdefault(new.signed.slot, new) is not new:
            return
        author, said = new.signed.sender, new.said
        if isinstance(said, PhaseMessage):
            insort(self._moves.setdefault(author, []), said.at)
        elif isinstance(said, StatusMessage):
            self._standing.setdefault((author, said.at), []).append(new)
            lowest = self._lowest.setdefault(author, [])
            place = bisect_left(lowest, (said.at, said.attempt), key=lambda each: each[:2])
            if not place or lowest[place - 1][1] < said.attempt:
                end = place
                while end < len(lowest) and lowest[end][1] <= said.attempt:
                    end += 1
                lowest[place:end] = [(said.at, said.attempt, new)]

    def of(self, new: Statement) -> Iterator[Statement]:
        """Give the statements of its author that may contradict one, if any do."""
        author, slot, said = new.signed.sender, new.signed.slot, new.said
        if slot in self._first:
            yield self._first[slot]
        elif isinstance(said, StatusMessage):
            moves = self._moves.get(author, [])
            begin = bisect_left(moves, said.at)
            for view, phase in moves[begin : begin + 2]:
                yield self._first[MOVE, author, view, phase]
        elif isinstance(said, PhaseMessage):
            yield from self._standing.get((author, said.at), ())
            lowest = self._lowest.get(author, [])
            below = bisect_left(lowest, said.at, key=lambda each: each[0])
            yield from (each for _, _, each in lowest[max(0, below - 1) : below])
