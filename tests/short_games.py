"""Games that end early: few nuggets are left in the mine, the dogs go home after some rounds."""

from __future__ import annotations

from collections.abc import Callable

from lanplay.games.dice_town.table import NUGGETS, DiceTownTable
from lanplay.games.dogs_life.table import DogsLifeTable

IN_THE_MINE = 12
ROUNDS = 8


def short(put: Callable[[type, str, Callable[..., None]], object] = setattr):
    """Let tables begin so, from now on; ``put`` sets what a class has by a name."""
    town, dogs = DiceTownTable.__init__, DogsLifeTable.__init__

    def few_nuggets(table, *arguments):
        town(table, *arguments)
        each, rest = divmod(NUGGETS - IN_THE_MINE, table.seats)
        table.nuggets = [each + (seat < rest) for seat in range(table.seats)]
        table.mine = IN_THE_MINE

    def few_rounds(table, seats, goal, rounds):
        dogs(table, seats, goal, rounds or ROUNDS)

    put(DiceTownTable, "__init__", few_nuggets)
    put(DogsLifeTable, "__init__", few_rounds)
