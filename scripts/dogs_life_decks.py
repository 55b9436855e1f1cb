#!/usr/bin/env python3
"""Search decks for A Dog's Life under which every dog earns its share at every level.

    python3 scripts/dogs_life_decks.py [--games 600] [--steps 8] [--jobs 1] [--first 1000000]

Each step plays games of all levels and seats (``balance.py``); every dog whose mean share is off
gains or loses cards worth most of that, by lot, at ``PRICES`` and within what its breed allows
(``LIMITS``, DL-1.3). Prints the decks that came nearest, as ``dogs.toml`` has them. It begins with
the decks of the game; where it ends, ``balance.py`` measures them on games not seen here.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "ai"), str(ROOT / "protocol")]

from lanplay.games.dogs_life import dogs, table  # noqa: E402  # needs the line above
from lanplay.games.dogs_life.dogs import BONE, FIELDS, NOTHING, RESULTS, Dog  # noqa: E402
from lanplay_ai.dogs_life import odds  # noqa: E402
from scripts import balance  # noqa: E402

LEVELS: Final = ("casual", "strong", "expert")
SEATS: Final = (2, 4, 6)
EVEN: Final = 0.05
"""What a mean share may be off without a change."""


@dataclass(frozen=True)
class Knob:
    """What is turned: a field, bones of it or its other signs; what a card adds to a share."""

    field: str
    bones: bool
    price: float


KNOBS: Final = {
    "bin bones": Knob("trash", True, 0.11),
    "bin food": Knob("trash", False, 0.05),
    "restaurant bones": Knob("restaurant", True, 0.33),
    "restaurant food": Knob("restaurant", False, 0.15),
    "newspaper bones": Knob("newspaper", True, 0.06),
    "paws": Knob("fight", False, 0.056),
    "escapes": Knob("catcher", False, 0.044),
    "outs": Knob("pound", False, 0.05),
}
"""Prices by regression over random decks."""
LIMITS: Final = {
    "belle": ((0, 0), (2, 4), (3, 3), (3, 6), (7, 9), (18, 20), (5, 10), (5, 8)),
    "fido": ((4, 4), (4, 6), (0, 0), (3, 3), (6, 8), (21, 25), (4, 10), (2, 2)),
    "rex": ((0, 0), (4, 5), (1, 1), (6, 6), (12, 12), (30, 33), (6, 12), (6, 9)),
    "grouchy": ((2, 2), (4, 7), (0, 0), (0, 3), (5, 8), (32, 34), (1, 2), (3, 6)),
    "white-fang": ((0, 1), (2, 5), (0, 0), (6, 6), (8, 10), (21, 29), (2, 10), (3, 6)),
    "vagabond": ((0, 0), (0, 4), (2, 2), (3, 3), (5, 8), (25, 29), (2, 8), (10, 10)),
}
"""The least and the most of each knob, in their order, that a breed may have (DL-1.3)."""


def amount(dog: Dog, knob: Knob) -> int:
    """Return how many bones, cards with food, paws, escapes or outs a deck has."""
    signs = dog.field(knob.field)
    if knob.bones:
        return signs.count(BONE)
    if knob.field in ("trash", "restaurant"):
        return sum(sign not in (NOTHING, BONE) for sign in signs)
    return sum(signs)


def changed(dog: Dog, knob: Knob, more: bool, lot: Random) -> Dog:
    """Return the dog with one card made better or worse."""
    signs = list(dog.field(knob.field))
    least = 1 if knob.field in ("newspaper", "fight") else 0
    places = lot.sample(range(RESULTS), RESULTS)
    if knob.bones:
        poor = lot.choice((1, 2, 3)) if knob.field == "newspaper" else NOTHING
        old = sorted({sign for sign in signs if sign != BONE})[:1] if more else [BONE]
        new = BONE if more else poor
    elif knob.field in ("trash", "restaurant"):
        old, new = ([NOTHING], lot.choice((1, 2))) if more else ([1, 2, 3], NOTHING)
    else:
        top = 3 if knob.field == "fight" else 1
        old = list(range(least, top)) if more else list(range(least + 1, top + 1))
        new = None
    for place in places:
        if signs[place] in old:
            signs[place] = (signs[place] + (1 if more else -1)) if new is None else new
            break
    fields = {name: dog.field(name) for name in FIELDS} | {knob.field: tuple(signs)}
    return Dog(dog.key, dog.points, **fields)


def corrected(dog: Dog, off: float, lot: Random) -> Dog:
    """Return the dog with cards changed until about ``off`` of its share should be gone."""
    due, more = abs(off), off < 0
    for _ in range(80):
        number = lot.randrange(len(KNOBS))
        knob = list(KNOBS.values())[number]
        low, high = LIMITS[dog.key][number]
        wanted = amount(dog, knob) + (1 if more else -1)
        if due <= 0.02:
            break
        if knob.price <= due + 0.02 and low <= wanted <= high:
            dog, due = changed(dog, knob, more, lot), due - knob.price
    return dog


def play(task: tuple[tuple[Dog, ...], str, int, int]) -> balance.Count:
    """Play a chunk of games with some decks; for a process of a pool."""
    six, level, seats, first = task
    for module in (dogs, table, odds):
        vars(module)["DOGS"] = six
    odds.odds.cache_clear()
    return balance.play(level, seats, first)


def text(six: Sequence[Dog]) -> str:
    """Return decks as ``dogs.toml`` has them."""
    lines = []
    for dog in six:
        lines += ["", f"[{dog.key}]", f"points = {dog.points}"]
        for name in FIELDS:
            signs = {value: sign for sign, value in dogs.SIGNS[name].items()}
            shown = " ".join(signs[value] for value in dog.field(name))
            lines.append(f'{name:<10} = "{shown}"')
    return "\n".join(lines)


def main() -> int:
    """Search, and print what was found."""
    parser = argparse.ArgumentParser(description="Search decks under which dogs are even.")
    parser.add_argument("--games", type=int, default=600, help="of each level and number of seats")
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--first", type=int, default=1_000_000)
    args = parser.parse_args()
    lot, now, best, least = Random(args.first), dogs.DOGS, dogs.DOGS, float("inf")
    with ProcessPoolExecutor(args.jobs) as pool:
        for step in range(args.steps):
            first = args.first + step * args.games
            found: dict[str, list[float]] = {dog.key: [] for dog in now}
            for seats in SEATS:
                for level in LEVELS:
                    count = balance.Count()
                    firsts = range(first, first + args.games, balance.CHUNK)
                    for part in pool.map(play, [(now, level, seats, each) for each in firsts]):
                        count.join(part)
                    for (kind, key), share, _ in count.shares(seats):
                        if kind == "dog":
                            found[key].append(share)
            mean = {key: sum(shares) / len(shares) for key, shares in found.items()}
            cost = sum((share - 1) ** 2 for share in mean.values())
            print(f"# {step}: {cost:.3f}", {key: round(of, 2) for key, of in mean.items()})
            if cost < least:
                best, least = now, cost
            part_of = 0.7 * 0.8**step
            now = tuple(
                corrected(dog, part_of * (mean[dog.key] - 1), lot)
                if abs(mean[dog.key] - 1) > EVEN
                else dog
                for dog in now
            )
    print(text(best))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
