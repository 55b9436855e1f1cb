#!/usr/bin/env python3
"""Measure the balance of A Dog's Life (DL-1.6): who wins among equal bots, by what, how fast.

    python3 scripts/balance.py [--games 4000] [--seats 2 4 6] [--bots casual strong expert]
                               [--jobs 1] [--first 0] [--without]

Prints, for each bot and number of seats, how often each dog, each den and each place in the order
of play wins, as a multiple of its share, with 95 % intervals, where new bones come from, and how
many rounds a game takes. ``--without`` adds restricted play: what a dog keeps of its share that
never does one kind of thing, at ``MEASURED`` seats among others of the same bot that may.
Exit status 1 if a limit of DL-1.6 is passed. The same arguments, the same games, whatever the
number of processes; games have numbers, and with another ``--first`` there are others.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "ai"), str(ROOT / "protocol")]

from lanplay.engine.chance import Chance  # noqa: E402  # needs the line above
from lanplay.engine.plain import digest  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.games.dogs_life import actions as a  # noqa: E402
from lanplay.games.dogs_life.table import DogsLifeTable  # noqa: E402
from lanplay.games.dogs_life.town import TOWN  # noqa: E402
from lanplay_ai.dogs_life.players import DogsLifePlayer  # noqa: E402
from lanplay_ai.dogs_life.profiles import PROFILES  # noqa: E402

GAME = load("dogs-life")
ALLOWED: Final = (0.75, 1.25)
"""What multiple of its share a dog or a den may win (DL-1.6)."""
LENGTHS: Final = (10, 25)
"""Between how many rounds the median game of ``MEASURED`` seats lies (DL-1.6)."""
NEWSPAPERS: Final = (0.15, 0.35)
"""What part of the new bones newspapers may bring (DL-1.6)."""
LOST: Final = 0.95
"""What a dog that never does a thing may keep of its share at most (DL-1.6)."""
WITHOUT: Final = {
    "bins": (a.SEARCH,),
    "restaurants": (a.BEG,),
    "newspapers": (a.TAKE, a.PICK_PAPER, a.DELIVER),
    "fights": (a.ATTACK,),
    "markers": (a.PIDDLE, a.DRINK),
}
MEASURED: Final = 4
CHUNK: Final = 100
"""Games to a task."""
NORMAL: Final = 1.959964
"""The 97.5 % point of the normal law."""
SOURCES: Final = {"searches": "bins", "begs": "restaurants", "delivers": "newspapers"}
HEARD: Final = frozenset({*SOURCES, "gets-bone"})
Name = tuple[str, str]
"""What kind of thing (``"dog"``, ``"den"`` or ``"turn"``), and which."""


@dataclass
class Count:
    """What games came to: in how many a thing was there, what it won, how long they were.

    ``bones`` counts new bones by source and by (source, dog).
    """

    games: Counter[Name] = field(default_factory=Counter)
    wins: dict[Name, float] = field(default_factory=dict)
    rounds: Counter[int] = field(default_factory=Counter)
    bones: Counter[str | Name] = field(default_factory=Counter)

    def add(self, t: DogsLifeTable) -> None:
        """Count a game that is over; a win that is shared is a part of one to each."""
        self.rounds[t.round] += 1
        for turn, seat in enumerate(t.order()):
            won = (seat in t.winners) / len(t.winners)
            den = TOWN.key(t.home(seat))
            for name in (("dog", t.dog(seat).key), ("den", den), ("turn", str(turn + 1))):
                self.games[name] += 1
                self.wins[name] = self.wins.get(name, 0) + won
        source = ""
        for event in t.log or ():
            if event.id in SOURCES:
                source = SOURCES[event.id]
            else:
                self.bones[source] += 1
                self.bones[source, t.dog(event.values["seat"]).key] += 1

    def join(self, other: Count) -> None:
        """Add what other games came to."""
        self.games += other.games
        for name, won in other.wins.items():
            self.wins[name] = self.wins.get(name, 0) + won
        self.rounds += other.rounds
        self.bones += other.bones

    def shares(self, seats: int) -> Iterator[tuple[Name, float, float]]:
        """Yield the multiple of its share that each thing won, and half of its 95 % interval."""
        for kind in ("dog", "den", "turn"):
            for name in sorted(each for each in self.games if each[0] == kind):
                games = self.games[name]
                won = self.wins[name] / games
                yield name, won * seats, NORMAL * seats * math.sqrt(won * (1 - won) / games)

    def part(self, source: str, dog: str = "") -> float:
        """Return what part of the new bones, of a dog or of all, comes from a source."""
        found = {each: self.bones[(each, dog) if dog else each] for each in SOURCES.values()}
        return found[source] / max(1, sum(found.values()))


def played(bot: str, seats: int, seed: bytes, never: Sequence[tuple[int, ...]]) -> DogsLifeTable:
    """Return the table of a game that is over; ``never`` says what each seat leaves alone."""
    header = Header(GAME.name, {}, (bot,) * seats, seed)
    agents = [
        DogsLifePlayer(replace(PROFILES[bot], never=kinds), digest((seat, seed)))
        for seat, kinds in enumerate(never)
    ]
    game = Simulation(GAME, header, agents, Chance(seed))
    table = game.table
    assert isinstance(table, DogsLifeTable)
    table.log, table.heard = [], HEARD
    game.run()
    return table


def play(bot: str, seats: int, first: int) -> Count:
    """Play ``CHUNK`` games from number ``first`` on."""
    count = Count()
    for number in range(first, first + CHUNK):
        count.add(played(bot, seats, digest(("balance", seats, number)), [()] * seats))
    return count


def restricted(bot: str, kinds: tuple[int, ...], first: int) -> list[float]:
    """Return, by deal, what part of its share a seat keeps that never does things of ``kinds``.

    ``CHUNK`` games, each deal from every seat.
    """
    kept = []
    for number in range(first, first + CHUNK // MEASURED):
        won = 0.0
        for seat in range(MEASURED):
            never = [kinds if other == seat else () for other in range(MEASURED)]
            t = played(bot, MEASURED, digest(("without", number)), never)
            won += (seat in t.winners) / len(t.winners)
        kept.append(won)
    return kept


def quantile(rounds: Counter[int], part: float) -> int:
    """Return the least number of rounds within which that part of the games are over."""
    left = part * rounds.total()
    for number in sorted(rounds):
        left -= rounds[number]
        if left <= 0:
            return number
    return max(rounds)


def show(bot: str, seats: int, count: Count) -> bool:
    """Print a table in Markdown; return whether all that is limited is within its limits."""
    print(f"\n### {bot}, {seats} seats, {count.rounds.total():,} games\n")
    print("| | | times its share | 95 % interval | games |\n|---|---|---:|---:|---:|")
    fair = True
    for (kind, name), share, half in count.shares(seats):
        print(
            f"| {kind} | {name} | {share:.3f} | {share - half:.3f} to {share + half:.3f} "
            f"| {count.games[kind, name]:,} |"
        )
        fair &= kind == "turn" or ALLOWED[0] <= share <= ALLOWED[1]
    told = ", ".join(f"{source} {count.part(source):.1%}" for source in SOURCES.values())
    papers, of_rex = count.part("newspapers"), count.part("newspapers", "rex")
    low, middle, high = (quantile(count.rounds, part) for part in (0.05, 0.5, 0.95))
    print(f"\nNew bones: {told}; of Rex's, newspapers {of_rex:.1%}.")
    print(f"Rounds: median {middle}; nine of ten games take {low} to {high}.", flush=True)
    fair &= NEWSPAPERS[0] <= papers <= min(NEWSPAPERS[1], of_rex)
    return fair and (seats != MEASURED or LENGTHS[0] <= middle <= LENGTHS[1])


def show_without(bot: str, name: str, kept: Sequence[float]) -> bool:
    """Print what restricted play says of one kind of thing; return whether it pays."""
    mean = sum(kept) / len(kept)
    spread = sum((each - mean) ** 2 for each in kept) / (len(kept) - 1)
    half = NORMAL * math.sqrt(spread / len(kept))
    print(f"{bot} without {name}: {mean:.3f} ± {half:.3f} of its share", flush=True)
    return mean <= LOST


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the balance of A Dog's Life.")
    parser.add_argument("--games", type=int, default=4_000)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4, 6])
    parser.add_argument("--bots", nargs="+", default=["casual", "strong", "expert"])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--without", action="store_true")
    args = parser.parse_args(arguments)
    if unknown := set(args.bots) - PROFILES.keys():
        parser.error(f"no bot of this game: {', '.join(sorted(unknown))}")
    fair = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for bot in args.bots:
            for seats in args.seats:
                count = Count()
                firsts = range(args.first, args.first + args.games, CHUNK)
                for found in pool.map(partial(play, bot, seats), firsts):
                    count.join(found)
                fair.append(show(bot, seats, count))
            deals = range(args.first, args.first + args.games // MEASURED, CHUNK // MEASURED)
            for name, kinds in WITHOUT.items() if args.without else ():
                parts = pool.map(partial(restricted, bot, kinds), deals)
                fair.append(show_without(bot, name, [each for part in parts for each in part]))
    print(f"\nWithin the limits of DL-1.6: {'yes' if all(fair) else 'no'}.")
    return 0 if all(fair) else 1


if __name__ == "__main__":
    sys.exit(main())
