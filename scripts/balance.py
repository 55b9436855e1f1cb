#!/usr/bin/env python3
"""Measure the balance of A Dog's Life (DL-1.6): who wins among equal bots, and how long it takes.

    python3 scripts/balance.py [--games 20000] [--seats 2 4 6] [--bot expert] [--jobs 2] [--first 0]

Prints, for each number of seats, how often each dog, each den and each place in the order of play
wins, as a multiple of its share, with 95 % intervals, and how many rounds a game takes. Exit status
1 if a dog or den is outside 0.75 to 1.25, or the median game of four seats outside 10 to 25 rounds.
The same arguments, the same games, whatever the number of processes; games have numbers, and with
another ``--first`` there are others.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import lanplay_ai as ai  # noqa: E402  # needs the line above
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.plain import digest  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.games.dogs_life.table import DogsLifeTable  # noqa: E402
from lanplay.games.dogs_life.town import TOWN  # noqa: E402

GAME = load("dogs-life")

ALLOWED = (0.75, 1.25)
"""What multiple of its share a dog or a den may win (DL-1.6)."""
LENGTHS = (10, 25)
"""Between how many rounds the median game of ``MEASURED`` seats lies (DL-1.6)."""
MEASURED = 4
CHUNK = 250
"""Games to a task."""
NORMAL = 1.959964
"""The 97.5 % point of the normal law."""
Name = tuple[str, str]
"""What kind of thing (``"dog"``, ``"den"`` or ``"turn"``), and which."""


@dataclass
class Count:
    """What games came to: in how many a thing was there, what it won, how long they were."""

    games: Counter[Name] = field(default_factory=Counter)
    wins: dict[Name, float] = field(default_factory=dict)
    rounds: Counter[int] = field(default_factory=Counter)

    def add(self, t: DogsLifeTable) -> None:
        """Count a game that is over; a win that is shared is a part of one to each."""
        self.rounds[t.round] += 1
        for turn, seat in enumerate(t.order()):
            won = (seat in t.winners) / len(t.winners)
            den = TOWN.key(t.home(seat))
            for name in (("dog", t.dog(seat).key), ("den", den), ("turn", str(turn + 1))):
                self.games[name] += 1
                self.wins[name] = self.wins.get(name, 0) + won

    def join(self, other: Count) -> None:
        """Add what other games came to."""
        self.games += other.games
        for name, won in other.wins.items():
            self.wins[name] = self.wins.get(name, 0) + won
        self.rounds += other.rounds

    def shares(self, seats: int) -> Iterator[tuple[Name, float, float]]:
        """Yield the multiple of its share that each thing won, and half of its 95 % interval."""
        for kind in ("dog", "den", "turn"):
            for name in sorted(each for each in self.games if each[0] == kind):
                games = self.games[name]
                won = self.wins[name] / games
                yield name, won * seats, NORMAL * seats * math.sqrt(won * (1 - won) / games)


def play(bot: str, seats: int, first: int) -> Count:
    """Play ``CHUNK`` games from number ``first`` on."""
    count = Count()
    for number in range(first, first + CHUNK):
        seed = digest(("balance", seats, number))
        header = Header(GAME.name, {}, (bot,) * seats, seed)
        agents = [ai.make(bot, digest((seat, seed)), GAME.name) for seat in range(seats)]
        game = Simulation(GAME, header, agents, Chance(seed))
        game.run()
        assert isinstance(game.table, DogsLifeTable)
        count.add(game.table)
    return count


def measure(bot: str, seats: int, first: int, games: int, jobs: int) -> Count:
    """Play ``games`` games, from number ``first`` on, in ``jobs`` processes."""
    total = Count()
    with ProcessPoolExecutor(jobs) as pool:
        for count in pool.map(partial(play, bot, seats), range(first, first + games, CHUNK)):
            total.join(count)
    return total


def quantile(rounds: Counter[int], part: float) -> int:
    """Return the least number of rounds within which that part of the games are over."""
    left = part * rounds.total()
    for number in sorted(rounds):
        left -= rounds[number]
        if left <= 0:
            return number
    return max(rounds)


def show(seats: int, count: Count) -> bool:
    """Print a table in Markdown; return whether all that is limited is within its limits."""
    print(f"\n### {seats} seats, {count.rounds.total():,} games\n")
    print("| | | times its share | 95 % interval | games |\n|---|---|---:|---:|---:|")
    fair = True
    for (kind, name), share, half in count.shares(seats):
        print(
            f"| {kind} | {name} | {share:.3f} | {share - half:.3f} to {share + half:.3f} "
            f"| {count.games[kind, name]:,} |"
        )
        fair &= kind == "turn" or ALLOWED[0] <= share <= ALLOWED[1]
    low, middle, high = (quantile(count.rounds, part) for part in (0.05, 0.5, 0.95))
    print(f"\nRounds: median {middle}; nine of ten games take {low} to {high}.", flush=True)
    return fair and (seats != MEASURED or LENGTHS[0] <= middle <= LENGTHS[1])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the balance of A Dog's Life.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4, 6])
    parser.add_argument("--bot", default="expert", choices=ai.names(GAME.name))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args(arguments)
    fair = []
    for seats in args.seats:
        count = measure(args.bot, seats, args.first, args.games, args.jobs)
        fair.append(show(seats, count))
    print(f"\nWithin the limits of DL-1.6: {'yes' if all(fair) else 'no'}.")
    return 0 if all(fair) else 1


if __name__ == "__main__":
    sys.exit(main())
