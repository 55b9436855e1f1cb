"""What lies on the table in Charidice; all of it public."""

from __future__ import annotations

from typing import Final

from lanplay.engine.table import Table
from lanplay.games.charidice.dice import Dice

ROUNDS = 7
COLUMNS = ("points", "bonuses", "received", "given")
"""The four columns of a seat's sheet (CH-2.3, CH-2.4, CH-3.1), in their order."""


FIELDS = (
    "active",
    "bonuses",
    "charity",
    "demanded",
    "dice",
    "first",
    "given",
    "greatest",
    "points",
    "received",
    "rolled",
    "rolls",
    "scores",
)
"""What the table has beyond every game's."""


class CharidiceTable(Table):
    """The public state.

    Each of the ``COLUMNS`` holds a list of entries for every seat, one a round. ``first`` is the
    seat that begins every round, -1 before it is drawn; ``greatest[seat]`` tells whether the seat
    still has its greatest gift. Of the turn under way: ``active`` (-1 between rounds), ``dice`` as
    they lie (empty before the first roll), ``rolls`` made, ``rolled`` (the mask of the dice of the
    last one), and whether the gift is ``demanded``. ``charity`` is what each seat got at the end.
    """

    __slots__: Final = FIELDS

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.first = -1
        self.greatest = [True] * seats
        self.points: list[list[int]] = [[] for _ in range(seats)]
        self.bonuses: list[list[int]] = [[] for _ in range(seats)]
        self.received: list[list[int]] = [[] for _ in range(seats)]
        self.given: list[list[int]] = [[] for _ in range(seats)]
        self.charity: list[int] = []
        self.scores: list[int] = []
        self.pass_on(-1)

    def pass_on(self, seat: int) -> None:
        """Hand the six dice to a seat, or to none (-1)."""
        self.active = seat
        self.dice: Dice = ()
        self.rolls = 0
        self.rolled = 0
        self.demanded = False

    def left(self, seat: int) -> int:
        """Return the seat that receives a seat's gifts (CH-3.1)."""
        return (seat + 1) % self.seats

    def order(self) -> list[int]:
        """Return the seats in the order of a round (CH-1.1)."""
        return [(self.first + step) % self.seats for step in range(self.seats)]

    def column(self, name: str, seat: int) -> list[int]:
        """Return the entries of one of the ``COLUMNS`` of a seat's sheet."""
        entries: list[int] = getattr(self, name)[seat]
        return entries

    def total(self, seat: int) -> int:
        """Return columns 1, 2 and 3 of a seat (CH-4.2), without a charity bonus."""
        return sum(self.points[seat]) + sum(self.bonuses[seat]) + sum(self.received[seat])
