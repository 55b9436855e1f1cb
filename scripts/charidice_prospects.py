#!/usr/bin/env python3
"""Fit what a game of Charidice is worth to its seats between two turns, to who won.

The frozen bots of tests/rivals play games; of each the share of the win is known. The figures of
``prospects.toml`` are those under which the shares that ``model`` (``CharidiceProspects`` for
arrays) says between turns are most likely: found by the simplex method of Nelder and Mead for all
numbers of seats together, then from there for two and for four alone. One game of four is left out,
and tells how good they are.

usage: python scripts/charidice_prospects.py    (prints the file; a minute, and numpy)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "ai"), str(ROOT / "tests/rivals")]

from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.games.charidice.table import ROUNDS  # noqa: E402

Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
Rows: TypeAlias = tuple[Floats, ...]
GAME = load("charidice")
GAMES = 4000
NAMES = ["points", "gift", "greatest", "last", "turn", "given_last", "given_turn", "great"]
START = (30.7, 8.5, 8.0, 3.0, 11.0, 3.0, 6.0, 1.5)
STEPS = np.array([1.0, 0.5, 2.0, 2.0, 2.0, 2.0, 2.0, 0.5])


def positions(seats: int) -> tuple[Floats, Rows]:
    """Return the number of the game, and totals, gifts, turns left, greatest gifts, shares."""
    import lanplay_rivals.charidice as rivals  # type: ignore[import-not-found]  # not shipped

    numbers: list[int] = []
    rows: list[tuple[list[float], ...]] = []
    for number in range(GAMES):
        luck = b"fit%d %d" % (seats, number)
        levels = [("expert", "strong")[(number + seat) % 2] for seat in range(seats)]
        agents = [rivals.BOTS[level].make(b"") for level in levels]
        game = Simulation(GAME, Header(GAME.name, {}, tuple(levels), luck), agents, Chance(luck))
        t, seen = game.table, []
        while game.request is not None:
            turns = sum(map(len, t.given))
            game.step()
            if sum(map(len, t.given)) > turns:
                total = [float(t.total(seat)) for seat in range(seats)]
                left = [float(ROUNDS - len(column)) for column in t.points]
                given = [float(sum(column)) for column in t.given]
                seen.append((total, given, left, [float(each) for each in t.greatest]))
        won = GAME.result(t).winners
        shares = [(seat in won) / len(won) for seat in range(seats)]
        rows += [(*each, shares) for each in seen[:-1]]
        numbers += [number] * (len(seen) - 1)
    return np.array(numbers), tuple(np.array(column) for column in zip(*rows, strict=True))


def model(point: Floats, rows: Rows) -> Floats:
    """Return every seat's share of the win, as ``CharidiceProspects`` has it."""
    points, gift, greatest, last, turn, given_last, given_turn, great = point
    total, given, left, still = rows[:4]
    each = left.sum(1, keepdims=True) / total.shape[1]
    givers = np.roll(left, 1, 1)
    doubled = still * greatest * (1 - np.exp(-givers / 1.5))
    scores = total + points * left + gift * givers + doubled
    gifts = given + gift * left + np.roll(doubled, -1, 1)
    slope = 1 / np.sqrt(last * last + turn * turn * each)
    sharp = 1 / np.sqrt(given_last * given_last + given_turn * given_turn * each)
    charity = softmax(gifts * sharp)
    bonus = 20 + 10 / (1 + np.exp(-(gifts - 60.5) * sharp * great))
    found: Floats = np.zeros_like(total)
    for seat in range(total.shape[1]):
        more = scores.copy()
        more[:, seat] += bonus[:, seat]
        found += charity[:, seat : seat + 1] * softmax(more * slope)
    return found


def softmax(values: Floats) -> Floats:
    """Return shares by the exponentials of values."""
    odds: Floats = np.exp(values - values.max(1, keepdims=True))
    shares: Floats = odds / odds.sum(1, keepdims=True)
    return shares


def surprise(rows: Rows, point: Floats) -> float:
    """Return how unlikely the winners were on average: the mean of minus the logarithm."""
    said = np.maximum(model(point, rows), 1e-9)
    return float(-(rows[4] * np.log(said)).sum(1).mean())


def simplex(cost: Callable[[Floats], float], start: Floats, steps: Floats, rounds: int) -> Floats:
    """Return about the least costly point near another (Nelder and Mead)."""
    points = [start, *[start + step for step in np.diag(steps)]]
    costs = [cost(point) for point in points]
    for _ in range(rounds):
        order = np.argsort(costs)
        points, costs = [points[k] for k in order], [costs[k] for k in order]
        middle = np.mean(points[:-1], axis=0)
        step = middle - points[-1]
        tried = middle + step
        found = cost(tried)
        if found < costs[0]:
            further = middle + 2 * step
            more = cost(further)
            points[-1], costs[-1] = (further, more) if more < found else (tried, found)
        elif found < costs[-2]:
            points[-1], costs[-1] = tried, found
        else:
            nearer = middle - 0.5 * step
            less = cost(nearer)
            if less < costs[-1]:
                points[-1], costs[-1] = nearer, less
            else:
                points = [points[0], *[(points[0] + point) / 2 for point in points[1:]]]
                costs = [costs[0], *[cost(point) for point in points[1:]]]
    best: Floats = points[0]
    return best


def main() -> int:
    """Fit for every number of seats."""
    fit: dict[int, Rows] = {}
    test: dict[int, Rows] = {}
    for seats in GAME.seats:
        numbers, rows = positions(seats)
        some = (numbers % 4 != 0) & (np.random.default_rng(1).random(len(numbers)) < 0.35)
        fit[seats] = tuple(column[some] for column in rows)
        test[seats] = tuple(column[numbers % 4 == 0] for column in rows)

    def all_together(point: Floats) -> float:
        return sum(surprise(rows, point) / float(np.log(n)) for n, rows in fit.items()) / 3

    joint = simplex(all_together, np.array(START), STEPS, 220)
    for seats, rows in fit.items():
        found = joint if seats == 3 else simplex(partial(surprise, rows), joint, STEPS / 3, 120)
        print(f"[{seats}]")
        print("".join(f"{n} = {abs(x):.3f}\n" for n, x in zip(NAMES, found, strict=True)))
        said, came, left = model(found, test[seats]), test[seats][4], test[seats][2].sum(1)
        print(f"{seats} seats, variance explained by thirds:", end=" ", file=sys.stderr)
        for third in (2, 1, 0):
            now = (left > third * 7 * seats / 3) & (left <= (third + 1) * 7 * seats / 3)
            rest = ((said - came)[now] ** 2).sum() / ((1 / seats - came)[now] ** 2).sum()
            print(f"{1 - rest:.0%}", end=" ", file=sys.stderr)
        gaps = [
            abs(said[part].mean() - came[part].mean())
            for low in np.arange(0, 1, 0.1)
            for part in [(said >= low) & (said < low + 0.1)]
        ]
        print(f"greatest gap of a tenth {max(gaps):.3f}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
