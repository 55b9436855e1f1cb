"""Games that end early: few nuggets are left in the mine, the dogs go home after some rounds."""

from __future__ import annotations

from collections.abc import Callable

from lanplay.games.dice_town.table import NUGGETS, DiceTownTable
from lanplay.games.dogs_life.table import DogsLifeTable

IN_THE_MINE, ROUNDS = 4, 4
LONGER = (7, 6)
Put = Callable[[type, str, Callable[..., None]], object]
"""Sets what a class has by a name."""
TOWN, DOGS = DiceTownTable.__init__, DogsLifeTable.__init__


def short(put: Put = setattr, mine: int = IN_THE_MINE, most: int = ROUNDS):
    """Let tables begin so, from now on: with as many nuggets, and for as many rounds at most."""

    def few_nuggets(table, *arguments):
        TOWN(table, *arguments)
        each, rest = divmod(NUGGETS - mine, table.seats)
        table.nuggets = [each + (seat < rest) for seat in range(table.seats)]
        table.mine = mine

    def few_rounds(table, seats, goal, rounds):
        DOGS(table, seats, goal, rounds or most)

    put(DiceTownTable, "__init__", few_nuggets)
    put(DogsLifeTable, "__init__", few_rounds)
