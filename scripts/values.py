#!/usr/bin/env python3
"""Fit what positions are worth to how games ended: the weights of ``ai/lanplay_ai/values.toml``.

Experts play games at all numbers of seats; positions are taken wherever a question was asked, the
same number of every game. Newton's method finds the weights under which the winners were most
likely, least squares those of the points. One game of three is left out, and tells how much of the
variance of who wins and of the scores they explain, by thirds of a game.

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
GAMES = {"dice-town": 600, "dogs-life": 600, "charidice": 120, "fliptown": 120}
"""The number of games to fit by."""
KEPT = 40
"""Positions of a game."""
RIDGE = 1e-3


def positions(game: str, values: FeatureValues) -> list[Floats]:
    """Return by position the game and the part of it that is over, and by seat the features, what
    progress adds to them, the share of the win and the points: 0 for seats that are not taken."""
    rules, counts = load(game), manifest(game).seats
    options = {name: of[0] for name, of in rules.options.items()}
    found: list[tuple[Any, ...]] = []
    for number in range(GAMES[game]):
        seats, luck = counts[number // 3 % len(counts)], b"values %d" % number
        agents = [lanplay_ai.make("expert", luck + b"%d" % n, game) for n in range(seats)]
        header = Header(game, options, ("expert",) * seats, luck)
        play = Simulation(rules, header, agents, Chance(luck))
        seen = []
        while play.request is not None:
            if isinstance(play.request, Choose) and play.table.round:
                seen.append(values.features(play.table))
            play.step()
        ended, absent = rules.result(play.table), counts[-1] - seats
        figures = [[ended.share(seat) for seat in range(seats)], ended.scores]
        figures = [[*each, *[0.0] * absent] for each in figures]
        for place in sorted({len(seen) * part // KEPT for part in range(KEPT)}):
            plain, progress = seen[place]
            rows = [[*row, *(x * progress for x in row)] for row in plain]
            rows += [[0.0] * len(rows[0])] * absent
            found.append(((number, place / len(seen)), rows, *figures))
    return [np.array(each, dtype=float) for each in zip(*found, strict=True)]


def softmax(rows: Floats, weights: Floats) -> Floats:
    """Return the shares that weights give."""
    worths = np.where(rows.any(2), rows @ weights, -np.inf)
    odds = np.exp(worths - worths.max(1, keepdims=True))
    shares: Floats = odds / odds.sum(1, keepdims=True)
    return shares


def most_likely(rows: Floats, shares: Floats) -> Floats:
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


def expected(rows: Floats, weights: Floats) -> Floats:
    """Return the points that weights give: the first feature is a part of them as it is."""
    points: Floats = rows[:, :, 0] + np.delete(rows, (0, rows.shape[2] // 2), 2) @ weights
    return points


def closest(rows: Floats, points: Floats) -> Floats:
    """Return the weights by which points are off least, in squares."""
    taken = rows.any(2)
    missing = (points - expected(rows, np.zeros(rows.shape[2] - 2)))[taken]
    weighed = np.delete(rows, (0, rows.shape[2] // 2), 2)[taken]
    return np.array(np.linalg.lstsq(weighed, missing, rcond=None)[0], dtype=np.float64)


def main() -> int:
    """Fit for every game."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print("# What features of a position weigh, and what progress adds; made by scripts/values.py.")
    for game in GAMES:
        ref = manifest(game).values
        assert ref is not None, "the game has values"
        values: FeatureValues = ref.load()
        games, rows, shares, points = positions(game, values)
        seats, left_out = rows.any(2).sum(1), games[:, 0] % 3 == 0
        for figure, ends, fit, say in (
            ("share", shares, most_likely, softmax),
            ("points", points, closest, expected),
        ):
            if figure == "share" and values.foresees:
                continue  # they are worked out
            weights = np.round(fit(rows[~left_out], ends[~left_out]), 4) + 0.0
            early, late = np.split(weights, 2)
            print(f"\n[{game}.{figure}]\nearly = {early.tolist()}\nlate = {late.tolist()}")
            mean = {n: ends[(seats == n) & ~left_out][:, :n].mean() for n in set(seats)}
            even = np.array([mean[n] for n in seats])[:, None]
            told = []
            for third in range(3):
                now = left_out & (games[:, 1] * 3 // 1 == third)
                taken = rows[now].any(2)
                off = [
                    ((each - ends)[now][taken] ** 2).sum() for each in (say(rows, weights), even)
                ]
                told.append(f"{1 - off[0] / off[1]:.0%}")
            print(game, figure, "explained by thirds:", *told, file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
