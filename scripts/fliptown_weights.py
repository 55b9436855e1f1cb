#!/usr/bin/env python3
"""Learn what the bots of Fliptown think is still to come (``ai/lanplay_ai/fliptown/weights.txt``).

    python3 scripts/fliptown_weights.py [--games 1000] [--seats 1 2] [--first 0]

Games are played by the weights that there are, now and then off their best way. What a game still
brought after each of its turns is explained by the features of the sheet at that time, in a ridge
regression that begins with the weights there are; the answers are the new ones. What it brought is
a mean of what the best way of each later turn promised (TD(lambda), Sutton and Barto, chapter 12,
cut where a turn was not played the best way), which is far less noisy than the score. Repeated,
each time with other games, this is policy iteration. Needs numpy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "ai"), str(ROOT / "protocol")]

from lanplay.engine.chance import Chance  # noqa: E402  # needs the line above
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.games.fliptown.codes import PLAN  # noqa: E402
from lanplay_ai.deciding import BotDecision, decided  # noqa: E402
from lanplay_ai.fliptown.ahead import features  # noqa: E402
from lanplay_ai.fliptown.features import hand_feature  # noqa: E402
from lanplay_ai.fliptown.outlook import FliptownOutlook  # noqa: E402
from lanplay_ai.fliptown.players import FliptownPlayer  # noqa: E402
from lanplay_ai.fliptown.profiles import FliptownProfile  # noqa: E402
from lanplay_ai.fliptown.search import Search  # noqa: E402
from lanplay_ai.fliptown.weights import TURNS, basis  # noqa: E402

GAME = load("fliptown")
FILE = ROOT / "ai" / "lanplay_ai" / "fliptown" / "weights.txt"
LEARNER = FliptownProfile("", "", beam=4, nodes=1_000)
OFF = 12
"""How many of 100 turns are not played the best way."""
SPREAD = 12
"""Among so many best ways another one is drawn."""
LAMBDA = 0.7
"""How much the later turns count against what the best way promised."""
RIDGE = 10.0
DRAWN = range(1, 4)
"""Cards of a hand whose worth is learned."""


class Sample(NamedTuple):
    """The start of a turn: features, hand, turns left, points held, what the best way promised."""

    features: tuple[tuple[str, float], ...]
    hand: str
    left: int
    held: float
    promised: float
    off: bool


class Learner(FliptownPlayer):
    """Plays by the weights, now and then off its best way, and notes the start of each turn."""

    def __init__(self, key: bytes) -> None:
        super().__init__(LEARNER, key)
        self.samples: list[Sample] = []

    def _move(self, o: FliptownOutlook, view: Any, question: Any) -> BotDecision:
        ways = Search(o, question.turn, LEARNER.beam, LEARNER.nodes).ways(question.sheet)
        at = (len(view.history),)
        off = self._chance.below(100, "off", at) < OFF
        if PLAN in question.sheet.pool:
            s = question.sheet.copy()
            s.pool = []
            drawn = len(s.poker) in DRAWN
            held = FliptownOutlook(view, 0.0).worth(s) - (o.hand(s.poker) if drawn else 0)
            named = (*features(s), *o.prospects.features(s))
            hand = hand_feature(s.poker) if drawn else ""
            self.samples.append(Sample(named, hand, o.left + 1, held, ways[0].worth, off))
        other = self._chance.below(min(SPREAD, len(ways)), "other", at) if off else 0
        return decided(ways[other].answer, "off")


def play(number: int, seats: int) -> list[tuple[list[Sample], int]]:
    """Play a game; return for each seat the samples of its turns and its score."""
    key = b"learn %d" % number
    options = {name: values[0] for name, values in GAME.options.items()}
    learners = [Learner(key + b"%d" % seat) for seat in range(seats)]
    header = Header(GAME.name, options, ("x",) * seats, key)
    game = Simulation(GAME, header, learners, Chance(key))
    game.run()
    samples = [each.samples for each in learners]
    return list(zip(samples, game.table.scores, strict=True))


def brought(samples: Sequence[Sample], score: int) -> list[float]:
    """Return for each turn what the game was worth at its start, seen from its end."""
    found, later = [], float(score)
    for each in samples[::-1]:
        later = each.promised if each.off else (1 - LAMBDA) * each.promised + LAMBDA * later
        found.append(later)
    return found[::-1]


def known() -> dict[str, list[float]]:
    """Return the weights that there are."""
    parts = [line.partition(":") for line in FILE.read_text("utf-8").splitlines()]
    return {name: [int(each) / 1000 for each in numbers.split()] for name, _, numbers in parts}


def learn(games: Sequence[tuple[list[Sample], int]]) -> dict[str, list[float]]:
    """Return the weights by feature."""
    rows = [
        (each, worth)
        for samples, score in games
        for each, worth in zip(samples, brought(samples, score), strict=True)
    ]
    weights, per = known(), len(basis(1))
    for each, _ in rows:
        for name, _ in each.features:
            weights.setdefault(name, [])
        if each.hand:
            weights.setdefault(each.hand, [0.0])
    sizes = {n: 1 if n.startswith("hand") else per for n in weights}
    ends = np.cumsum([0, *sizes.values()])
    columns = {name: int(end) for name, end in zip(weights, ends, strict=False)}
    width = int(ends[-1]) + TURNS + 1
    before = np.zeros(width)
    for name, numbers in weights.items():
        before[columns[name] : columns[name] + len(numbers)] = numbers
    x, y = np.zeros((len(rows), width)), np.zeros(len(rows))
    for row, (each, worth) in enumerate(rows):
        for name, times in each.features:
            x[row, columns[name] : columns[name] + per] += np.multiply(basis(each.left), times)
        if each.hand:
            x[row, columns[each.hand]] = 1
        x[row, width - 1 - each.left] = 1
        y[row] = worth - each.held
    best = before + np.linalg.solve(x.T @ x + RIDGE * np.eye(width), x.T @ (y - x @ before))
    print(f"not explained: {np.std(y - x @ best):.2f} points", file=sys.stderr)
    return {name: list(best[columns[name] : columns[name] + size]) for name, size in sizes.items()}


def main() -> int:
    """Play, learn, write; print the scores."""
    parser = argparse.ArgumentParser(description="Learn the weights of Fliptown's bots.")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--seats", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    args = parser.parse_args()
    games: list[tuple[list[Sample], int]] = []
    for seats in args.seats:
        found = [play(number, seats) for number in range(args.first, args.first + args.games)]
        games += [each for game in found for each in game]
        mean = fmean(score for game in found for _, score in game)
        print(f"{seats} seats: mean {mean:.2f}", file=sys.stderr, flush=True)
    lines = [
        f"{name}: {' '.join(str(round(1000 * each)) for each in numbers)}\n"
        for name, numbers in sorted(learn(games).items())
    ]
    FILE.write_text("".join(lines), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
