#!/usr/bin/env python3
"""Check by simulation how often the sequential test of tournaments errs, and how long it takes.

Deals are drawn from a model: a deal is four games between two entrants, luck cancels more or less
(most deals are drawn as a whole), and the first is better by a true difference. For each true
difference the script prints how often the test says "better", and the mean number of deals.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lanplay.tournament.moments import Moments  # needs the line above
from lanplay.tournament.sprt import Sprt, expected

GAMES = 4
MOST = 200_000


def deal(random: Random, share: float, cancels: float) -> int:
    """Return twice the number of games of a deal that the first came out above in."""
    if random.random() < cancels:
        lucky = GAMES * (share - 0.5) / cancels  # the difference is all in these deals
        return GAMES + (2 if random.random() < lucky else 0)
    return 2 * sum(random.random() < 0.5 for _ in range(GAMES))


def run(random: Random, sprt: Sprt, elo: float, cancels: float) -> tuple[str | None, int]:
    """Return the verdict on entrants that differ by ``elo``, and how many deals it took."""
    share, moments = expected(elo), Moments()
    while moments.deals < MOST:
        moments.add(deal(random, share, cancels))
        verdict = sprt.verdict(moments, 2 * GAMES)
        if verdict is not None:
            return verdict, moments.deals
    return None, moments.deals


def main() -> int:
    """Print a table; return 1 if the test errs more often than it says, by more than 3 sigma."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--elo1", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    sprt, random, wrong = Sprt(elo1=args.elo1), Random(args.seed), 0
    print(f"elo0=0, elo1={args.elo1:g}, alpha=beta=0.05, {args.runs} runs each")
    print("luck cancels in   true elo   says better   mean deals")
    for cancels in (0.5, 0.8, 0.95):
        for part in (0.0, 0.5, 1.0, 1.5):
            elo = part * args.elo1
            found = [run(random, sprt, elo, cancels) for _ in range(args.runs)]
            better = sum(verdict == "better" for verdict, _ in found) / args.runs
            deals = sum(length for _, length in found) / args.runs
            print(f"{cancels:>15.0%} {elo:>10.1f} {better:>13.1%} {deals:>12.0f}", flush=True)
            error = {0.0: better, 1.0: 1 - better}.get(part, 0.0)
            wrong += error > 0.05 + 3 * (0.05 * 0.95 / args.runs) ** 0.5
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
