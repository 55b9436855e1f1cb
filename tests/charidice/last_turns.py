"""How near bots of Charidice come to the best share of the win in last turns, exactly.

An oracle of its own: every outcome is entered in a copy of the table and the game ended by its
rules; worths of rolls are arrays over all 6^6 rolls, those of kept states over all 7^6. What a bot
brings follows from its answers to every roll, one for all six turns of it.

``python -m tests.charidice.last_turns 200`` tells the shares of today's bots, a line for each.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.games.charidice.dice import DICE, NUMBERS
from lanplay.games.charidice.questions import Reroll, Score
from lanplay.games.charidice.rules import ending, winners
from lanplay.games.charidice.sets import best_sets, dice_set
from lanplay.games.charidice.table import ROUNDS

GAME = load("charidice")
ROLLS = list(product(NUMBERS, repeat=DICE))
FIRSTS = [min(dice[k:] + dice[:k] for k in range(DICE)) for dice in ROLLS]
"""The roll that stands for each one and its turns."""
CLASSES = sorted(set(FIRSTS))
NUMBER = {dice: n for n, dice in enumerate(CLASSES)}
PLACE = np.array([NUMBER[first] for first in FIRSTS])
SETS = [[(each.worth, each.gift) for each in best_sets(dice)] for dice in CLASSES]


def last_turns(games, label, bot="strong"):
    """Yield a copy of the table and the seat of last turns that nobody can demand a gift in."""
    for number in games:
        seats, luck = 2 + number % 3, b"%s %d" % (label, number)
        agents = [ai.make(bot, luck, GAME.name) for _ in range(seats)]
        game = Simulation(GAME, Header(GAME.name, {}, ("x",) * seats, luck), agents, Chance(luck))
        while game.request is not None:
            t = game.table
            if t.round == ROUNDS and isinstance(game.request, Choose):
                [(seat, question)] = game.request.questions.items()
                if isinstance(question, Reroll) and seat == t.order()[-1]:
                    if not t.greatest[t.left(seat)] and not t.demanded:
                        yield t.copy(), seat
                    break
            game.step()


def share(t, seat, points, gift):
    """Return what the seat wins if its turn brings so much, by the rules (CH-4)."""
    end = t.copy()
    end.points[seat].append(points)
    end.bonuses[seat].append(0)
    end.given[seat].append(gift)
    end.received[end.left(seat)].append(gift)
    ending(end)
    return (seat in winners(end)) / len(winners(end))


def means(worths):
    """Return what kept states are worth, of the worths of all rolls."""
    worths = worths.reshape((6,) * DICE)
    for die in range(DICE):
        worths = np.concatenate([worths.mean(axis=die, keepdims=True), worths], axis=die)
    return worths


def best(kept):
    """Return what rolls are worth if the best dice are rolled again."""
    for die in range(DICE):
        free, rest = np.split(kept, [1], axis=die)
        kept = np.maximum(free, rest)
    return kept.reshape(-1)


class LastTurn:
    """The best share of a last turn, and that which a bot gets."""

    def __init__(self, t, seat):
        self.t, self.seat = t, seat
        outcomes = {each for some in SETS for each in some}
        self.shares = {each: share(t, seat, *each) for each in outcomes}
        sets = np.array([max(self.shares[each] for each in some) for some in SETS])[PLACE]
        self.best = best(means(best(means(sets)))).mean()
        self.undecided = 0.01 <= sets.mean() <= 0.99

    def of(self, bot):
        """Return the share that a bot's own answers get."""
        agent = ai.make(bot, b"", GAME.name) if isinstance(bot, str) else bot
        view = View(self.seat, self.t, Header(GAME.name, {}, ("x",) * self.t.seats), [])
        worths = []
        for dice in CLASSES:
            found = dice_set(dice, agent.answer(view, Score(dice, 1)))
            worths.append(self.shares[found.worth, found.gift])
        for made in (2, 1):
            kept, worths = means(np.array(worths)[PLACE]), []
            for dice in CLASSES:
                again = agent.answer(view, Reroll(dice, made))
                worths.append(kept[tuple(0 if again >> d & 1 else n for d, n in enumerate(dice))])
        return np.array(worths)[PLACE].mean()


def main(wanted, bots=("expert", "strong", "casual"), label=b"last turns"):
    """Print the mean best share of so many undecided last turns, and the bots' parts of it."""
    looked_at, found = 0, []
    for t, seat in last_turns(range(100 * wanted), label):
        turn = LastTurn(t, seat)
        looked_at += 1
        if turn.undecided:
            found.append([turn.best, *[turn.of(bot) for bot in bots]])
        if len(found) == wanted:
            break
    mean = np.mean(found, axis=0)
    print(f"{len(found)} undecided of {looked_at} last turns; best share {mean[0]:.4f}")
    for bot, part in zip(bots, mean[1:], strict=True):
        print(f"{bot}: {part:.4f}, {part / mean[0]:.2%} of the best")


if __name__ == "__main__":
    main(int(sys.argv[1]), *([sys.argv[2:]] if len(sys.argv) > 2 else []))
