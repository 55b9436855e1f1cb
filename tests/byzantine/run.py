"""Schedules by the thousand: `python -m tests.byzantine.run --seconds 60`.

A game is played honestly; at many of its steps the process is copied, and a copy goes its own way
from there: its liars and faults are drawn from the number of the schedule. With ``--whole`` lies
and faults begin with the game, and it has to come to its end. What goes wrong is shrunk to the
fewest decisions that show it.

With ``--file`` every result is kept as a line of JSON; whoever runs the same again goes on there.
At its end a run prints its row of the ledger, docs/campaigns.toml; ``--ledger`` adds that up.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import math
import os
import signal
import sys
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from lanplay.games import load
from lanplay_protocol.replica.settings import FOREVER, GRACE, TableSettings
from tests.byzantine.coverage import counted, report
from tests.byzantine.draws import Draws
from tests.byzantine.stand_ins import in_effect, installed
from tests.byzantine.world import World
from tests.replica.drawn_tables import drawn_table
from tests.replica.harness import roster
from tests.short_games import short

GAMES = ("dice-town", "charidice", "fliptown", "dogs-life")
TABLES = ((3, 1), (4, 1), (5, 2), (3, 0), (6, 2), (2, 1))
"""Peers, and liars among them."""
GRACES = (GRACE, GRACE, 5, FOREVER)
"""Seconds for which a table waits."""
ROUND = len(GAMES) * len(TABLES)
"""Numbers in which all games and tables come once: the first with a seat for each laptop. In every
other round a laptop is lost first."""
LONGEST = 60.0
"""Seconds of computing after which a schedule is taken for one that never ends; a whole game may
take ten times as long."""
PHASES = 9
"""Kinds of phases in most games, with those before and after it."""
OFTEN = 4
"""How much more seldom schedules begin in a kind of phase that has come too often."""
TRIES = 60
"""Runs in which what went wrong is shrunk."""

ROOT = Path(__file__).resolve().parents[2]
LEDGER = ROOT / "docs" / "campaigns.toml"
LAW = ("protocol/lanplay_protocol/replica", "protocol/lanplay_protocol/crypto", "lanplay/engine")
"""What the campaigns are about: a count holds for the code that it was made with."""

Place: TypeAlias = tuple[int, int, int]
"""A schedule: number of the game, step of it, and how often from there."""


BARE: dict[str, Any] = {
    "made": [],
    "told": [],
    "seen": [],
    "acts": 1,
    "over": False,
    "seconds": 0.0,
}
"""What there is of a schedule that came to no end."""


class Endless(BaseException):
    """A schedule computes without an end."""


def _stop(*_: object) -> None:
    raise Endless


def in_a_copy(work: Callable[[], Any], longest: float = LONGEST) -> Any:
    """Do work in a copy of this process; return what it returns, as plain data."""
    reader, writer = os.pipe()
    gc.freeze()  # what the copies share is not written to
    child = os.fork()
    if not child:
        os.close(reader)
        gc.disable()  # it lives for a second
        signal.signal(signal.SIGVTALRM, _stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, longest)
        try:
            result = work()
        except BaseException as error:
            lines = traceback.format_exception(error)[-8:]
            result = {**BARE, "faults": ["".join((repr(error), *lines))]}
        result["seconds"] = time.process_time()
        with os.fdopen(writer, "wb") as out:
            out.write(json.dumps(result).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        data = source.read()
    os.waitpid(child, 0)
    return json.loads(data) if data else {**BARE, "faults": ["the copy ended"]}


def law() -> str:
    """Return a name of the code that is tried: any change of what is loaded makes another one."""
    loaded = {getattr(module, "__file__", "") for module in list(sys.modules.values())}
    there = sorted(path for folder in LAW for path in (ROOT / folder).glob("*.py"))
    files = [path for path in there if str(path) in loaded]
    return blake2b(b"\0".join(path.read_bytes() for path in files), digest_size=6).hexdigest()


def ledger() -> Iterator[str]:
    """Give a line for each law: what all runs that are written down have played with it."""
    totals: dict[str, Counter[str]] = {}
    for row in tomllib.loads(LEDGER.read_text())["run"]:
        counts = {key: row[key] for key in ("schedules", "wrong", "lies", "hours")}
        totals.setdefault(f"{row['law']} {row['kind']}", Counter()).update(counts)
    for name, total in totals.items():
        yield f"{name}: " + ", ".join(f"{total[key]:.6g} {key}" for key in sorted(total))


class Results:
    """What schedules came to, kept in a file where there is one, all with one law.

    Those in which no lie was told and nothing failed are ``idle``: they are not counted.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.played: dict[Place, list[str]] = {}
        self.idle = 0
        self.over = 0
        self.seconds = 0.0
        self.whole: set[int] = set()
        self.seen: Counter[Any] = Counter()
        self.phases: Counter[str] = Counter()
        self.law = law()
        kept = path.read_text().splitlines() if path and path.exists() else []
        if kept and json.loads(kept[0]) != {"law": self.law}:
            raise SystemExit(f"{path} is of another law: begin another file")
        for line in kept[1:]:
            self._count(json.loads(line))
        if path and not kept:
            path.write_text(json.dumps({"law": self.law}) + "\n")

    def _count(self, entry: dict[str, Any]) -> None:
        self.seconds += entry["seconds"]
        if "ended" in entry:
            self.whole.add(entry["ended"])
            return
        number, step, turn = entry["place"]
        self.played[number, step, turn] = entry["faults"]
        self.idle += not entry["acts"]
        self.over += bool(entry["acts"] and entry["over"])
        self.phases[entry["phase"]] += 1
        self.seen += counted(entry["seen"])

    def add(self, entry: dict[str, Any]) -> None:
        """Count a result, and keep it: whatever ends this process, what was done is done."""
        self._count(entry)
        if self._path:
            with self._path.open("a") as file:
                file.write(json.dumps(entry) + "\n")

    def seldom(self, kind: str, step: int) -> int:
        """Return in how many steps a kind of phase begins schedules once: what came often, less;
        what hardly ever comes, as the start and the end, at every one."""
        share = self.phases[kind] * len(self.phases) / max(1, len(self.played))
        return max(1, round(step * min(share, OFTEN)))

    @property
    def wrong(self) -> dict[Place, list[str]]:
        """The schedules that hurt somebody."""
        return {place: faults for place, faults in self.played.items() if faults}

    def summary(self) -> Iterator[str]:
        """Give lines that say how much was played and found."""
        yield f"{len(self.played)} schedules, {len(self.wrong)} wrong; {len(self.seen)} lies"
        yield f"in {self.idle} nobody lied, and nothing failed: not counted"
        yield f"{self.over} of the others came to the end of the game"
        yield "from " + ", ".join(f"{name} {times}" for name, times in sorted(self.phases.items()))
        for place, faults in self.wrong.items():
            yield f"--again {':'.join(map(str, place))}: {'; '.join(faults)}"

    def row(self, kind: str) -> Iterator[str]:
        """Give the lines of the ledger for all that was played."""
        numbers = [place[0] for place in self.played]
        yield "[[run]]"
        yield f'kind = "{kind}"'
        yield f'law = "{self.law}"'
        yield f"games = [{min(numbers, default=0)}, {max(numbers, default=0)}]"
        yield f"schedules = {len(self.played) - self.idle}"
        yield f"wrong = {len(self.wrong)}"
        yield f"lies = {sum(self.seen.values())}"
        yield f"combinations = {len(self.seen)}"
        yield f"hours = {self.seconds / 3600:.3f}  # of a processor"


@dataclass(frozen=True)
class Campaign:
    """What is played: how seldom a schedule begins, how many there, at most so many of a game."""

    results: Results
    end: float
    most: float
    step: int
    each: int
    shrink: bool
    honest: bool
    whole: bool
    led: bool = False
    only: bool = False
    phases: Collection[str] = ()

    def play(self, numbers: Iterator[int]) -> None:
        """Play until the time is over or the numbers are."""
        for number in numbers:
            if time.monotonic() > self.end or (self.only and self.results.wrong):
                return
            if self.whole and (number, 0, 0) not in self.results.played:
                self.schedule(begun(number, start=False), (number, 0, 0))
            elif not self.whole and number not in self.results.whole:
                self.game(number)

    def game(self, number: int) -> None:
        """Play one game honestly, and schedules from its steps."""
        gc.unfreeze()  # the games before are over: all that would be copied with this one
        gc.collect()
        before = [step for n, step, _ in self.results.played if n == number]
        done, spent, kinds = max(before, default=0), time.process_time(), Counter[str]()
        world, chance, step, plays = begun(number), Draws(b"where %d" % number), 0, True
        if number // ROUND % 2 and len(world.actors) > 2:
            plays = world.lose(number % len(world.actors))
        while plays and not world.faults and world.turn():
            step += 1
            kind = type(world.honest[-1].replica.transcript.phase).__name__
            seldom = self.results.seldom(kind, self.step)
            # all kinds of phases have their turn in each game, the last one, too
            most = max(1, self.most / PHASES) * (3 if kind == "Final" else 1)
            if self.phases and kind not in self.phases:
                continue
            if kinds[kind] >= most or not chance.one_in(seldom) or step <= done:
                continue
            kinds[kind] += 1
            for turn in range(self.each):
                self.schedule(world, (number, step, turn))
            if time.monotonic() > self.end or (self.only and self.results.wrong):
                return
        if world.faults:
            self._wrong(world, (number, step, 0), {"faults": world.faults, "told": world.told})
        self.results.add({"ended": number, "seconds": time.process_time() - spent})

    def schedule(self, world: World, place: Place) -> None:
        """Play a schedule from where the world is; show what goes wrong, shrunk."""
        kind = type(world.honest[-1].replica.transcript.phase).__name__
        found = self.one(world, place)
        kept = {key: found[key] for key in ("faults", "seen", "acts", "over", "seconds")}
        self.results.add({"place": place, "phase": kind, **kept})
        if found["faults"]:
            if self.shrink:
                found = self.one(world, place, self.shrunk(world, place, found["made"]))
            self._wrong(world, place, found)

    def _wrong(self, world: World, place: Place, found: dict[str, Any]) -> None:
        who = f"{world.roster.game}, {len(world.actors)} peers, liars {found.get('liars', 0)}"
        name = ":".join(map(str, place))
        print(f"--again {name} ({who})", *found["faults"], *found["told"], sep="\n  ", flush=True)

    def one(self, world: World, place: Place, given: list[int] | None = None) -> dict[str, Any]:
        """Play one schedule from where the world is."""
        seed = b"%d %d %d" % place
        liars = 0 if self.honest else liars_of(place[0], len(world.actors))
        world.foresee(Draws(seed, given), liars)

        def work() -> dict[str, Any]:
            draws = Draws(seed, given)
            world.schedule(draws, liars, whole=self.whole, led=self.led)
            seen = [[*key, times] for key, times in sorted(world.seen.items())]
            told = {"liars": sorted(world.liars), "told": world.told, "acts": world.acts}
            told["over"] = world.over
            return {**BARE, "faults": world.faults, "made": draws.made, "seen": seen, **told}

        return in_a_copy(work, LONGEST * (10 if self.whole else 1))

    def shrunk(self, world: World, place: Place, made: list[int]) -> list[int]:
        """Return the decisions with as many as possible left out, so that it still goes wrong."""
        size, tries = max(1, len(made) // 2), TRIES
        while size and tries:
            for start in range(0, len(made), size):
                some = made[start : start + size]
                if not any(some) or not tries:
                    continue
                tries -= 1
                less = [*made[:start], *([0] * len(some)), *made[start + size :]]
                if self.one(world, place, less)["faults"]:
                    made = less
            size //= 2
        return made

    def again(self, place: Place) -> bool:
        """Play one schedule once more and print everything; tell whether it goes wrong."""
        number, steps, _ = place
        world = begun(number, start=not self.whole)
        if not self.whole and number // ROUND % 2 and len(world.actors) > 2:
            world.lose(number % len(world.actors))
        for _ in range(steps):
            world.turn()
        made = None
        if self.shrink and (found := self.one(world, place))["faults"]:
            made = self.shrunk(world, place, found["made"])
        world.verbose = True
        found = self.one(world, place, made)
        self._wrong(world, place, found)
        return bool(found["faults"])


def liars_of(number: int, peers: int) -> int:
    """Return how many will lie: always fewer than a quorum can bear, but at a table of two."""
    liars = TABLES[number // len(GAMES) % len(TABLES)][1]
    return min(liars, max(1, (peers - 1) // 2))


def begun(number: int, start: bool = True) -> World:
    """Return a game at its beginning."""
    game = load(GAMES[number % len(GAMES)])
    peers = min(TABLES[number // len(GAMES) % len(TABLES)][0], max(game.seats))
    draws = Draws(b"table %d" % number)  # so that each table waits in each way
    settings = TableSettings(grace=draws.pick(GRACES))
    if number < ROUND:
        seats = roster(peers, game=game, settings=settings)
    else:
        seats = drawn_table(game, peers, settings, draws.below)
    trusting = number < ROUND or draws.below(2) == 0  # else people compare the words first
    world = World(seats, b"game %d" % number, offload=bool(draws.below(2)), trusting=trusting)
    if start:
        world.start()
    return world


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--games", type=int, nargs="+", help="these alone")
    parser.add_argument("--most", type=float, default=math.inf, help="schedules of each game")
    parser.add_argument("--step", type=int, default=20, help="one in so many begins schedules")
    parser.add_argument("--each", type=int, default=1, help="schedules from there")
    parser.add_argument("--phase", nargs="+", default=(), help="schedules from these kinds alone")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--first", dest="only", action="store_true", help="ends at the first fault")
    parser.add_argument("--honest", action="store_true", help="faults of laptops alone")
    parser.add_argument("--led", action="store_true", help="liars lead one alone in all of them")
    parser.add_argument("--whole", action="store_true", help="whole games, one of each number")
    parser.add_argument(
        "--real", action="store_true", help="with libsodium's group, not a cheap one"
    )
    parser.add_argument("--file", type=Path, help="keeps the results, and goes on from them")
    parser.add_argument("--report", action="store_true", help="what was covered, and what was not")
    parser.add_argument("--ledger", action="store_true", help="what all runs came to, by law")
    parser.add_argument("--again", help="one schedule, with all that happens: GAME:STEP:NUMBER")
    return parser.parse_args()


def main() -> bool:
    args = arguments()
    if args.ledger:
        print(*ledger(), sep="\n")
        return False
    results = Results(args.file)
    end = time.monotonic() + args.seconds
    how = (args.most, args.step, args.each, not args.no_shrink, args.honest, args.whole, args.led)
    campaign = Campaign(results, end, *how, args.only, args.phase)
    short()
    with nullcontext() if args.real else installed():
        print("group:", "a cheap stand-in" if in_effect() else "libsodium's")
        if args.again:
            number, step, turn = map(int, args.again.split(":"))
            return campaign.again((number, step, turn))
        campaign.play(iter(args.games or itertools.count(args.first)))
    print(*results.summary(), *(report(results.seen) if args.report else ()), sep="\n")
    kind = ("led " if args.led else "") + ("whole games" if args.whole else "schedules")
    kind += ", real crypto" if args.real else ""
    print(*results.row(kind), sep="\n")
    return bool(results.wrong)


if __name__ == "__main__":
    sys.exit(main())
