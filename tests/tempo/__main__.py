"""``python -m tests.tempo virtual|leak|network``: how long people wait, what their times tell.

``network`` plays in real time, some games at once, in a network namespace without another network
(``unshare -n``); it keeps what it has played in a file, and goes on from there.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from itertools import product
from pathlib import Path

import trio

from tests.tempo import network
from tests.tempo.leak import told
from tests.tempo.virtual import Game, Tally

PACES = (0.75, 0.91, 1.11, 1.35)
"""They differ by 1.8."""
TABLES = {
    "two people, two AI, orders by half": (4, (1.0, 1.0), 0.5, 0.15),
    "two people, two AI, no orders": (4, (1.0, 1.0), 0.0, 0.21),
    "five people, orders by half": (5, (1.0,) * 5, 0.5, 0.13),
    "five people, no orders": (5, (1.0,) * 5, 0.0, 0.21),
}
"""Seats, paces of the people, the share of cards that are ordered about, and the most idle time."""
UPPER = {"one round": 0.57, "five rounds": 0.62}
"""How much the times of so many rounds may tell: the upper end of the AUC's 95 % interval."""


def virtual(games: int) -> bool:
    """Print the idle share of each table; return whether all are as wanted."""
    good = True
    for name, (seats, paces, orders, most) in TABLES.items():
        played = Game(seats, paces, orders=orders)
        for number in range(games):
            played.play(number)
        tally: Tally = played.tally
        good &= tally.idle <= most
        minutes = tally.total / 60 / games
        print(f"{name:36s} idle {tally.idle:6.1%} (at most {most:.0%}), {minutes:.1f} min a game")
    return good


def leak(games: int) -> bool:
    """Print what the times tell, with decoys and without; return whether it is as wanted.

    Where half of the cards are ordered about, and where nobody orders anything. There most is to be
    seen without decoys: a classifier that sees nothing there looks at nothing.
    """
    good = True
    for orders, decoys in product((0.5, 0.0), (True, False)):
        played = Game(4, PACES, orders=orders, decoys=decoys)
        for number in range(games):
            played.play(number)
        looks = sum(each.kind != "beat" for each in played.tally.sent) // len(PACES)
        found = told(played.tally)
        for name, (auc, upper) in found.items():
            what = f"orders {orders}, decoys {decoys!s:5} {looks} windows each, {name}"
            print(f"{what}: {auc:.3f}, up to {upper:.3f}")
            good &= not decoys or upper <= UPPER[name]
        good &= bool(decoys or orders) or found["one round"][0] >= 0.7
    return good


def networked(games: int, at_once: int, path: Path) -> bool:
    """Play until there are so many games in a file; print the idle share of all of them."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    left = [number for number in range(games) if str(number) not in kept]

    async def one(number: int) -> None:
        total, asked, rounds = await network.play(number, 0.5)
        kept[str(number)] = [total, asked, rounds]
        await trio.Path(path).write_text(json.dumps(kept))
        print(
            f"game {number}: {rounds} rounds, {total:.0f} s, idle {1 - asked / total:.1%}",
            flush=True,
        )

    async def some(numbers: list[int]) -> None:
        async with trio.open_nursery() as nursery:
            for number in numbers:
                nursery.start_soon(one, number)

    for first in range(0, len(left), at_once):
        trio.run(partial(some, left[first : first + at_once]))
    total, asked = (sum(each[place] for each in kept.values()) for place in (0, 1))
    idle = 1 - asked / total
    print(f"{len(kept)} networked games, two people and two AI: idle {idle:.1%} (at most 17%)")
    return idle <= 0.17


def main() -> int:
    """Run one of them; 0 if what was measured is as wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.tempo", description=__doc__)
    parser.add_argument("what", choices=("virtual", "leak", "network"))
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--kept", type=Path, default=Path("tempo.json"))
    args = parser.parse_args()
    if args.what == "virtual":
        return not virtual(args.games or 100)
    if args.what == "network":
        return not networked(args.games or 20, args.at_once, args.kept)
    try:
        import sklearn  # type: ignore[import-not-found,unused-ignore]  # noqa: F401
    except ImportError:
        print("This needs scikit-learn: pip install scikit-learn", file=sys.stderr)
        return 2
    return not leak(args.games or 170)


if __name__ == "__main__":
    sys.exit(main())
