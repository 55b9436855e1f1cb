"""Schedules by the thousand: `python -m tests.byzantine.run --seconds 60`.

A whole game is played honestly; at many of its steps the process is copied, and a copy goes its own
way from there: its liars and faults are drawn from the number of the schedule. What goes wrong is
shrunk from the same place to the fewest decisions that show it.
"""

from __future__ import annotations

from tests.byzantine.stand_ins import installed

installed().__enter__()  # before the group is used by anybody, and for good

import argparse  # noqa: E402
import itertools  # noqa: E402
import json  # noqa: E402
import math  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections import Counter  # noqa: E402

from lanplay.games import load  # noqa: E402
from tests.byzantine.draws import Draws  # noqa: E402
from tests.byzantine.world import World  # noqa: E402
from tests.replica.harness import roster  # noqa: E402

GAMES = ("dice-town", "charidice", "fliptown", "dogs-life")
TABLES = ((3, 1), (4, 1), (5, 2), (3, 0), (6, 2), (2, 1))
"""Peers, and liars among them."""


def in_a_copy(work):
    """Do work in a copy of this process; return what it returns, as plain data."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            result = json.dumps(work()).encode()
            with os.fdopen(writer, "wb") as out:
                out.write(result)
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        data = source.read()
    os.waitpid(child, 0)
    return json.loads(data) if data else {"faults": ["the copy ended"], "made": [], "told": []}


def one(world, seed, liars, given=None):
    """Play one schedule from where the world is."""

    def work():
        draws = Draws(seed, given)
        world.schedule(draws, liars, faults=True)
        seen = [[*key, times] for key, times in sorted(world.seen.items())]
        return {"faults": world.faults, "made": draws.made, "told": world.told, "seen": seen}

    return in_a_copy(work)


def shrunk(world, seed, liars, made, tries=60):
    """Return the decisions with as many as possible left out, so that it still goes wrong."""
    size = max(1, len(made) // 2)
    while size and tries:
        for start in range(0, len(made), size):
            if not any(made[start : start + size]):
                continue
            less = [*made[:start], *([0] * len(made[start : start + size])), *made[start + size :]]
            tries -= 1
            if one(world, seed, liars, less)["faults"]:
                made = less
            if not tries:
                break
        size //= 2
    return made


def campaign(numbers, seconds, most, each, shrink, honest):
    """Play schedules from games, at most so many of each; return how many, and what went wrong."""
    end, played, wrong, seen = time.monotonic() + seconds, 0, [], Counter()
    phases: Counter[str] = Counter()
    for number in numbers:
        here = played + most
        world, game, liars = table(number, honest)
        chance = Draws(b"where %d" % number)
        world.start()
        step = 0
        while time.monotonic() < end and played < here and world.turn() and not world.faults:
            step += 1
            kind = type(world.actors[0].replica.transcript.phase).__name__
            if not chance.one_in(20 + phases[kind] * 4):
                continue
            for again in range(each):
                seed = b"%d %d %d" % (number, step, again)
                found = one(world, seed, liars)
                played += 1
                phases[kind] += 1
                for *key, times in found.get("seen", ()):
                    seen[tuple(key)] += times
                if found["faults"]:
                    who = f"{game}, {len(world.actors)} peers, {liars} lie"
                    name = f"{who}, {seed.decode()}, in {kind}"
                    if shrink:
                        made = shrunk(world, seed, liars, found["made"])
                        found = one(world, seed, liars, made)
                    wrong.append((name, found["faults"], found["told"]))
                    print(name, *found["faults"], *found["told"], sep="\n  ", flush=True)
        if world.faults:
            wrong.append((game, world.faults, world.told))
            print(game, number, "honest:", world.faults)
        if time.monotonic() > end:
            break
    return played, wrong, seen, phases


def table(number, honest):
    """Return the beginning of a game, its name, and how many will lie."""
    game = GAMES[number % len(GAMES)]
    peers, liars = TABLES[number // len(GAMES) % len(TABLES)]
    peers = min(peers, max(load(game).seats))
    liars = 0 if honest else min(liars, max(1, (peers - 1) // 2))
    return World(roster(peers, game=load(game)), b"game %d" % number), game, liars


def again(number, step, turn, honest, shrink):
    """Play one schedule again and print everything."""
    world, game, liars = table(number, honest)
    world.start()
    for _ in range(step):
        world.turn()
    seed = b"%d %d %d" % (number, step, turn)
    made = shrunk(world, seed, liars, one(world, seed, liars)["made"]) if shrink else None
    world.verbose = True
    found = one(world, seed, liars, made)
    print(game, *found["faults"], *found["told"], sep="\n  ")
    return bool(found["faults"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument(
        "--games", type=int, nargs="+", help="these alone (default: all from --from)"
    )
    parser.add_argument("--most", type=float, default=math.inf, help="schedules of each game")
    parser.add_argument("--each", type=int, default=3)
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--honest", action="store_true", help="faults of laptops alone")
    parser.add_argument("--again", help="one schedule, with all that happens: GAME:STEP:NUMBER")
    args = parser.parse_args()
    if args.again:
        return again(*map(int, args.again.split(":")), args.honest, not args.no_shrink)
    games = args.games or itertools.count(args.first)
    played, wrong, seen, phases = campaign(
        games, args.seconds, args.most, args.each, not args.no_shrink, args.honest
    )
    print(f"{played} schedules, {len(wrong)} wrong; {len(seen)} kinds of lies")
    print(dict(phases))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
