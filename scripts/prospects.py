#!/usr/bin/env python3
"""Fit what a game of Charidice promises: the figures of ``ai/lanplay_ai/charidice/prospects.toml``.

From turns in the middle of games the rest is played thousands of times without that turn, which
tells the share of the win for each of its outcomes. The figures are those under which the prospects
err least in how these shares differ: nothing else decides a turn. All play as ``strong`` does, but
for the seat whose turn it is: until it is ahead in giving it pays for charity, about as ``expert``.

usage: python scripts/prospects.py [SEATS ...]    (prints the file; ten minutes, and numpy)
"""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "ai")]

from lanplay.games.charidice.dice import DICE, SIDES  # noqa: E402
from lanplay.games.charidice.rules import CHARITY, GREAT_CHARITY, GREAT_GIVING  # noqa: E402
from lanplay.games.charidice.table import ROUNDS, CharidiceTable  # noqa: E402
from lanplay_ai.charidice.demands import demands  # noqa: E402
from lanplay_ai.charidice.optimum import best_sets, optimum, outcomes  # noqa: E402
from lanplay_ai.charidice.prospects import CharidiceProspects, Fitted, fitted  # noqa: E402

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
TURNS, FUTURES, PASSES, CHECKED = 250, 8000, 12, 4000
"""To fit by; how often each is ended; how often all figures are looked at; games that show how good
they are."""
SEED = 4
PRICES, AHEAD = (0.0, -0.4), 5
"""What a point given away costs, as a rule and until a seat that wants charity is so far ahead."""
LIKELY = {each: chance for each, chance in sorted(outcomes(0.0).items()) if chance > 1 / 2000}
"""The outcomes of a turn that are looked at, with their chances."""

_BASE = SIDES + 1
_KEPT = np.array(
    [np.arange(_BASE**DICE) // _BASE ** (DICE - 1 - die) % _BASE for die in range(DICE)]
).T
_UNITS = SIDES ** np.arange(DICE - 1, -1, -1)
_RULE = demands()
_PLANS = np.array([optimum(price).kept for price in PRICES])
_BROUGHT = np.array([np.array(best_sets(price)).T for price in PRICES])


class Games:
    """Many games of as many seats side by side, in which one seat, if any, wants charity."""

    def __init__(self, seats: int, number: int, luck: np.random.Generator, one: int = -1) -> None:
        self.seats, self.luck, self.one = seats, luck, one
        self.scores, self.given = np.zeros((2, number, seats), int)
        self.greatest = np.ones((number, seats), bool)

    def play(self, first: int, end: int) -> None:
        """Play some turns, by their numbers: seat 0 begins every round."""
        for turn in range(first, end):
            self._turn(turn % self.seats, ROUNDS - turn // self.seats)

    def _turn(self, seat: int, left: int) -> None:
        lead = self.given[:, seat] - np.delete(self.given, seat, axis=1).max(axis=1)
        plan = ((lead < AHEAD) & (seat == self.one)).astype(int)
        asked = self.greatest[:, (seat + 1) % self.seats]
        rolls = self.luck.integers(0, SIDES**DICE, len(asked))
        waits = np.array([_RULE.wait[left], np.full(SIDES**DICE, _RULE.later[left - 1])])
        demanded, goes_on = np.zeros_like(asked), np.ones_like(asked)
        for made in range(2):
            now = goes_on & asked & (np.array(_RULE.gift[made])[rolls] >= waits[made][rolls])
            demanded |= now
            asked &= ~now
            kept = _KEPT[_PLANS[plan, made, rolls]]
            goes_on &= (kept == 0).any(axis=1)
            rolled = np.where(kept, kept, self.luck.integers(1, _BASE, kept.shape)) - 1
            rolls = np.where(goes_on, rolled @ _UNITS, rolls)
        points, gifts, _ = _BROUGHT[plan, :, rolls].T
        self.give(seat, points, gifts * (1 + demanded))

    def give(self, seat: int, points: Array | int, gift: Array | int) -> None:
        """Let a seat score so many points and give so many away."""
        self.scores[:, seat] += points
        self.scores[:, (seat + 1) % self.seats] += gift
        self.given[:, seat] += gift

    def table(self, game: int, turns: int) -> CharidiceTable:
        """Return the table of a game after so many turns: with sums where it has columns."""
        table = CharidiceTable(self.seats)
        table.first, table.round = 0, turns // self.seats + 1
        table.greatest = [bool(each) for each in self.greatest[game]]
        for seat in range(self.seats):
            had = table.round - 1 + (seat < turns % self.seats)
            table.given[seat] = [int(self.given[game, seat]), *[0] * had][:had]
            table.received[seat] = [int(self.scores[game, seat])]
        return table

    def shares(self, seat: int, points: int = 0, gift: int = 0) -> Array:
        """Return what a seat wins of each game with so much more in points and gift."""
        scores, given = self.scores.copy(), self.given.copy()
        scores[:, seat] += points
        scores[:, (seat + 1) % self.seats] += gift
        given[:, seat] += gift
        most = given.max(axis=1, keepdims=True)
        bonus = np.where(most > GREAT_GIVING, GREAT_CHARITY, CHARITY)
        scores += np.where(given == most, bonus, 0)
        wins = scores == scores.max(axis=1, keepdims=True)
        found: Array = wins[:, seat] / wins.sum(axis=1)
        return found


class Turn(NamedTuple):
    """A table before a turn of ``seat``, and what each of the ``LIKELY`` outcomes is worth."""

    table: CharidiceTable
    seat: int
    shares: Array


def turn(seats: int, luck: np.random.Generator) -> Turn:
    """Return a turn that is not of the last round, and play the rest of its game many times."""
    number = int(luck.integers(seats * (ROUNDS - 1)))
    seat = number % seats
    before = Games(seats, 1, luck, seat)
    before.play(0, number)
    after = Games(seats, FUTURES, luck, seat)
    after.scores += before.scores
    after.given += before.given
    after.greatest &= before.greatest
    after.play(number + 1, seats * ROUNDS)
    shares = np.array([after.shares(seat, *each).mean() for each in LIKELY])
    return Turn(before.table(0, number), seat, shares)


def error(fit: Fitted, turns: list[Turn]) -> float:
    """Return the mean square of what the prospects err by, in hundredths of the win."""
    chances, found = np.array([*LIKELY.values()]), 0.0
    for table, seat, shares in turns:
        said = CharidiceProspects(table, seat, fit).after(seat, LIKELY)
        off = 100 * (np.array([said[each] for each in LIKELY]) - shares)
        found += float(np.average((off - np.average(off, weights=chances)) ** 2, weights=chances))
    return found / len(turns)


def fit(seats: int) -> Fitted:
    """Return the figures for so many seats: step by step, as long as the error falls."""
    luck = np.random.default_rng([SEED, seats])
    turns, best = [turn(seats, luck) for _ in range(TURNS)], fitted(seats)
    best = replace(best, own=best.own or 1.0)  # a step is a part of a figure
    steps, least = dict.fromkeys(asdict(best), 0.15), error(best, turns)
    for _ in range(PASSES):
        for name, step in steps.items():
            steps[name] = step / 2
            for factor in np.exp([step, -step]):
                tried = replace(best, **{name: round(getattr(best, name) * float(factor), 3)})
                if (found := error(tried, turns)) < least:
                    best, least, steps[name] = tried, found, 1.3 * step
                    break
        print(f"# {seats} seats: {least:.4f}", file=sys.stderr)
    return best


def tell(seats: int, fit: Fitted) -> None:
    """Print how much of the variance of who wins other games is explained, by thirds of a game,
    and by how much a tenth of what is said is off at most."""
    games = Games(seats, CHECKED, np.random.default_rng([SEED, seats, 1]))
    said: list[list[list[float]]] = []
    for number in range(1, seats * ROUNDS):
        games.play(number - 1, number)
        tables = (games.table(each, number) for each in range(CHECKED))
        said.append([CharidiceProspects(table, fit=fit).shares() for table in tables])
    games.play(seats * ROUNDS - 1, seats * ROUNDS)
    came = np.array([games.shares(seat) for seat in range(seats)]).T
    thirds = np.array_split(np.array(said), 3)
    left = [((third - came) ** 2).mean() / ((1 / seats - came) ** 2).mean() for third in thirds]
    every, what = np.array(said).ravel(), np.broadcast_to(came, np.array(said).shape).ravel()
    tenth = np.minimum((10 * every).astype(int), 9)
    gaps = [abs((every - what)[tenth == each].mean()) for each in range(10)]
    explained = ", ".join(f"{1 - each:.0%}" for each in left)
    print(f"# {seats} seats: {explained} explained, off by {max(gaps):.3f}", file=sys.stderr)


def main() -> None:
    """Print the figures for some numbers of seats, or all."""
    for seats in map(int, sys.argv[1:] or "234"):
        found = fit(seats)
        tell(seats, found)
        lines = [f"{name} = {value}" for name, value in asdict(found).items()]
        print(f"\n[{seats}]", *lines, sep="\n")


if __name__ == "__main__":
    main()
