"""Try a disk that fails at every call: real commands, one fault each, and what became of it.

A command is run once to count its calls that change files (see ``faulty_disk.py``), then once for
each of them (or ``--calls`` of them, evenly spread, each kind and each file at least once) with
that call failing. What is asked of every run:

- it ends, with status 0 or 2, without a traceback and without "a fault of lanplay";
- a game and a simulation end with 0 and the same result and JSON as without the fault;
- what is missing afterwards is named on standard error;
- nothing that was whole before is destroyed: settings, identity, known keys, records, results.

    python3 scripts/campaigns/disk_faults.py [SCENARIO...] [--calls N] [--jobs N]
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scripts.campaigns.agreement import closing_line  # noqa: E402  # needs the line above

SECONDS: Final = 120
"""How long a run may take."""
LOOPBACK: Final = "127.0.0.1"
APPENDED: Final = (".csv", ".jsonl", ".log")
"""Files to which lines are added: whatever stood in them still begins them."""
OTHERWISE: Final = ("known_peers.json", "timing.json")
"""Files whose content is another one after each run."""
NOT_KEPT: Final = ("state/", "tmp/")
"""Where nothing lies that anybody would miss: logs of faults, and what is temporary."""


@dataclass(frozen=True, slots=True)
class Blow:
    """What goes wrong: the system's error (0: a short write, then none), once or for good."""

    name: str
    errno: int
    ever: bool = False
    only: tuple[str, ...] = ()

    def hits(self, kind: str) -> bool:
        """Tell whether a call of this kind can fail so."""
        return not self.only or kind in self.only


BLOWS: Final = (
    Blow("full", errno.ENOSPC, True, ("open", "write", "mkdir", "fsync", "close")),
    Blow("short", 0, False, ("write",)),
    Blow("EIO", errno.EIO),
    Blow(
        "read-only", errno.EROFS, True, ("open", "mkdir", "rename", "unlink", "truncate", "chmod")
    ),
    Blow("quota", errno.EDQUOT, True, ("open", "write", "mkdir")),
)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: what it said, and every file of its folder."""

    status: int
    out: str
    err: str
    files: Mapping[str, bytes]
    calls: Sequence[tuple[str, str]] = ()
    other: str = ""

    @property
    def json(self) -> dict[str, Any] | None:
        """The closing line of JSON, if there is one."""
        return closing_line(self.out)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A command, and what is asked of it.

    ``game``: it ends with 0 and the JSON of the undisturbed run, as far as the keys ``same`` go;
    or, in a game against a ``partner``, which runs beside it on a disk that works, of that one.
    ``made`` prepares the folder of all runs. ``streams``: what fails are standard output and error,
    which may end a game that nobody can see any more. ``refuses``: it need not begin where it
    cannot be kept, as its game can be gone on with later. ``reports``: what is wrong is what it is
    asked for, so that it says so on standard output.
    """

    name: str
    command: Sequence[str]
    game: bool = False
    same: Sequence[str] = ()
    partner: Callable[[Path, Process | None], Process] | None = None
    guest: bool = False
    made: Callable[[Path], None] = field(default=lambda home: None)
    streams: bool = False
    refuses: bool = False
    reports: bool = False


def environment(home: Path, plan: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Return the variables of a run that keeps everything in ``home``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LANPLAY_")}
    places = [str(ROOT)]
    if plan is not None:
        site = Path(plan["site"])
        site.mkdir(exist_ok=True)
        shutil.copy(Path(__file__).with_name("faulty_disk.py"), site / "sitecustomize.py")
        places.insert(0, str(site))
        kept["FAULTY_DISK"] = json.dumps(plan)
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    return kept | {
        "PYTHONPATH": os.pathsep.join(places),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "LANPLAY_CONFIG": str(home / "config" / "config.toml"),
        "LANPLAY_DATA": str(home / "data"),
        "LANGUAGE": "en",
        "MPLCONFIGDIR": tempfile.gettempdir(),
        **{f"XDG_{name}_HOME": str(home / name.lower()) for name in ("DATA", "STATE", "CONFIG")},
    }


class Process:
    """lanplay with a command, running; what it says goes to two files."""

    def __init__(
        self, home: Path, command: Sequence[str], plan: Mapping[str, Any] | None = None
    ) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self._said = [home.with_suffix(f".{name}") for name in ("out", "err")]
        with self._said[0].open("wb") as out, self._said[1].open("wb") as err:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "lanplay", *command],
                env=environment(home, plan),
                cwd=home,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )

    @property
    def said(self) -> tuple[str, str]:
        """What it has said so far: output and errors."""
        out, err = (path.read_text(encoding="utf-8", errors="replace") for path in self._said)
        return out, err

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def end(self, seconds: float) -> int:
        """Wait for its end, but not longer; return its status, -9 if it had to be killed."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def told(self, wanted: str) -> str:
        """Return what it says on standard error right after some words, once it has; or nothing."""
        for _ in range(SECONDS * 20):
            found = re.search(re.escape(wanted) + r"(\S+)", self.said[1])
            if found or not self.running:
                return found[1] if found else ""
            time.sleep(0.05)
        return ""


def quietly(home: Path, *command: str) -> None:
    """Run lanplay on a disk that works, to prepare something."""
    process = Process(home, command)
    if process.end(SECONDS):
        raise RuntimeError(f"{command}: {process.said}")


def contents(home: Path) -> dict[str, bytes]:
    """Return every file below a folder by its name there."""
    files = (path for path in sorted(home.rglob("*")) if path.is_file())
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in files}


def run(scenario: Scenario, template: Path, plan: Mapping[str, Any]) -> Ended:
    """Run a scenario in a copy of its folder, with a disk that fails as the plan says."""
    with tempfile.TemporaryDirectory(prefix="disk-faults-") as scratch:
        home, log = Path(scratch) / "home", Path(scratch) / "calls"
        shutil.copytree(template, home)
        under = ["<stdout>", "<stderr>"] if scenario.streams else [str(home)]
        whole = {"under": under, "log": str(log), "site": str(Path(scratch) / "site"), **plan}
        beside = home.with_name("other")
        if (template.with_name("other")).exists():
            shutil.copytree(template.with_name("other"), beside)
        partner, command = None, scenario.command
        if scenario.partner and scenario.guest:
            partner = scenario.partner(beside, None)
            command = [*command, f"{LOOPBACK}:{partner.told('is open on port ').rstrip('.')}"]
        process = Process(home, command, whole)
        if scenario.partner and partner is None:
            partner = scenario.partner(beside, process)
        status = process.end(SECONDS)
        if partner is not None:
            partner.end(1 if status else SECONDS)
        out, err = process.said
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        parts = [line.split(" ", 2) for line in lines]
        calls = [(kind, path.replace(str(home), "")) for _number, kind, path in parts]
        return Ended(
            status,
            out,
            err.replace(str(home), ""),
            contents(home),
            calls,
            partner.said[0] if partner else "",
        )


def wrong(
    scenario: Scenario, calm: Ended, before: Mapping[str, bytes], hurt: Ended, at: int
) -> Iterator[str]:
    """Yield what is wrong with a run whose disk failed at a call."""
    game = scenario.game and not (scenario.refuses and untouched(before, hurt))
    wanted = scenario.streams or {"--record", "--timing"} & {*scenario.command}
    fine = (0, 2) if wanted or not game else (0,)
    if hurt.status not in fine:
        yield f"status {hurt.status}"
    for word in ("Traceback", "fault of lanplay", "Exception ignored", "Logging error", "None"):
        if word in hurt.err:
            yield f"it says {word!r}"
    told = hurt.out if scenario.reports else "lanplay: " in hurt.err
    if hurt.status and not told and not scenario.streams:
        yield "it fails without a word"
    if game and not scenario.streams:
        expected = (closing_line(hurt.other) if scenario.partner else calm.json) or {}
        got = hurt.json or {}
        if not got or not expected or any(expected[key] != got.get(key) for key in scenario.same):
            yield "its result is lost"
    yield from destroyed(calm, before, hurt)
    if not scenario.streams:
        yield from unsaid(calm, before, hurt, at)


def untouched(before: Mapping[str, bytes], hurt: Ended) -> bool:
    """Tell whether a program ended with 2 before it began to play, and its game is as it was."""
    games = [name for name in before if Path(name).suffix == ".game"]
    return hurt.status == 2 and all(hurt.files.get(name) == before[name] for name in games)


def destroyed(calm: Ended, before: Mapping[str, bytes], hurt: Ended) -> Iterator[str]:
    """Yield each file that was whole before and is neither as it was nor as it should be."""
    for name, old in before.items():
        new = hurt.files.get(name)
        if new == old or new == calm.files.get(name) or Path(name).suffix in (".game", ".stale"):
            continue
        appended = new is not None and Path(name).suffix in APPENDED and new.startswith(old)
        if appended or (new is not None and name.endswith(OTHERWISE) and grown(old, new)):
            continue
        yield f"{name} is destroyed"


def grown(old: bytes, new: bytes) -> bool:
    """Tell whether all keys of one JSON object are in another, which is whole."""
    with suppress(ValueError):
        return bool(json.loads(old).keys() <= json.loads(new).keys())
    return False


def unsaid(calm: Ended, before: Mapping[str, bytes], hurt: Ended, at: int) -> Iterator[str]:
    """Yield what is missing, or left over, without a word.

    Who ends with 2 has named the file whose call failed; who goes on, each folder that lacks one.
    """

    def kinds(files: Mapping[str, bytes]) -> Counter[str]:
        new = (name for name in files if name not in before and not name.startswith(NOT_KEPT))
        return Counter(str(Path(name).parent / f"*{Path(name).suffix}") for name in new)

    missing, surplus = kinds(calm.files) - kinds(hurt.files), kinds(hurt.files) - kinds(calm.files)
    where = [*missing, *surplus]
    if hurt.status and where:
        where = [hurt.calls[at - 1][1].lstrip("/")] if at <= len(hurt.calls) else []
    for each in where:
        if not any(str(place) in hurt.err for place in [Path(each), *Path(each).parents][:-1]):
            yield f"not said: missing {dict(missing)}, too many {dict(surplus)}"


def chosen(calls: Sequence[tuple[str, str]], most: int) -> list[int]:
    """Return the numbers of calls to fail: all, or some of each kind and file, evenly spread."""
    every = range(1, len(calls) + 1)
    if len(calls) <= most:
        return list(every)
    groups: dict[tuple[str, str], list[int]] = {}
    for number, (kind, path) in zip(every, calls, strict=True):
        groups.setdefault((kind, Path(path).suffix + Path(path).parent.name), []).append(number)
    picked = {numbers[end] for numbers in groups.values() for end in (0, -1)}
    step = max(1, len(calls) // max(1, most - len(picked)))
    return sorted(picked | set(every[::step]))


# -- what is run ----------------------------------------------------------------------------------

RESULT: Final = ("scores", "winners", "state_hash", "rounds")
AGREED: Final = (*RESULT, "steps", "trace")
GUEST: Final = ("--auto", "random", "--interface", LOOPBACK, "--json")
SIMULATE: Final = (
    *("simulate", "dice-town", "--seats", "2", "--games", "3", "--bot", "casual"),
    *("--record", "records", "--json"),
)
RESUME: Final = ("tournament", "--resume", "run", "--games", "6", "--json", "--quiet")
DEMO: Final = (
    *("demo", "charidice", "--seats", "2", "--peers", "2", "--bot", "random", "--no-discovery"),
    *("--json", "--record", "kept/game.lanplay"),
)
PLAY: Final = ("play", "dice-town", "--seats", "2", "--auto", "casual", "--seed", "7", "--json")
HOST: Final = (
    *("host", "charidice", "--seats", "2", "--people", "2", "--auto", "random", "--trust-new"),
    *("--interface", LOOPBACK, "--json", "--name", "Ann"),
)


def guest(home: Path, host: Process | None) -> Process:
    """Sit down at a host's table, once it is open."""
    assert host is not None
    port = host.told("is open on port ").rstrip(".")
    options = (
        "--auto",
        "casual",
        "--trust-new",
        "--interface",
        LOOPBACK,
        "--json",
        "--name",
        "Bob",
    )
    return Process(home, ("join", f"{LOOPBACK}:{port or 1}", *options))


def table(home: Path, _: Process | None) -> Process:
    """Open the table at which the program whose disk fails sits down."""
    return Process(home, HOST)


def other_half(home: Path, _: Process | None) -> Process:
    """Go on with the other half of the game that was cut off."""
    return Process(home, ("resume", "--auto", "random", "--interface", LOOPBACK, "--json"))


def lived_in(home: Path) -> None:
    """Make a folder as somebody has it who plays: settings, identity, known keys, records."""
    quietly(home, "config")
    with (home / "config" / "config.toml").open("a", encoding="utf-8") as file:
        file.write('name = "Ann"\n')
    quietly(home, *PLAY)
    (home / "data" / "identity.key").write_bytes(bytes(range(32)))
    (home / "data" / "known_peers.json").write_text(json.dumps({"ab" * 32: "Eve"}, indent=1))


def cut_off(home: Path) -> None:
    """Leave a game of two in the middle: both programs are killed."""
    lived_in(home)
    host = Process(home, HOST)
    other = guest(home.with_name("other"), host)
    while not any(path.stat().st_size > 10_000 for path in home.glob("data/games/*.game")):
        time.sleep(0.02)
    for process in (host, other):
        process.end(0)


def tournament(home: Path) -> None:
    """Leave a tournament that is finished, and can be gone on with."""
    lived_in(home)
    quietly(home, *TOURNAMENT, "--out", "run", "--games", "4")


TOURNAMENT: Final = (
    *("tournament", "dice-town", "random", "random", "--seats", "2", "--jobs", "1", "--quiet"),
    "--records",
)
SCENARIOS: Final = (
    Scenario("play", PLAY, True, RESULT, made=lived_in),
    Scenario("play, new here", PLAY, True, RESULT),
    Scenario("play --log", (*PLAY, "--log", "logs/log"), made=lived_in),
    Scenario(
        "play --record", (*PLAY, "--record", "kept/game.lanplay"), True, RESULT, made=lived_in
    ),
    Scenario("play, output", PLAY, True, RESULT, made=lived_in, streams=True),
    Scenario("host", HOST, True, AGREED, guest, made=lived_in),
    Scenario("host, new here", (*HOST, "--timing", "logs/timing"), True, AGREED, guest),
    Scenario(
        "join",
        ("join", *GUEST, "--trust-new", "--name", "Ann"),
        True,
        AGREED,
        table,
        guest=True,
        made=lived_in,
    ),
    Scenario("resume", ("resume", *GUEST), True, RESULT, other_half, made=cut_off, refuses=True),
    Scenario("simulate", SIMULATE, True, ("hash", "mean_scores", "win_shares"), made=lived_in),
    Scenario("tournament", (*TOURNAMENT, "--games", "4", "--json"), made=lived_in),
    Scenario("tournament --resume", RESUME, made=tournament),
    Scenario("demo", DEMO, True, ("game", "peers"), refuses=True),
    Scenario("config", ("config",)),
    Scenario("history", ("history", "--json"), made=lived_in),
    Scenario("replay", ("replay", "run", "--game", "1", "--json"), made=tournament),
    Scenario("rules, output", ("rules", "dice-town"), streams=True),
    Scenario("doctor", ("doctor", "--json", "--interface", LOOPBACK), made=lived_in, reports=True),
)


# -- the whole of it ------------------------------------------------------------------------------


def tried(
    scenario: Scenario,
    most: int,
    jobs: int,
    blows: Iterable[Blow] = BLOWS,
    where: Callable[[str, str], bool] = lambda kind, path: True,
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield what was done to each run of a scenario, and what is wrong with it.

    ``where`` says at which calls, by kind and path, anything is done.
    """
    with tempfile.TemporaryDirectory(prefix="disk-faults-") as folder:
        template = Path(folder) / "home"
        template.mkdir()
        scenario.made(template)
        before = contents(template)
        calm = run(scenario, template, {"at": 0})
        if calm.status:
            raise RuntimeError(f"{scenario.name} does not even work on a whole disk: {calm.err}")
        plans = [
            (blow, at)
            for blow in blows
            for at in chosen(calm.calls, most)
            if blow.hits(calm.calls[at - 1][0]) and where(*calm.calls[at - 1])
        ]

        def one(planned: tuple[Blow, int]) -> tuple[str, Sequence[str]]:
            blow, at = planned
            plan = {"at": at, "errno": blow.errno, "ever": blow.ever, "only": blow.only}
            hurt = run(scenario, template, plan)
            kind, path = calm.calls[at - 1]
            found = list(wrong(scenario, calm, before, hurt, at))
            told = [f"  {line}" for line in hurt.err.splitlines()[-8:]] if found else []
            return f"{scenario.name}: {blow.name} at call {at}, {kind} {path}", [*found, *told]

        with ThreadPoolExecutor(1 if scenario.made is cut_off else jobs) as pool:
            yield from pool.map(one, plans)


def main() -> int:
    """Try every scenario, or those named; 1 if anything is wrong."""
    names = [scenario.name for scenario in SCENARIOS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenario", nargs="*", help=", ".join(names))
    parser.add_argument("--calls", type=int, default=40, help="calls of a run that fail (40)")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    faults = bad = 0
    for scenario in SCENARIOS:
        if args.scenario and scenario.name not in args.scenario:
            continue
        count = faults
        for done, found in tried(scenario, args.calls, args.jobs):
            faults += 1
            if found:
                bad += 1
                print("\n".join([done, *(f"    {each}" for each in found)]), flush=True)
        print(f"{scenario.name}: {faults - count} faults", flush=True)
    print(f"{faults} faults injected, {bad} runs with something wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
