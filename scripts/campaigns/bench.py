#!/usr/bin/env python3
"""How fast games and tournaments run, as ratios, and a hash that shows that nothing else changed.

Other programs' games take their turns among ours, as far as they are installed (see peers.py).
All variants take turns in random order, a slice of CPU time each, so that a noisy machine is as
noisy for all of them. Ratios are medians over rounds with quartiles. ``--against FOLDER`` measures
another build of lanplay, which scripts/compile.py puts there. Writes docs/benchmarks.md unless told
otherwise; what has a heading there is kept.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from numpy.random import default_rng

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, os.environ.get("LANPLAY_BENCH_SOURCES", sys.path[0]))

from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.env import batch_env, env
from lanplay.games import NAMES, load
from lanplay.tournament import bots
from lanplay.tournament.executor import local
from lanplay.tournament.income import listen
from lanplay.tournament.plan import TournamentPlan, make_plan
from lanplay.tournament.playing import Task, play
from lanplay.tournament.results import goal_for
from lanplay.tournament.running import begin
from lanplay.tournament.schedule import line_ups
from lanplay.tournament.storage import Folder
from scripts.campaigns import peers

ROOT = Path(__file__).resolve().parents[2]
SOURCES = "LANPLAY_BENCH_SOURCES"
"""The variable that names the folder with the build to measure; without it, the checkout."""
SLICE = 0.3
"""Seconds of CPU time that a variant has in a round."""
WARMING = 3
"""Slices before the first round."""
GAMES_HASHED = 20


@dataclass
class Variant:
    """Something to measure: plays one game (by number) and returns its decisions.

    What is one whole turn with us counts as its picks.
    """

    name: str
    game: Callable[[int], int]
    played: int = 0
    games: list[float] = field(default_factory=list)
    decisions: list[float] = field(default_factory=list)

    def slice(self) -> None:
        """Play for a slice and note the rates."""
        begun, games, decisions, spent = time.process_time(), 0, 0, 0.0
        while spent < SLICE:
            decisions += self.game(self.played)
            self.played += 1
            games += 1
            spent = time.process_time() - begun
        self.games.append(games / spent)
        self.decisions.append(decisions / spent)


class Build:
    """Another build of lanplay at work in a process of its own (see ``serve``)."""

    def __init__(self, folder: Path) -> None:
        self._child = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            env={**os.environ, SOURCES: str(folder.resolve())},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, what: str) -> list[str]:
        """Return the words of the answer."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(what + "\n")
        self._child.stdin.flush()
        return self._child.stdout.readline().split()

    def end(self) -> None:
        """Let the process end."""
        self._child.communicate()


class Elsewhere(Variant):
    """One of our plans, played by another build."""

    def __init__(self, build: Build, number: int, name: str) -> None:
        super().__init__(name, lambda _: 0)
        self._build = build
        self._number = number

    def slice(self) -> None:
        """Let the other build play for a slice and note its rates."""
        games, decisions = self._build.ask(str(self._number))
        self.games.append(float(games))
        self.decisions.append(float(decisions))


def serve(plans: dict[str, TournamentPlan]) -> None:
    """Answer each line: the number of a plan with the rates of a slice, ``hash`` with the hash."""
    every = [Variant(name, ours(plan)) for name, plan in plans.items()]
    for line in sys.stdin:
        if line.strip() == "hash":
            print(games_hash(plans, GAMES_HASHED), flush=True)
        else:
            variant = every[int(line)]
            variant.slice()
            print(variant.games[-1], variant.decisions[-1], flush=True)


def bare(plan: TournamentPlan, number: int) -> Simulation:
    """Play a game with nothing around it: rules, views, validation and bots."""
    game = load(plan.game)
    line_up = line_ups(plan, number)[0]
    luck = plan.key("deal", number)
    names = tuple(plan.labels[entrant] for entrant in line_up)
    header = Header(game.name, dict(plan.options), names, luck)
    keys = [plan.key("bot", number, seat) for seat in range(plan.seats)]
    agents = [
        bots.make(plan.game, plan.entrants[entrant], key)
        for entrant, key in zip(line_up, keys, strict=True)
    ]
    simulation = Simulation(game, header, agents, Chance(luck))
    simulation.run()
    return simulation


def ours(plan: TournamentPlan) -> Callable[[int], int]:
    """Return how to play our games."""
    return lambda number: bare(plan, number).picks


def variants(plans: dict[str, TournamentPlan], build: Build | None) -> Iterator[Variant]:
    """Yield what can be measured here: others' games, then ours."""
    for name, other in peers.peers():
        yield Variant(name, other)
    for number, (name, plan) in enumerate(plans.items()):
        yield Variant(name, ours(plan))
        if build is not None:
            yield Elsewhere(build, number, f"{name}, compiled")


def throughput(plans: dict[str, TournamentPlan], rounds: int, build: Build | None) -> Iterator[str]:
    """Yield the table of games and decisions a second, each against our first plan."""
    every = list(variants(plans, build))
    for variant in every:
        for _ in range(WARMING):  # tables are made when they are first needed
            variant.slice()
        variant.games.clear()
        variant.decisions.clear()
    random = Random(1)
    for _ in range(rounds):
        for variant in random.sample(every, len(every)):
            variant.slice()
    others = [variant for variant in every if ": " in variant.name]
    names = "".join([f" against {variant.name.partition(' ')[0]} |" for variant in others])
    yield f"| what | games/s | decisions/s |{names}"
    yield f"|---|---:|---:|{'---:|' * len(others)}"
    for variant in every:
        rates = f"{median(variant.games):,.0f} | {median(variant.decisions):,.0f}"
        ratios = ""
        for other in others:
            pairs = zip(variant.decisions, other.decisions, strict=True)
            ratios += f" {median([mine / its for mine, its in pairs]):.2f} |"
        yield f"| {variant.name} | {rates} |{ratios}"
    yield from compiled(every)


def compiled(every: Sequence[Variant]) -> Iterator[str]:
    """Yield how many times the games of the plain build the compiled one plays."""
    pairs = [pair for pair in pairwise(every) if isinstance(pair[1], Elsewhere)]
    if pairs:
        yield ""
        yield "| compiled (`scripts/compile.py --profile`) against plain | games |"
        yield "|---|---:|"
    for plain, other in pairs:
        gains = [its / mine for mine, its in zip(plain.games, other.games, strict=True)]
        yield f"| {plain.name} | {spread(gains)} |"


def overheads(plan: TournamentPlan, rounds: int) -> Iterator[str]:
    """Yield what a tournament costs over its bare games; a round is a deal, played by all."""
    works: dict[str, Callable[[int], object]] = {
        "bare": lambda deal: bare_games(plan, deal),
        "heard": lambda deal: bare_games(plan, deal, listen),
        "counted": lambda deal: play(Task(plan, deal, deal + 1)),
        "recorded": lambda deal: play(Task(plan, deal, deal + 1, records=True)),
    }
    rows = {
        "events": ("heard", "bare"),
        "events, rows and sums": ("counted", "bare"),
        "and a record of each game": ("recorded", "bare"),
        "rows and sums alone": ("counted", "heard"),
    }
    costs: dict[str, list[float]] = {name: [] for name in rows}
    random = Random(2)
    for deal in range(rounds):
        bare_games(plan, deal)  # so that the bots' tables are warm for all of them
        spent = dict.fromkeys(works, float("inf"))
        for work in random.sample([*works] * 3, 3 * len(works)):
            begun = time.process_time()
            works[work](deal)
            took = time.process_time() - begun
            spent[work] = min(spent[work], took)  # the quickest of three: others disturb
        for name, (work, base) in rows.items():
            costs[name].append(spent[work] / spent[base])
    for name, ratios in costs.items():
        yield f"| {name} | {spread(ratios)} |"


def bare_games(
    plan: TournamentPlan, deal: int, prepare: Callable[[Game, Any], None] = lambda game, table: None
) -> None:
    """Play the games of a deal without keeping anything; ``prepare`` readies each table."""
    game = load(plan.game)
    for line_up in line_ups(plan, deal):
        luck = plan.key("deal", deal)
        names = tuple(plan.labels[entrant] for entrant in line_up)
        header = Header(plan.game, dict(plan.options), names, luck)
        agents = bots.seated(plan, deal, line_up)
        simulation = Simulation(game, header, agents, Chance(luck), judged=True)
        prepare(game, simulation.table)
        simulation.run()


def conducting(plan: TournamentPlan, games: int) -> Iterator[str]:
    """Yield what conducting costs and how two workers do against one."""
    seconds, processor = {}, {}
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            run = begin(plan, goal_for(plan, games, None, False), Folder(Path(folder)))
            before = spent_by_all()
            begun = time.perf_counter()
            run.play(local(jobs))
            seconds[jobs] = time.perf_counter() - begun
            after = spent_by_all()
            processor[jobs] = [end - start for start, end in zip(before, after, strict=True)]
    here, workers = processor[2]
    yield f"| conductor's share of the processor time, 2 workers | {here / (here + workers):.1%} |"
    yield f"| two workers against one, wall clock | {seconds[1] / seconds[2]:.2f} |"
    possible = 2 * sum(processor[1]) / (here + workers)
    yield f"| two workers against one, by processor time (idle cores) | {possible:.2f} |"


def spent_by_all() -> tuple[float, float]:
    """Return the processor time of this process and of its children that ended (on POSIX)."""
    if sys.platform == "win32":
        return time.process_time(), 0.0
    import resource

    each = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    mine, theirs = [usage.ru_utime + usage.ru_stime for usage in each]
    return mine, theirs


def spread(ratios: Sequence[float]) -> str:
    """Return a median with quartiles."""
    low, middle, high = quantiles(ratios, n=4)
    return f"{middle:.2f} [{low:.2f} to {high:.2f}]"


def environments(rounds: int) -> Iterator[str]:
    """Yield the table of steps a second of ``lanplay.env``: by lot, with observation and mask."""
    every: dict[str, tuple[Iterator[int], ...]] = {
        f"{name} (AEC)": (plainly(make()),) for name, make in peers.environments()
    }
    every |= {game: (plainly(env(game)), batched(game)) for game in NAMES}
    found: dict[tuple[str, int], list[float]] = {}
    random = Random(3)
    for number in range(rounds + 1):
        for game in random.sample([*every], len(every)):
            for way, steps in enumerate(every[game]):
                begun, done, spent = time.process_time(), 0, 0.0
                while spent < SLICE:
                    done += next(steps)
                    spent = time.process_time() - begun
                if number:  # tables are made in the first round
                    found.setdefault((game, way), []).append(done / spent)
    yield "| environment, two seats | steps/s | steps/s of a batch of 64 |"
    yield "|---|---:|---:|"
    for game, ways in every.items():
        rates = [f"{median(found[game, way]):,.0f}" for way in range(len(ways))]
        yield f"| {game} | {' | '.join([*rates, ''][:2])} |"


def plainly(table: Any) -> Iterator[int]:
    """Play by lot in an AEC environment; yield how many steps were made since the last time."""
    lot, seed = Random(4).random, 0
    while True:
        table.reset(seed=seed)
        seed += 1
        steps = 0
        for _ in table.agent_iter():
            seen, _, ended, cut, _ = table.last()
            if ended or cut:
                table.step(None)
                continue
            legal = seen["action_mask"].nonzero()[0]
            table.step(legal[int(lot() * len(legal))])
            steps += 1
            if steps % 100 == 0:
                yield 100
        yield steps % 100


def batched(game: str) -> Iterator[int]:
    """Play by lot in the batched environment; yield how many steps were made."""
    table = batch_env(game, 64)
    batch, lot = table.reset(seed=1), default_rng(4)
    while True:
        batch = table.step((batch.mask * lot.random(batch.mask.shape, "float32")).argmax(1))
        yield table.games


def games_hash(plans: dict[str, TournamentPlan], games: int) -> str:
    """Return a hash over the final states of fixed games: the same as long as nothing changes."""
    hasher = blake2b(digest_size=16)
    for plan in plans.values():
        for number in range(games):
            hasher.update(bare(plan, number).table.hash())
    return hasher.hexdigest()


def our_plans() -> dict[str, TournamentPlan]:
    """Return what is measured of ours."""
    line_ups = {
        "Dice Town, 5 `strong`": ("dice-town", "strong", 5),
        "Charidice, 4 `strong`": ("charidice", "strong", 4),
        "A Dog's Life, 4 `strong`": ("dogs-life", "strong", 4),
        "Dice Town, 4 `random`": ("dice-town", "random", 4),
        "Charidice, 4 `random`": ("charidice", "random", 4),
        "Fliptown, 4 `random`, by picks": ("fliptown", "random", 4),
        "A Dog's Life, 4 `random`": ("dogs-life", "random", 4),
    }
    return {
        name: make_plan(game, [bot] * seats, seed=1)
        for name, (game, bot, seats) in line_ups.items()
    }


def page(args: argparse.Namespace, build: Build | None) -> Iterator[str]:
    """Yield the lines of the page."""
    plans = our_plans()
    first = next(iter(plans.values()))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield "# Benchmarks"
    yield ""
    system = f"{platform.system()} {platform.machine()}"
    yield f"Made by `python scripts/campaigns/bench.py`: {system}, {python}."
    yield "One core; rates are per second of processor time, ratios medians over rounds. Absolute"
    yield "figures are of a shared, busy machine: compare ratios. A decision is a choice of two or"
    yield "more legal actions, here and in the other programs; chance is not one. A question of"
    yield "Fliptown is a whole turn, of which the picks are counted."
    yield ""
    yield from throughput(plans, args.rounds, build)
    yield ""
    yield "| tournaments (Dice Town, 5 `strong`) | |"
    yield "|---|---:|"
    yield from overheads(first, args.rounds)
    yield from conducting(first, args.games)
    yield ""
    yield from environments(args.rounds)
    yield ""
    count, here = GAMES_HASHED, games_hash(plans, GAMES_HASHED)
    yield f"Hash over the final states of {count} games of each: `{here}`"
    if build is not None:
        yield f"and of the compiled build: `{build.ask('hash')[0]}`"


def main() -> int:
    """Measure, print, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="rounds of slices (15)")
    parser.add_argument("--games", type=int, default=3000, help="games for one and two workers")
    parser.add_argument("--against", type=Path, help="the folder of another build of lanplay")
    parser.add_argument("--env", action="store_true", help="only the environments; write nothing")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "benchmarks.md")
    args = parser.parse_args()
    if args.serve:
        serve(our_plans())
        return 0
    if args.env:
        for line in environments(args.rounds):
            print(line)
        return 0
    build = None if args.against is None else Build(args.against)
    lines = []
    for line in page(args, build):
        print(line, flush=True)
        lines.append(line + "\n")
    if build is not None:
        build.end()
    kept = args.out.read_text(encoding="utf-8").partition("\n## ") if args.out.exists() else ()
    args.out.write_text("".join([*lines, *kept[1:]]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
