"""What it takes to price every decision of whole games, and how exactly the gains add up.

    python scripts/campaigns/prices.py --games 5

Of each game: processor time to review a game of experts with every decision of every seat priced,
microseconds to value one position, and the largest difference between a seat's result and the sum
of the first position, luck and all decisions, in win share and in points.
"""

from __future__ import annotations

import argparse
import sys
from functools import reduce
from operator import add
from pathlib import Path
from statistics import median
from time import process_time

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / each) for each in ("", "ai", "protocol")]

import lanplay_ai as ai  # noqa: E402  # needs the line above
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.record import Header, Record  # noqa: E402
from lanplay.engine.requests import Choose  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import NAMES, load, manifest  # noqa: E402
from lanplay.ui.review import balance, review  # noqa: E402
from lanplay_ai.values import ValuedPosition, Worth  # noqa: E402


def priced(name: str, seats: int, luck: bytes) -> tuple[float, list[float], tuple[float, float]]:
    """Return the seconds of a review, those of each position valued, the largest differences."""
    game, ref = load(name), manifest(name).values
    assert ref is not None, "every game has values"
    values = ref.load()
    options = {option: of[0] for option, of in game.options.items()}
    header = Header(name, options, ("expert",) * seats, luck)
    agents = [ai.make("expert", luck + b"/%d" % seat, name) for seat in range(seats)]
    play, times = Simulation(game, header, agents, Chance(luck)), []
    while play.request is not None:
        if isinstance(play.request, Choose):
            now = process_time()
            values.worths(ValuedPosition(play.table, play.request, play.referee.history))
            times.append(process_time() - now)
        play.step()
    record = Record(header, tuple(play.referee.history), play.table.hash())
    now = process_time()
    steps = list(review(game, record))
    seconds = process_time() - now
    end = game.result(play.table)
    apart = [
        reduce(add, balance(seat, steps).values()) - Worth(end.share(seat), points)
        for seat, points in enumerate(end.scores)
    ]
    return seconds, times, (max(abs(w.share) for w in apart), max(abs(w.points) for w in apart))


def main() -> None:
    """Play, review and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--seats", type=int, default=3)
    asked = parser.parse_args()
    print("| game | a review, s | a position, µs | shares are off by | points are off by |")
    print("|---|---|---|---|---|")
    for name in NAMES:
        seconds, times, off = [], [0.0], [0.0, 0.0]
        for number in range(asked.games):
            took, more, apart = priced(name, asked.seats, b"prices %d" % number)
            seconds.append(took)
            times += more
            off = [*map(max, off, apart)]
        each, sums = 1e6 * median(times), " | ".join(f"{each:.0e}" for each in off)
        print(f"| {name} | {max(seconds):.1f} at most | {each:,.0f} | {sums} |", flush=True)


if __name__ == "__main__":
    main()
