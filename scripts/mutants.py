#!/usr/bin/env python3
"""Plants small bugs, one at a time in a copy of the tree, and runs the tests that should notice.

    python scripts/mutants.py                      all of them, two at a time
    python scripts/mutants.py --only journal-sync  one, whatever is known of it; may be repeated
    python scripts/mutants.py --room Talk          those of one part of the program

The bugs are data: ``scripts/mutants.toml`` says of each what was done wrong (``bug``), in which
``file``, the text that stands there exactly once (``old``) and what stands there instead (``new``),
and which ``tests`` should notice: folders, files, or ``FILE::TEST``. One that may go unnoticed says
why (``accepted``). A list that no longer fits the program is refused: mend it first.

What was found is kept in ``.mutants.json`` and holds until the bug, its file or its tests change,
so that a run which was interrupted goes on, and one after a change tries no more than it has to.
Once all are tried, ``docs/mutants.md`` is written. A bug is noticed if one of its tests fails that
passes without it, and goes unnoticed if all pass. Exit status: 1 if a bug that is not accepted went
unnoticed, or could not be tried; 2 for a list that does not fit.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts" / "mutants.toml"
STATE = ROOT / ".mutants.json"
PAGE = ROOT / "docs" / "mutants.md"
AT_ONCE = 2
LIMIT = 900.0
"""Seconds that the tests of one bug may take."""
POLL = 0.1
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "dist")
NOTICED, UNNOTICED = "noticed", "unnoticed"
LATE, BROKEN = (
    "not done in time",
    "cannot be tried: the test does not run, or fails without it, too",
)


class ListError(ValueError):
    """The list of bugs is wrong in itself."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A bug to plant; see above. ``stranger``: it was first planted by somebody from outside."""

    name: str
    room: str
    bug: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    accepted: str = ""
    stranger: bool = False

    def misfit(self, root: Path) -> str:
        """Return why it cannot be planted in a tree, with what to do; empty if it can."""
        path = root / self.file
        if not path.is_file():
            return f"there is no {self.file}: name the file that has this code now"
        missing = [each for each in self.tests if not _is_there(root, each)]
        if missing or not self.tests:
            return f"there is no {', '.join(missing) or 'test'}: name tests that should notice"
        times = path.read_text(encoding="utf-8").count(self.old)
        if times != 1 or self.new == self.old:
            return f"its old text stands {times} times in {self.file}: write it anew"
        return ""

    def plant(self, root: Path) -> None:
        """Write it into a tree."""
        path = root / self.file
        path.write_text(path.read_text(encoding="utf-8").replace(self.old, self.new), "utf-8")

    def key(self, root: Path) -> str:
        """Return what a result holds for: the bug, its file and its tests as they are."""
        what = (self.file, self.old, self.new, self.tests)
        state = blake2b(json.dumps(what).encode(), digest_size=16)
        tests = [root / each.partition("::")[0] for each in self.tests]
        for path in (root / self.file, *_files(tests)):
            state.update(path.read_bytes())
        return state.hexdigest()


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a bug: ``by`` is the test that noticed, or the last words of pytest."""

    key: str
    verdict: str
    by: str
    seconds: float


def _is_there(root: Path, test: str) -> bool:
    path, _, name = test.partition("::")
    there = (root / path).exists()
    return there and (not name or f"def {name}(" in (root / path).read_text(encoding="utf-8"))


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def load(path: Path = LIST) -> list[Mutant]:
    """Return the bugs of a list; ``ListError`` if it is none."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
        mutants = [Mutant(**{**each, "tests": tuple(each["tests"])}) for each in entries]
    except (KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise ListError(f"{path}: {error}") from error
    names = [each.name for each in mutants]
    if double := {name for name in names if names.count(name) > 1}:
        raise ListError(f"{path}: two bugs are called {', '.join(sorted(double))}")
    return mutants


class Trial:
    """A bug planted in a copy of the tree, and its tests running there in their own group.

    The test that notices is run once more without the bug: it has to pass then.
    """

    def __init__(self, mutant: Mutant, root: Path = ROOT, limit: float = LIMIT) -> None:
        self.mutant = mutant
        self._key = mutant.key(root)
        self._scratch = TemporaryDirectory(prefix="lanplay-mutant-", ignore_cleanup_errors=True)
        scratch = Path(self._scratch.name)
        self._tree, self._output = scratch / "tree", scratch / "output"
        shutil.copytree(root, self._tree, ignore=LEFT_OUT)
        self._whole = (self._tree / mutant.file).read_bytes()
        self._begun = time.monotonic()
        self._limit = limit
        self._by = ""
        mutant.plant(self._tree)
        self._test(mutant.tests)

    def _test(self, tests: Sequence[str]) -> None:
        scratch = ("-p", "no:cacheprovider", "--basetemp", f"{self._scratch.name}/tmp")
        # Written bytecode could outlive the source it is of, by its time in whole seconds.
        clean = {"PYTHONPATH": str(self._tree), "PYTHONDONTWRITEBYTECODE": "1"}
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "pytest", "-x", "-q", *scratch, *tests],
                cwd=self._tree,
                env={**os.environ, **clean},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._until = time.monotonic() + self._limit

    @property
    def over(self) -> bool:
        """Whether what there is to find is found, or may take no longer."""
        status = self._process.poll()
        if status == 1 and not self._by:
            self._by = _last_words(self._output)
            (self._tree / self.mutant.file).write_bytes(self._whole)
            _end_group(self._process)
            self._test([self._by])
            return False
        return status is not None or time.monotonic() > self._until

    def end(self) -> Result:
        """End whatever still runs, remove the copy, and return what was found."""
        status = self._process.poll()
        seconds = round(time.monotonic() - self._begun, 1)
        _end_group(self._process)
        verdict = self._verdict(status)
        by = "" if verdict == UNNOTICED else self._by or _last_words(self._output)
        self._scratch.cleanup()
        return Result(self._key, verdict, by, seconds)

    def _verdict(self, status: int | None) -> str:
        if status is None:
            return LATE
        if self._by:
            return BROKEN if status else NOTICED
        return BROKEN if status else UNNOTICED


def _end_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # also what the tests have started and left
    process.wait()


def _last_words(output: Path) -> str:
    """Return the test that failed, without its parameters, or else the last line."""
    lines = output.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    for line in lines:
        if found := re.match(r"(?:FAILED|ERROR) ([^\s\[]+)", line):
            return found[1]
    return lines[-1] if lines else ""


def conduct(
    mutants: Sequence[Mutant], jobs: int, root: Path = ROOT, limit: float = LIMIT
) -> Iterator[tuple[Mutant, Result]]:
    """Try bugs, so many at a time; yield each with its result as it comes."""
    waiting, trials = [*reversed(mutants)], list[Trial]()
    try:
        while waiting or trials:
            while waiting and len(trials) < jobs:
                trials.append(Trial(waiting.pop(), root, limit))
            time.sleep(POLL)
            for trial in [each for each in trials if each.over]:
                trials.remove(trial)
                yield trial.mutant, trial.end()
    finally:
        for trial in trials:
            trial.end()


def known(path: Path = STATE) -> dict[str, Result]:
    """Return what was found so far, by the name of the bug."""
    if not path.exists():
        return {}
    data = json.loads(path.read_text(encoding="utf-8"))
    return {name: Result(**result) for name, result in data.items()}


def keep(results: Mapping[str, Result], path: Path = STATE) -> None:
    """Write down what was found, whole or not at all."""
    data = {name: asdict(result) for name, result in sorted(results.items())}
    draft = path.with_suffix(".part")
    draft.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    draft.replace(path)


HEAD = """\
# Planted bugs: which tests see what

Written by `python scripts/mutants.py`, which plants each of these bugs in a copy of the program
and runs the tests named in `scripts/mutants.toml`; there the exact change stands, too. Those marked
° were first planted by a stranger. Of {all}, {noticed} are noticed; beside each of the others
stands why that is accepted.
"""


def page(mutants: Sequence[Mutant], results: Mapping[str, Result]) -> str:
    """Return the page on what was found, part by part of the program."""
    noticed = sum(results[each.name].verdict == NOTICED for each in mutants)
    out = [HEAD.format(noticed=noticed, all=len(mutants))]
    for room in dict.fromkeys(each.room for each in mutants):
        out.append(f"\n## {room}\n\n| | planted bug | file | noticed by |\n|---|---|---|---|\n")
        for each in (each for each in mutants if each.room == room):
            mark = " °" if each.stranger else ""
            out.append(f"| {each.name}{mark} | {each.bug} | `{each.file}` | ")
            out.append(f"{_found(each, results[each.name])} |\n")
    return "".join(out)


def _found(mutant: Mutant, result: Result) -> str:
    if result.verdict == NOTICED:
        return f"`{result.by.removeprefix('tests/')}`"
    return f"**{result.verdict}**" + (f": {mutant.accepted}" if mutant.accepted else "")


def chosen(mutants: Sequence[Mutant], args: argparse.Namespace) -> list[Mutant]:
    """Return the bugs that a person asks for; ``ListError`` names one that there is not."""
    if unknown := set(args.only) - {each.name for each in mutants}:
        raise ListError(f"no bug is called {', '.join(sorted(unknown))}")
    if unknown := set(args.room) - {each.room for each in mutants}:
        raise ListError(f"there is no part {', '.join(sorted(unknown))}")
    picked = [each for each in mutants if each.name in args.only or each.room in args.room]
    return picked if args.only or args.room else [*mutants]


def main() -> int:
    """Try what has to be tried, and say what went unnoticed."""
    parser = argparse.ArgumentParser(description="Plant small bugs; see which the tests notice.")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--room", action="append", default=[], metavar="PART")
    parser.add_argument("--again", action="store_true", help="also what is known already")
    parser.add_argument("--jobs", type=int, choices=range(1, AT_ONCE + 1), default=AT_ONCE)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for each bug")
    args = parser.parse_args()
    try:
        mutants = load()
        picked = chosen(mutants, args)
    except ListError as error:
        print(error, file=sys.stderr)
        return 2
    if misfits := [(each.name, why) for each in mutants if (why := each.misfit(ROOT))]:
        for name, why in misfits:
            print(f"{name}: {why}", file=sys.stderr)
        return 2
    results = {n: r for n, r in known().items() if n in {each.name for each in mutants}}
    done = {each.name for each in mutants if _holds(each, results)}
    again = set(args.only) if not args.again else {each.name for each in picked}
    due = [each for each in picked if each.name not in done - again]
    for count, (mutant, result) in enumerate(conduct(due, args.jobs, limit=args.limit), 1):
        results[mutant.name] = result
        keep(results)
        told = f"{mutant.name}: {result.verdict} ({result.seconds:g} s) {result.by}"
        print(f"[{count}/{len(due)}] {told}", flush=True)
    return conclude(mutants, picked, results)


def _holds(mutant: Mutant, results: Mapping[str, Result]) -> bool:
    found = results.get(mutant.name)
    tried = found is not None and found.verdict in (NOTICED, UNNOTICED)
    return tried and found is not None and found.key == mutant.key(ROOT)


def conclude(
    mutants: Sequence[Mutant], picked: Sequence[Mutant], results: Mapping[str, Result]
) -> int:
    """Write the page if it can be written, and return the exit status."""
    if untried := [each.name for each in mutants if not _holds(each, results)]:
        print(f"not tried as they are now: {len(untried)}; {PAGE.name} stays as it was")
    else:
        PAGE.write_text(page(mutants, results), encoding="utf-8")
    bad = [each for each in picked if results[each.name].verdict != NOTICED]
    for each in bad:
        told = results[each.name]
        print(f"{each.name}: {told.verdict} {each.accepted and f'(accepted: {each.accepted})'}")
    for each in picked:
        if each.accepted and results[each.name].verdict == NOTICED:
            print(f"{each.name}: noticed by now, so that it need not be accepted any more")
    print(f"{len(picked) - len(bad)} of {len(picked)} noticed")
    wrong = [e for e in bad if not e.accepted or results[e.name].verdict in (LATE, BROKEN)]
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
