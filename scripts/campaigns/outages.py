#!/usr/bin/env python3
"""Play whole games in the LAN laboratory while something happens to one laptop, and compare all.

    sudo python3 scripts/campaigns/outages.py --games 50     (where lanplay is installed)
    sudo python3 scripts/campaigns/outages.py host-killed-later guest-asleep --grace 10 --sleep 15

Each game: one real program in each of four network namespaces, five seats, AI in every seat. At a
moment drawn from the seed one laptop is killed, sleeps, loses its cable, changes its address or is
started again from its disk; in ``calm`` and ``wifi`` nothing happens. All who are still there must
end with exit status 0, one result, equal states at every step they share and records that hold; who
came back must agree with them. Every game has a time limit. Prints one line a game and a summary;
exit status 0 only if all are ok.
The verdicts: ``ok``; ``hung``: a program did not end; ``held``: it ended without a result, for want
of others; ``lost``: it ended with an error; ``diverged``: results, steps or records differ.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from lanplay.games import load  # noqa: E402  # needs the line above
from scripts.campaigns.agreement import (  # noqa: E402
    Verdict,
    caught_up,
    closing_line,
    difference,
    standstill,
    verdict,
)
from scripts.campaigns.lan_lab import Lab, available  # noqa: E402
from scripts.campaigns.lan_laptop import LabError, Laptop, Process  # noqa: E402
from scripts.campaigns.lossy_switch import Link  # noqa: E402

LAPTOPS = 4
LAST = {"charidice": 7, "fliptown": 3}
"""The last round of the games that always have as many; in others the seventh is a late one."""
SEATS = 5
SLOW = Link(delay=0.050, jitter=0.020)
"""Makes a game last half a minute, so that whoever comes back finds it going on."""
WIFI = Link(delay=0.020, jitter=0.010, loss=0.03)
BAD_WIFI = Link(delay=0.200, jitter=0.100, loss=0.10)
GRACE_SECONDS = 45.0
"""The program's own default of the table's grace."""
LATE_SECONDS = 90.0
"""How long the others may still need once one program has ended."""
WORDS = "The words of this table"

Moment: TypeAlias = Literal["opening", "first", "early", "any", "last"]


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds: of the table's grace (None: the program's own), and how long each outage lasts."""

    grace: float | None = None
    sleep: float = 60.0
    down: float = 30.0
    restart: float = 5.0
    limit: float = 600.0


@dataclass(slots=True)
class Program:
    """A running program: where, its process, and the file in which it notes its steps."""

    laptop: Laptop
    process: Process
    timing: Path
    back: float | None = None
    """When it was started again, awake or connected again, by the monotonic clock."""

    def steps(self) -> list[float]:
        """Return when each step was complete; empty if it did not live to say so."""
        if not self.timing.exists():
            return []
        lines = self.timing.read_text(encoding="utf-8").splitlines()
        return [json.loads(line)[1] for line in lines]


class Table:
    """The programs of one game; ``programs[0]`` hosts."""

    def __init__(self, lab: Lab, game: str, bot: str, grace: float | None) -> None:
        self.lab, self.game = lab, game
        self._common = ["--json", "--trust-new"]
        auto = ["--auto", bot, *self._common]
        seats = str(min(SEATS, load(game).seats[-1]))
        host = ["host", game, "--seats", seats, "--people", str(LAPTOPS), "--bot", bot]
        host += ["--name", "host", *auto, *(["--grace", f"{grace:g}"] if grace is not None else [])]
        guests = [["join", "--wait", "60", "--name", f"guest{n}", *auto] for n in range(1, LAPTOPS)]
        lines = zip(lab.laptops, [host, *guests], strict=True)
        self.programs = [self._start(laptop, line) for laptop, line in lines]
        self.gone: set[int] = set()

    def _start(self, laptop: Laptop, arguments: Sequence[str]) -> Program:
        timing = laptop.directory / f"{len(laptop.processes)}.timing"
        head: list[str | Path] = [sys.executable, "-m", "lanplay"]
        command = [*head, *arguments, "--timing", timing]
        return Program(laptop, laptop.start(command, env={"PYTHONUNBUFFERED": "1"}), timing)

    def kill(self, place: int) -> None:
        """End a program at once."""
        self.programs[place].process.kill()
        self.gone.add(place)

    def resume(self, place: int) -> None:
        """Start a killed program again, from what its disk has."""
        self.programs[place] = self._start(self.programs[place].laptop, ["resume", *self._common])
        self.came_back(place)
        self.gone.discard(place)

    def came_back(self, place: int) -> None:
        """Note that a laptop is there again."""
        self.programs[place].back = time.monotonic()

    def wait(self, deadline: float) -> None:
        """Return when all programs that are there have ended, or at the deadline."""
        while time.monotonic() < deadline:
            codes = [program.process.poll() for program in self.present()]
            if None not in codes:
                return
            if any(code is not None for code in codes):
                deadline = min(deadline, time.monotonic() + LATE_SECONDS)
            time.sleep(0.05)

    def present(self) -> list[Program]:
        """Return the programs that should come to an end."""
        return [p for place, p in enumerate(self.programs) if place not in self.gone]


Outage: TypeAlias = Callable[[Table, int, Times], None]


def killed(table: Table, place: int, _times: Times) -> None:
    """SIGKILL, and never seen again."""
    table.kill(place)


def restarted(table: Table, place: int, times: Times) -> None:
    """SIGKILL, and started again from its disk after a while."""
    table.kill(place)
    time.sleep(times.restart)
    table.resume(place)


def returned(table: Table, place: int, times: Times) -> None:
    """SIGKILL, and started again when AI has taken its seats."""
    table.kill(place)
    time.sleep((times.grace or GRACE_SECONDS) + times.restart)
    table.resume(place)


def all_killed(table: Table, place: int, times: Times) -> None:
    """A power cut; all but one come back later and go on from their disks."""
    for each in range(LAPTOPS):
        table.kill(each)
    time.sleep(times.restart)
    for each in set(range(LAPTOPS)) - {place}:
        table.resume(each)


def asleep(table: Table, place: int, times: Times) -> None:
    """SIGSTOP, as a closed lid, and SIGCONT."""
    process = table.programs[place].process
    process.stop()
    time.sleep(times.sleep)
    process.cont()
    table.came_back(place)


def unplugged(table: Table, place: int, times: Times) -> None:
    """No carrier for a while."""
    laptop = table.programs[place].laptop
    laptop.link_down()
    time.sleep(times.down)
    laptop.link_up()
    table.came_back(place)


def moved(table: Table, place: int, _times: Times) -> None:
    """Another address, as from another access point or lease."""
    table.programs[place].laptop.change_address()
    table.came_back(place)


def degraded(table: Table, _place: int, _times: Times) -> None:
    """The network becomes very bad for all, once all have sat down."""
    table.lab.set(BAD_WIFI)


def nothing(_table: Table, _place: int, _times: Times) -> None:
    """The network itself is the trouble."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happens to which laptop (0: the host's), when, and on what network (None: clean)."""

    outage: Outage
    place: int = 0
    moment: Moment = "any"
    link: Link | None = None


SCENARIOS = {
    "calm": Scenario(nothing),
    "wifi": Scenario(nothing, link=WIFI),
    "host-killed-opening": Scenario(killed, moment="opening"),
    "host-killed-first": Scenario(killed, moment="first"),
    "host-killed": Scenario(killed),
    "guest-killed": Scenario(killed, 2),
    "host-unplugged-opening": Scenario(unplugged, 0, "opening"),
    "guest-unplugged-opening": Scenario(unplugged, 2, "opening"),
    "guest-asleep-opening": Scenario(asleep, 1, "opening", SLOW),
    "host-unplugged-last": Scenario(unplugged, 0, "last", SLOW),
    "guest-unplugged-last": Scenario(unplugged, 2, "last", SLOW),
    "guest-asleep-last": Scenario(asleep, 1, "last", SLOW),
    "guest-restarted-last": Scenario(restarted, 3, "last", SLOW),
    "host-asleep": Scenario(asleep, moment="early", link=SLOW),
    "guest-asleep": Scenario(asleep, 1, "early", SLOW),
    "host-unplugged": Scenario(unplugged, moment="early", link=SLOW),
    "guest-unplugged": Scenario(unplugged, 2, "any", SLOW),
    "bad-wifi": Scenario(nothing, link=BAD_WIFI),
    "wifi-turns-bad": Scenario(degraded, moment="opening", link=Link()),
    "host-moved": Scenario(moved),
    "guest-moved": Scenario(moved, 3),
    "host-restarted": Scenario(restarted),
    "guest-restarted": Scenario(restarted, 1),
    "host-returned": Scenario(returned, moment="early", link=SLOW),
    "guest-returned": Scenario(returned, 2, "early", SLOW),
    "all-killed": Scenario(all_killed, 0),
}


@dataclass(slots=True)
class Game:
    """How one game went. ``still`` and ``back`` are seconds, None where they cannot be told.

    ``still`` is the longest time without a step that a program saw which was there all along;
    ``back`` is how long one who came back took until it was level with the table again.
    """

    number: int
    scenario: str
    seed: int
    verdict: Verdict = "hung"
    seconds: float = 0.0
    steps: int = 0
    still: float | None = None
    back: float | None = None
    notes: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return the line that is printed."""
        still = "" if self.still is None else f"  still {self.still:4.1f} s"
        back = "" if self.back is None else f"  back in {self.back:4.1f} s"
        head = f"game {self.number:3d}  {self.scenario:20s} {self.seconds:6.1f} s"
        return f"{head}  {self.steps:4d} steps{still}{back}  {self.verdict}"


def one_game(
    game: Game, times: Times, bot: str, played: str = "dice-town", keep: Path | None = None
) -> None:
    """Play a game of what is ``played`` and fill in how it went."""
    scenario, begun = SCENARIOS[game.scenario], time.monotonic()
    place = keep / f"game{game.number}" if keep else None
    try:
        with Lab(LAPTOPS, scenario.link, game.seed, directory=place) as lab:
            table = Table(lab, played, bot, times.grace)
            try:
                strike(scenario, table, times, random.Random(game.seed))
                table.wait(begun + times.limit)
            except LabError as error:
                game.notes.append(str(error))
            judge(game, table.present())
            if game.verdict != "ok":
                game.notes += [last_words(program) for program in table.programs]
    finally:
        game.seconds = time.monotonic() - begun


def strike(scenario: Scenario, table: Table, times: Times, rng: random.Random) -> None:
    """Wait for the moment and let it happen; ``LabError`` if the moment never comes."""
    if scenario.outage is nothing:
        return
    text = {
        "opening": WORDS,
        "first": "--- Round 1 ---",
        "early": f"--- Round {rng.randint(1, min(3, LAST.get(table.game, 3)))} ---",
        "any": f"--- Round {rng.randint(1, LAST.get(table.game, 9))} ---",
        "last": f"--- Round {LAST.get(table.game, 7)} ---",
    }[scenario.moment]
    table.programs[scenario.place].process.wait_for(text, timeout=times.limit)
    time.sleep(rng.random() * (2.0 if scenario.link else 0.3))  # about a round
    scenario.outage(table, scenario.place, times)


def judge(game: Game, programs: Sequence[Program]) -> None:
    """Fill in the verdict and what was measured."""
    codes = [program.process.poll() for program in programs]
    if None in codes:
        game.verdict = "hung"
        return
    closing = [closing_line(program.process.output()) for program in programs]
    game.verdict = verdict(codes, closing)
    if game.verdict == "ok":
        results = [result for result in closing if result is not None]
        game.steps = max(result["steps"] for result in results)
        game.still, game.back = measured(programs)
        if finding := difference(results):
            game.verdict = "diverged"
            game.notes.append(finding)


def measured(programs: Sequence[Program]) -> tuple[float | None, float | None]:
    """Return the longest standstill, and how long the one who came back needed; see ``Game``."""
    stayed = [program.steps() for program in programs if program.back is None]
    back = None
    for program in programs:
        if program.back is not None and stayed:
            back = caught_up(program.back, program.steps(), stayed)
    return standstill(stayed), back


def last_words(program: Program) -> str:
    """Return how a program stands and what it said last."""
    code = program.process.poll()
    state = "runs" if code is None else f"ended with {code}"
    out, err = program.process.output(), program.process.errors()
    said = [f"    {line}" for text in (out, err) for line in text.strip().splitlines()[-6:]]
    return "\n".join([f"  {program.laptop.address} {state}:", *said])


def summarize(games: Sequence[Game]) -> int:
    """Print the summary and return the exit status."""
    counts = Counter(game.verdict for game in games)
    kinds = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    median = statistics.median(game.seconds for game in games)
    print(f"{len(games)} games: {kinds}; median {median:.1f} s a game")
    for name in dict.fromkeys(game.scenario for game in games):
        of = [game for game in games if game.scenario == name]
        fine = sum(game.verdict == "ok" for game in of)
        worst = [max((v for v in vs if v is not None), default=None) for vs in _figures(of)]
        still, back = ("-" if v is None else f"{v:.1f} s" for v in worst)
        print(f"  {name:20s} {fine} of {len(of)} ok, still at most {still}, back within {back}")
    return 0 if counts["ok"] == len(games) else 1


def _figures(games: Sequence[Game]) -> list[list[float | None]]:
    return [[game.still for game in games], [game.back for game in games]]


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenario", nargs="*", help=f"which (default: all): {', '.join(SCENARIOS)}")
    parser.add_argument("--games", type=int, help="how many in all (default: one of each)")
    parser.add_argument(
        "--seed", type=int, default=1, help="of the first game; the next has one more"
    )
    parser.add_argument("--game", default="dice-town")
    parser.add_argument("--bot", default="casual", help="one that the game has")
    parser.add_argument("--grace", type=float, help="the table's option (default: the program's)")
    for name, seconds in asdict(Times()).items():
        if name != "grace":
            parser.add_argument(f"--{name}", type=float, default=seconds, metavar="SECONDS")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep outputs and homes here")
    args = parser.parse_args()
    if unknown := set(args.scenario) - set(SCENARIOS):
        parser.error(f"no scenario {', '.join(sorted(unknown))}; there are {', '.join(SCENARIOS)}")
    return args


def main() -> int:
    """Play the games that were asked for."""
    args = arguments()
    if (reason := available()) is not None:
        print(f"the LAN laboratory cannot run here: {reason}", file=sys.stderr)
        return 2
    names = args.scenario or list(SCENARIOS)
    times = Times(args.grace, args.sleep, args.down, args.restart, args.limit)
    games = []
    for number in range(args.games or len(names)):
        game = Game(number + 1, names[number % len(names)], args.seed + number)
        one_game(game, times, args.bot, args.game, args.keep)
        print("\n".join([game.line(), *game.notes]), flush=True)
        games.append(game)
    return summarize(games)


if __name__ == "__main__":
    sys.exit(main())
