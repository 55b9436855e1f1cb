"""How near the bots of Charidice come to the exact optimum of a turn, in the middle of games.

In situations of whole games every gift has a worth (``lanplay_ai.charidice.stakes``). The best way
to play the turn with just these worths is reckoned exactly over all rolls, and so is what the
expert's own answers bring, whose dice are rolled again at one price for all gifts.
"""

from __future__ import annotations

from collections.abc import Iterator

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.games.charidice.questions import Reroll
from lanplay.games.charidice.sets import MOST_GIFT
from lanplay.games.charidice.table import CharidiceTable
from lanplay_ai.charidice.optimum import average, best_kept, expected, followed, optimum
from lanplay_ai.charidice.plans import best_price
from lanplay_ai.charidice.players import factor
from lanplay_ai.charidice.rolls import turned
from lanplay_ai.charidice.stakes import TO_WIN, stakes, standing

GAME = load("charidice")


def situations(seats: int, games: int) -> Iterator[tuple[CharidiceTable, int]]:
    """Yield the table and the active seat at the first question of every turn of some games."""
    for number in range(games):
        luck = b"turns %d" % number
        header = Header(GAME.name, {}, ("x",) * seats, luck)
        agents = [ai.make("expert", luck, GAME.name) for _ in range(seats)]
        game = Simulation(GAME, header, agents, Chance(luck))
        while game.request is not None:
            if isinstance(game.request, Choose):
                [(seat, question)] = game.request.questions.items()
                if isinstance(question, Reroll) and question.rolls == 1:
                    yield game.table, seat
            game.step()


def compared(t: CharidiceTable, seat: int) -> tuple[float, float, float]:
    """Return what the best turn is worth, what the expert's is, and what points alone would be."""
    times = 2 if t.demanded else 1
    worths = stakes(standing(t, seat), TO_WIN[t.seats], times * MOST_GIFT)
    sets = turned()
    best = [max(o[0] + worths.worth(times * o[1]) for o in offers) for offers in sets.offers]
    last = [best[place] for place in sets.place]
    _, second = best_kept(expected(last))
    _, first = best_kept(expected(second))

    def played(price: float) -> float:
        kept1, kept2 = optimum(price).kept
        return average(followed(followed(last, kept2), kept1))

    return average(first), played(best_price(worths, factor(t, seat))), played(0.0)
