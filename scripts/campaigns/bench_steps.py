#!/usr/bin/env python3
"""Measure what a network step costs: 5 peers as processes on this machine.

    python3 scripts/campaigns/bench_steps.py [--games 3]       loopback
    sudo python3 scripts/campaigns/bench_steps.py --delay 25   over a switch, 25 ms one way

Prints, over all peers and games: the time of a roll-keep-show step without a window (from one
opening to the next), of keys and decks, of every kind of phase, and the CPU of each peer. Needs an
environment that has lanplay's dependencies: the one this script runs in.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scripts.campaigns.lan_lab import Lab, available  # noqa: E402  # needs the line above
from scripts.campaigns.lossy_switch import Link  # noqa: E402

PEERS = 5
Step: TypeAlias = tuple[str, float, float]


def command(number: int, folder: Path) -> list[str]:
    """Return the command line of a peer: number 0 hosts, the others find its table."""
    timing = str(folder / f"{number}.json")
    common = ["--auto", "steady", "--quiet", "--json", "--trust-new", "--timing", timing]
    lanplay = [sys.executable, "-m", "lanplay"]
    if number:
        return [*lanplay, "join", "--wait", "60", "--name", f"guest{number}", *common]
    seats = ["--seats", str(PEERS), "--people", str(PEERS)]
    return [*lanplay, "host", "dice-town", *seats, "--name", "host", *common]


def loopback(folder: Path) -> None:
    """Play one game on the loopback interface."""
    local = ["--interface", "127.0.0.1", "--data"]
    lines = [[*command(n, folder), *local, str(folder / str(n))] for n in range(PEERS)]
    null = subprocess.DEVNULL
    peers = [subprocess.Popen(line, cwd=ROOT, stdout=null, stderr=null) for line in lines]
    for peer in peers:
        peer.wait(timeout=300)


def laboratory(folder: Path, delay: float, seed: int) -> None:
    """Play one game between namespaces with a one-way delay, in seconds."""
    with Lab(PEERS, Link(delay=delay), seed=seed) as lab:
        for process in [each.start(command(n, folder)) for n, each in enumerate(lab.laptops)]:
            process.wait(timeout=300)


def steps_of(folder: Path) -> Iterator[list[Step]]:
    """Yield the timed phases of every peer."""
    for path in sorted(folder.glob("*.json")):
        yield [tuple(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def roll_keep_show(phases: list[Step]) -> Iterator[tuple[float, float]]:
    """Yield seconds and CPU seconds of each commit and opening that directly follow an opening."""
    for (before, t0, c0), (middle, _, _), (after, t1, c1) in zip(
        phases, phases[1:], phases[2:], strict=False
    ):
        if (before, middle, after) == ("RevealPhase", "CommitPhase", "RevealPhase"):
            yield t1 - t0, c1 - c0


def setup(phases: list[Step]) -> tuple[float, float]:
    """Return seconds and CPU seconds from the first message to the last deck's last shuffle."""
    shuffles = [step for step in phases if step[0] == "ShufflePiles"]
    last = shuffles[PEERS - 1]
    return last[1] - phases[0][1], last[2] - phases[0][2]


def report(games: list[list[Step]]) -> None:
    """Print the figures."""
    pairs = [pair for phases in games for pair in roll_keep_show(phases)]
    walls = [wall * 1e3 for wall, _ in pairs]
    cpus = [cpu * 1e3 for _, cpu in pairs]
    print(f"roll-keep-show steps without a window: {len(pairs)}")
    print(f"  wall  median {statistics.median(walls):.1f} ms  max {max(walls):.1f} ms")
    print(f"  own CPU per peer  median {statistics.median(cpus):.1f} ms")
    setups = [setup(phases) for phases in games]
    print(f"keys, escrow and both decks: max {max(wall for wall, _ in setups):.2f} s")
    print(f"  own CPU per peer  max {max(cpu for _, cpu in setups):.2f} s")
    whole = [phases[-1][2] - phases[0][2] for phases in games]
    print(f"own CPU of a whole game per peer, everything: max {max(whole):.2f} s")
    kinds: dict[str, list[float]] = {}
    for phases in games:
        for (_, t0, _), (kind, t1, _) in pairwise(phases):
            kinds.setdefault(kind, []).append((t1 - t0) * 1e3)
    for kind, times in sorted(kinds.items()):
        print(f"  {kind:14s} {len(times):6d}  median {statistics.median(times):6.1f} ms")


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="What a network step costs.")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.0, help="one-way delay in ms (needs root)")
    args = parser.parse_args()
    if args.delay and (reason := available()) is not None:
        print(f"the laboratory cannot run here: {reason}", file=sys.stderr)
        return 2
    games: list[list[Step]] = []
    for number in range(args.games):
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            if args.delay:
                laboratory(folder, args.delay / 1e3, number + 1)
            else:
                loopback(folder)
            games += steps_of(folder)
    report(games)
    return 0


if __name__ == "__main__":
    sys.exit(main())
