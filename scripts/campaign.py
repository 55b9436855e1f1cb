#!/usr/bin/env python3
"""Play many whole games in the LAN laboratory and compare all replicas after every step.

    sudo python3 scripts/campaign.py --games 50            (from an environment that has lanplay)
    sudo python3 scripts/campaign.py --game fliptown --wifi bad

Each game: one peer in each of four network namespaces, five seats (or as many as the game has), AI
in every seat, discovery through mDNS without any typed address. Every third game has 20 ± 10 ms of
delay and 3 % loss, or every game or none, as ``--wifi`` says. Every record is verified as
``lanplay verify`` does it. Prints one line a game and a summary; the
exit status is 0 only if no game hung, none diverged and all records hold.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lanplay.engine.record import from_bytes  # noqa: E402  # needs the line above
from lanplay.games import load  # noqa: E402
from lanplay_protocol.replica.audit import check_record  # noqa: E402
from scripts.lan_lab import Lab, LabError, Link, available  # noqa: E402

LAPTOPS = 4
SEATS = 5
BAD_WIFI = Link(delay=0.020, jitter=0.010, loss=0.03)
WIFI = {"mixed": 3, "bad": 1, "good": sys.maxsize}
"""Every which game has bad Wi-Fi."""


def commands(game: str, bot: str) -> list[list[str]]:
    """Return the command line of each laptop: a host and guests that look for its table."""
    lanplay = [sys.executable, "-m", "lanplay"]
    common = ["--auto", bot, "--quiet", "--json", "--trust-new"]
    seats = min(SEATS, load(game).seats[-1])
    host = [*lanplay, "host", game, "--seats", str(seats), "--people", str(LAPTOPS)]
    guest = [*lanplay, "join", "--wait", "60"]
    lines = [[*host, "--bot", bot, "--name", "host", *common]]
    return lines + [[*guest, "--name", f"guest{n}", *common] for n in range(1, LAPTOPS)]


def play(lab: Lab, game: str, bot: str, seconds: float) -> list[dict[str, Any]]:
    """Play one game and return the closing JSON object of each laptop.

    Raises ``LabError`` if a program does not end in time or without its closing line.
    """
    started = [
        laptop.start(line) for laptop, line in zip(lab.laptops, commands(game, bot), strict=True)
    ]
    results = []
    for process in started:
        process.wait(timeout=seconds)
        last = (process.output().strip().splitlines() or [""])[-1]
        if not last.startswith("{"):
            raise LabError(f"no closing line; errors: {process.errors()[-2000:]}")
        results.append(json.loads(last))
    return results


def records_hold(results: list[dict[str, Any]]) -> bool:
    """Tell whether the records of all laptops are one, and hold from the first key to the end."""
    contents = [Path(result["record"]).read_bytes() for result in results]
    record = from_bytes(contents[0])
    same = len({from_bytes(content).extra["moves"] for content in contents}) == 1
    return same and check_record(load(record.header.game), record).finding is None


def agree(results: list[dict[str, Any]]) -> bool:
    """Tell whether all replicas ended equal, after equal states at every step."""
    ends = {(r["state_hash"], r["trace"], r["steps"], str(r["scores"])) for r in results}
    return len(ends) == 1 and not any(r["held"] for r in results)


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--game", default="dice-town")
    parser.add_argument("--bot", default="strong")
    parser.add_argument("--wifi", choices=list(WIFI), default="mixed")
    parser.add_argument("--seconds", type=float, default=180.0, help="limit of one game")
    args = parser.parse_args()
    if (reason := available()) is not None:
        print(f"the LAN laboratory cannot run here: {reason}", file=sys.stderr)
        return 2
    return summarize([one_game(n, args) for n in range(args.games)])


def one_game(number: int, args: argparse.Namespace) -> tuple[str, float, int]:
    """Play game ``number``; return how it went, its seconds and its steps."""
    link = BAD_WIFI if (number + 1) % WIFI[args.wifi] == 0 else None
    begun = time.monotonic()
    steps = 0
    try:
        with Lab(LAPTOPS, link, seed=number + 1) as lab:
            results = play(lab, args.game, args.bot, args.seconds)
            steps = results[0]["steps"]
            verdict = "ok" if agree(results) else "DIVERGED"
            if verdict == "ok" and not records_hold(results):
                verdict = "RECORD"
    except LabError as error:
        verdict = f"HUNG ({error})"
    spent = time.monotonic() - begun
    kind = "bad Wi-Fi" if link else "clean"
    print(
        f"game {number + 1:3d}  {kind:9s}  {spent:6.1f} s  {steps:4d} steps  {verdict}", flush=True
    )
    return verdict, spent, steps


def summarize(games: list[tuple[str, float, int]]) -> int:
    """Print the summary and return the exit status."""
    bad = [verdict for verdict, _, _ in games if verdict != "ok"]
    median = statistics.median(spent for _, spent, _ in games)
    print(f"{len(games)} games, {len(games) - len(bad)} ok, median {median:.1f} s a game")
    for verdict in bad:
        print(f"  {verdict}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
