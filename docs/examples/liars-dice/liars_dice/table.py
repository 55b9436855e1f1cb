"""What lies on the table in Liar's Dice; all of it public."""

from __future__ import annotations

from lanplay.engine.table import Table

DICE = 5
FACES = 6


class LiarsTable(Table):
    """The public state.

    ``dice`` are how many dice each seat has left, ``first`` is the seat that begins the round. A
    bid is one number: how many dice, times six, and the face from 0; 0 is none. ``bidder`` made the
    last ``bid``, ``active`` is to answer it (both -1 before the first). ``shown`` are the dice of
    all seats after a call, ``out`` the seats that have lost all theirs, in this order.
    """

    __slots__ = ("active", "bid", "bidder", "dice", "first", "out", "shown", "wild")

    def __init__(self, seats: int, wild: bool) -> None:
        super().__init__(seats)
        self.wild = int(wild)
        self.dice = [DICE] * seats
        self.first = -1
        self.active = self.bidder = -1
        self.bid = 0
        self.shown: tuple[tuple[int, ...], ...] = ()
        self.out: tuple[int, ...] = ()

    def after(self, seat: int) -> int:
        """Return the next seat that has dice."""
        seats = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        return next(each for each in seats if self.dice[each])

    def matching(self, bid: int) -> int:
        """Return how many of the dice shown have the face of a bid (LD-3.1)."""
        counted = {bid % FACES, 0} if self.wild else {bid % FACES}
        return sum(face in counted for dice in self.shown for face in dice)
