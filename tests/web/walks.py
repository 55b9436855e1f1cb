"""Whole games by a browser without a browser: ``python -m tests.web.walks --games N [--file F]``.

Each is played over POST and SSE to its end, of each game of ours in turn, at tables of all sizes.
What is in the file is not played again. Exit status 1 if one was stuck, or a tap was
answered oddly.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

from lanplay.games import NAMES, load
from lanplay.session.settings import TableWish
from lanplay.web import gate
from tests.session.harness import client_of
from tests.web.walker import whole_game

STUCK = 900.0
"""Seconds after which a game is one that does not come to its end."""


async def walk(number):
    """Play a game; return what became of it."""
    name, seed = NAMES[number % len(NAMES)], number // len(NAMES)
    counts = load(name).seats
    seats = counts[0] + seed % (counts[-1] - counts[0] + 1)
    began, out = time.monotonic(), {"game": name, "seed": seed, "seats": seats}
    with TemporaryDirectory() as folder, trio.move_on_after(STUCK) as scope:
        client = client_of(folder, "Eva")
        outcome, walker = await whole_game(client, TableWish(name, seats, "random"), seed)
        out |= {"ended": outcome.result is not None, "taps": walker.taps}
        out |= {"bytes": sorted(walker.bytes)[len(walker.bytes) // 2], "first": walker.bytes[0]}
    odd = set(out.get("taps", ())) - {204, 409}
    good = not scope.cancelled_caught and out.get("ended", False) and not odd
    return {**out, "ok": good, "seconds": round(time.monotonic() - began, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--minutes", type=float, default=3.0)
    args = parser.parse_args()
    gate.BURST = gate.RATE = 10_000
    done = {}
    if args.file and args.file.exists():
        done = {each["number"]: each for each in map(json.loads, args.file.open())}
    until = time.monotonic() + 60 * args.minutes
    for number in range(args.games):
        if number in done or time.monotonic() > until:
            continue
        done[number] = {"number": number, **trio.run(walk, number)}
        line = json.dumps(done[number])
        print(line, flush=True)
        if args.file:
            with args.file.open("a") as file:
                file.write(f"{line}\n")
    bad = [each for each in done.values() if not each["ok"]]
    print(f"{len(done)} of {args.games} games, {len(bad)} not as they should be")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
