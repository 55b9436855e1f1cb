#!/usr/bin/env python3
"""How near the bots of Charidice come to the exact optimum of a turn, in the middle of games.

In situations of whole games every gift has a worth (``lanplay_ai.charidice.stakes``). The best way
to play the turn with just these worths is reckoned exactly over all rolls, and so is what the
expert's own answers bring, whose dice are rolled again at one price for all gifts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import lanplay_ai as ai  # noqa: E402  # needs the line above
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.requests import Choose  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.games.charidice.questions import Reroll  # noqa: E402
from lanplay.games.charidice.sets import MOST_GIFT  # noqa: E402
from lanplay.games.charidice.table import CharidiceTable  # noqa: E402
from lanplay_ai.charidice.optimum import average, best_kept, expected, followed, optimum  # noqa: E402
from lanplay_ai.charidice.plans import best_price  # noqa: E402
from lanplay_ai.charidice.players import factor  # noqa: E402
from lanplay_ai.charidice.rolls import turned  # noqa: E402
from lanplay_ai.charidice.stakes import TO_WIN, stakes, standing  # noqa: E402

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


def main() -> int:
    """Print the figures for each number of seats."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="games for each number of seats")
    args = parser.parse_args()
    for seats in GAME.seats:
        rows = [compared(t, seat) for t, seat in situations(seats, args.games)]
        exact, expert, points = (sum(column) / len(rows) for column in zip(*rows, strict=True))
        worst = max(best - own for best, own, _ in rows)
        print(
            f"{seats} seats, {len(rows)} turns: optimum {exact:.3f}, expert {expert:.3f} "
            f"({expert / exact:.2%}; worst loss {worst:.2f}), dice for points alone {points:.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
