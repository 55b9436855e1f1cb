"""What lies on the table in A Dog's Life; all of it public but the faces of newspapers."""

from __future__ import annotations

from typing import Final

from lanplay.engine.table import Table
from lanplay.games.dogs_life.dogs import DOGS, FULL_DECK, Dog
from lanplay.games.dogs_life.town import ADDRESSES, NOWHERE, TOWN

BONES, BIN_MARKERS, PIDDLES = 30, 15, 8
BLADDER, MOST_HUNGER, LOAD = 2, 4, 2
FREED_HUNGER: Final = 2
"""Counts of DL-1.5, DL-2.1, DL-3.2, DL-3.4. ``LOAD`` is how many things a dog can carry."""
FIELDS = (
    "active",
    "begged",
    "bladder",
    "bones",
    "buried",
    "came",
    "decks",
    "dens",
    "die",
    "dogs",
    "dropped",
    "first",
    "goal",
    "hunger",
    "known",
    "lying",
    "marks",
    "papers",
    "place",
    "points",
    "pound",
    "reserve",
    "rounds",
    "searched",
    "stack",
    "steps",
    "supply",
    "van",
    "winners",
)
"""What the table has beyond every game's."""


class DogsLifeTable(Table):
    """The public state. Places are those of ``TOWN``, newspapers are handles.

    By seat: ``dogs`` (numbers in ``DOGS``), ``dens`` (0 to 5), ``place`` (``NOWHERE`` in the
    pound's cells), ``pound`` (0, or from 1 the cell it is in: how many cards it draws next),
    ``hunger`` (4 is full, 0 starving), ``buried``, ``bones`` and ``papers`` carried, ``bladder``
    and ``reserve`` of piddle markers, ``decks`` (cards not drawn yet), ``known`` (the hidden
    newspapers whose face the seat has been dealt, sorted).

    By place: ``lying`` counts bones, ``marks`` names the seat whose piddle is there (-1 for none),
    ``dropped`` lists newspapers where there are any. ``supply`` are the bones left, ``stack`` the
    newspapers left; ``searched`` is a mask of bins with a marker, by their number. ``van`` is where
    the van stands, ``came`` the space before that, which is its heading.

    ``first`` is the seat that begins, -1 before the set-up. Of the turn: ``active`` (-1 between
    rounds), ``points`` left, ``begged`` (restaurants, by place), ``steps`` (slots of chance used),
    ``die`` (what the van was rolled, else 0). ``winners`` is empty until the game is over.
    ``goal`` are the bones to bury, 0 if ``rounds`` limits the game; ``rounds`` is 0 without limit.
    """

    __slots__: Final = FIELDS

    def __init__(self, seats: int, goal: int, rounds: int) -> None:
        super().__init__(seats)
        self.goal = goal
        self.rounds = rounds
        self.first = -1
        self.dogs: tuple[int, ...] = ()
        self.dens: tuple[int, ...] = ()
        self.place = [NOWHERE] * seats
        self.pound = [0] * seats
        self.hunger = [MOST_HUNGER] * seats
        self.buried = [0] * seats
        self.bones = [0] * seats
        self.papers: list[list[int]] = [[] for _ in range(seats)]
        self.bladder = [1] * seats
        self.reserve = [PIDDLES - 1] * seats
        self.decks: list[tuple[int, ...]] = [FULL_DECK] * seats
        self.known: list[list[int]] = [[] for _ in range(seats)]
        self.lying = [0] * TOWN.size
        self.marks = [-1] * TOWN.size
        self.dropped: dict[int, list[int]] = {}
        self.supply = BONES
        self.stack = list(range(ADDRESSES))
        self.faces = dict(enumerate(self.stack))
        self.searched = 0
        self.van, self.came = TOWN.van, TOWN.came
        self.winners: tuple[int, ...] = ()
        self.pass_on(-1)

    def pass_on(self, seat: int) -> None:
        """Begin the turn of a seat, or of none (-1)."""
        self.active = seat
        self.points = 0
        self.begged: list[int] = []
        self.steps = 0
        self.die = 0

    def dog(self, seat: int) -> Dog:
        """Return the dog of a seat."""
        return DOGS[self.dogs[seat]]

    def home(self, seat: int) -> int:
        """Return the place of a seat's den."""
        return TOWN.dens[self.dens[seat]]

    def room(self, seat: int) -> int:
        """Return how many more things a seat's dog can carry (DL-3.2)."""
        return LOAD - self.bones[seat] - len(self.papers[seat])

    def order(self) -> list[int]:
        """Return the seats from the first seat of the game on."""
        return [(self.first + step) % self.seats for step in range(self.seats)]
