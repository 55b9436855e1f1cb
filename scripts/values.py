#!/usr/bin/env python3
"""Fit what positions are worth to who won: the weights of ``ai/lanplay_ai/values.toml``.

Experts play games; of each the share of the win is known, and positions are taken wherever a
question was asked, the same number of every game. Newton's method finds the weights under which the
winners were most likely. One game of three is left out, and tells how much of the variance of who
wins they explain, by thirds of a game.

usage: python scripts/values.py    (prints the file; some minutes, and numpy)
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "ai")]

import lanplay_ai  # noqa: E402
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.requests import Choose  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import load, manifest  # noqa: E402
from lanplay_ai.values import FeatureValues  # noqa: E402

Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
GAMES = {"dice-town": (4, 400), "dogs-life": (4, 400), "fliptown": (2, 60)}
"""The seats and the number of games to fit by."""
KEPT = 40
"""Positions of a game."""
RIDGE = 1e-3


def positions(game: str) -> tuple[Floats, Floats, Floats, Floats]:
    """Return features by position and seat, progress, shares of the win, and the game's number."""
    rules, ref = load(game), manifest(game).values
    assert ref is not None, "the game has values"
    values: FeatureValues = ref.load()
    seats, games = GAMES[game]
    options = {name: of[0] for name, of in rules.options.items()}
    found: list[tuple[Any, float, list[float], int]] = []
    for number in range(games):
        luck = b"values %d" % number
        agents = [lanplay_ai.make("expert", luck + b"%d" % n, game) for n in range(seats)]
        header = Header(game, options, ("expert",) * seats, luck)
        play = Simulation(rules, header, agents, Chance(luck))
        seen = []
        while play.request is not None:
            if isinstance(play.request, Choose) and play.table.round:
                seen.append(values.features(play.table))
            play.step()
        won = rules.result(play.table).winners
        shares = [(seat in won) / len(won) for seat in range(seats)]
        places = sorted({len(seen) * part // KEPT for part in range(KEPT)})
        found += [(*seen[place], shares, number) for place in places]
    rows, progress, shares_, numbers = zip(*found, strict=True)
    return (
        np.array(rows, dtype=float),
        np.array(progress),
        np.array(shares_),
        np.array(numbers, dtype=float),
    )


def softmax(rows: Floats, weights: Floats) -> Floats:
    """Return the shares that weights give."""
    worths = rows @ weights
    odds = np.exp(worths - worths.max(1, keepdims=True))
    shares: Floats = odds / odds.sum(1, keepdims=True)
    return shares


def fitted(rows: Floats, shares: Floats) -> Floats:
    """Return the weights under which the winners were most likely."""
    count = rows.shape[2]
    weights = np.zeros(count)
    for _ in range(60):
        said = softmax(rows, weights)
        apart = rows - (said[:, :, None] * rows).sum(1, keepdims=True)
        slope = (apart * (shares - said)[:, :, None]).sum((0, 1)) / len(rows) - RIDGE * weights
        bend = np.einsum("nsi,nsj,ns->ij", apart, apart, said) / len(rows)
        weights = weights + np.linalg.solve(bend + RIDGE * np.eye(count), slope)
    return weights


def main() -> int:
    """Fit for every game that has features."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print("# What features of a position weigh, and what progress adds; made by scripts/values.py.")
    for game in GAMES:
        plain, progress, shares, numbers = positions(game)
        rows = np.concatenate([plain, plain * progress[:, None, None]], 2)
        left_out = numbers % 3 == 0
        weights = np.round(fitted(rows[~left_out], shares[~left_out]), 4)
        half = len(weights) // 2
        print(f"\n[{game}]\nearly = {weights[:half].tolist()}\nlate = {weights[half:].tolist()}")
        said = softmax(rows, weights)
        place = np.concatenate([np.linspace(0, 1, int((numbers == n).sum())) for n in set(numbers)])
        told = []
        for third in range(3):
            now = left_out & (place >= third / 3) & (place <= (third + 1) / 3)
            rest = ((said - shares)[now] ** 2).sum()
            even = ((1 / shares.shape[1] - shares)[now] ** 2).sum()
            told.append(f"{1 - rest / even:.0%}")
        print(game, "variance explained by thirds:", *told, file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
