#!/usr/bin/env python3
"""Learn what the bots of Fliptown think is still to come (``ai/lanplay_ai/fliptown/weights.txt``).

Solo games are played by the weights that there are, now and then off their best way. What a game
still brought after each of its turns is explained by the features of the sheet at that time, in a
ridge regression; the answers are the new weights. What it brought is a mean of what the best way of
each later turn promised (TD(lambda), Sutton and Barto, chapter 12, cut where a turn was not played
the best way), which is far less noisy than the score. Repeated, this is policy iteration.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.requests import Choose  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.games.fliptown.sheet import Sheet  # noqa: E402
from lanplay_ai.deciding import decided  # noqa: E402  # needs the line above
from lanplay_ai.fliptown.features import features, hand_feature  # noqa: E402
from lanplay_ai.fliptown.outlook import FliptownOutlook  # noqa: E402
from lanplay_ai.fliptown.players import FliptownPlayer  # noqa: E402
from lanplay_ai.fliptown.profiles import FliptownProfile  # noqa: E402
from lanplay_ai.fliptown.search import Search  # noqa: E402
from lanplay_ai.fliptown.weights import TURNS  # noqa: E402

GAME = load("fliptown")

FILE = ROOT / "ai" / "lanplay_ai" / "fliptown" / "weights.txt"
OFF = 0.15
"""How often a turn is not played the best way."""
SPREAD = 12
"""Among so many best ways another one is drawn."""
HAND_DRAWN = 4
LAMBDA = 0.7
"""How much the later turns count against what the best way promised."""


class Sample(NamedTuple):
    """A sheet at the start of a turn: its hand, turns left, and what it held in points."""

    sheet: Sheet
    hand: str
    left: int
    base: float
    promised: float
    off: bool


class Learner(FliptownPlayer):
    """Plays by the weights, now and then off its best way."""

    def __init__(self, key: bytes, off: float) -> None:
        super().__init__(FliptownProfile("", "", beam=3, nodes=700), key)
        self._random = Random(key)
        self._off = off
        self.promised, self.off = 0.0, False

    def _move(self, o: FliptownOutlook, view: Any, question: Any) -> Any:
        ways = Search(o, question.turn, 3, 700).ways(question.sheet)
        self.promised, self.off = ways[0].worth, self._random.random() < self._off
        return decided(self._random.choice(ways[: SPREAD if self.off else 1]).answer, "off")


def play(number: int, off: float) -> tuple[list[Sample], int]:
    """Play a game; return a sample for each turn and the score."""
    key = b"learn %d" % number
    options = {name: values[0] for name, values in GAME.options.items()}
    header = Header(GAME.name, GAME.version, options, ("x",), key)
    learner = Learner(key, off)
    game = Simulation(GAME, header, [learner], Chance(key))
    samples: list[Sample] = []
    moment = (0, 0)
    while game.request is not None:
        t = game.table
        if isinstance(game.request, Choose) and t.turn and (t.round, t.turn) != moment:
            moment = (t.round, t.turn)
            before = sample(FliptownOutlook(game.views[0]), t.sheets[0])
            game.step()
            samples.append(before._replace(promised=learner.promised, off=learner.off))
            continue
        game.step()
    return samples, game.table.scores[0]


def sample(o: FliptownOutlook, s: Sheet) -> Sample:
    """Return the sample of the start of a turn; the sheriff of the next round is not due yet."""
    cards = len(s.poker)
    base = o.base(s) + (0 if cards else o.fine(s))
    if cards == HAND_DRAWN:
        base += o.hand(s.poker)
    hand = hand_feature(s.poker) if 0 < cards < HAND_DRAWN else ""
    return Sample(s.copy(), hand, o.left + 1, base, 0.0, False)


def batch(asked: tuple[int, int, float]) -> list[tuple[list[Sample], int]]:
    """Play games from one number up to another."""
    first, last, off = asked
    return [play(number, off) for number in range(first, last)]


def brought(samples: Sequence[Sample], score: int) -> list[float]:
    """Return for each turn what the game was worth at its start, seen from its end."""
    found, later = [], float(score)
    for each in samples[::-1]:
        later = each.promised if each.off else (1 - LAMBDA) * each.promised + LAMBDA * later
        found.append(later)
    return found[::-1]


def learn(games: Sequence[tuple[list[Sample], int]], ridge: float) -> dict[str, list[float]]:
    """Return the weights by feature."""
    import numpy as np

    listed = [tuple(features(each.sheet)) for samples, _ in games for each in samples]
    names = sorted({name for each in listed for name, _ in each})
    hands = sorted({each.hand for samples, _ in games for each in samples if each.hand})
    places = {name: place for place, name in enumerate(names)}
    hand_places = {hand: 2 * len(names) + place for place, hand in enumerate(hands)}
    width = 2 * len(names) + len(hands) + TURNS + 1
    rows = [
        (each, worth)
        for samples, score in games
        for each, worth in zip(samples, brought(samples, score), strict=True)
    ]
    x, y = np.zeros((len(rows), width)), np.zeros(len(rows))
    for row, ((each, worth), found) in enumerate(zip(rows, listed, strict=True)):
        part = each.left / TURNS
        for name, times in found:
            x[row, 2 * places[name]] = part * times
            x[row, 2 * places[name] + 1] = part**0.5 * times
        if each.hand:
            x[row, hand_places[each.hand]] = 1
        x[row, width - 1 - each.left] = 1
        y[row] = worth - each.base
    best = np.linalg.solve(x.T @ x + ridge * np.eye(width), x.T @ y)
    print("rest", float(np.std(y - x @ best)), "of", float(np.std(y)), file=sys.stderr)
    weights = {name: [float(w) for w in best[2 * p : 2 * p + 2]] for name, p in places.items()}
    return weights | {hand: [float(best[place])] for hand, place in hand_places.items()}


def write(weights: dict[str, list[float]]) -> None:
    """Put the weights into their file."""
    lines = [
        f"{name}: {' '.join(str(round(1000 * each)) for each in values)}"
        for name, values in sorted(weights.items())
    ]
    FILE.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> int:
    """Play, learn, write; print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--off", type=float, default=OFF)
    parser.add_argument("--ridge", type=float, default=4.0)
    parser.add_argument("--keep", type=Path, help="a file for the games, added to")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    chunk = 25
    numbers = range(args.first, args.first + args.games, chunk)
    with ProcessPoolExecutor(args.processes) as pool:
        asked = [(number, number + chunk, args.off) for number in numbers]
        games = [game for found in pool.map(batch, asked) for game in found]
    scores = [score for _, score in games]
    if scores:
        print(f"{len(games)} games: mean {fmean(scores):.2f}, median {median(scores)}")
    if args.keep:
        import pickle

        old = pickle.loads(args.keep.read_bytes()) if args.keep.exists() else []
        games = old[-2000:] + games
        args.keep.write_bytes(pickle.dumps(games))
    if not args.dry:
        write(learn(games, args.ridge))
    return 0


if __name__ == "__main__":
    sys.exit(main())
