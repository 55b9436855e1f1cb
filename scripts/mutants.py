#!/usr/bin/env python3
"""Plants small bugs, one at a time in a copy of the tree, and runs the tests that should notice.

    python scripts/mutants.py                      all of them, two at a time
    python scripts/mutants.py --only journal-sync  one; may be repeated
    python scripts/mutants.py --room Talk          those of one part of the program

The bugs are data: ``scripts/mutants.toml`` says of each what was done wrong (``bug``), in which
``file``, the text that stands there exactly once (``old``) and what stands there instead (``new``),
and which ``tests`` should notice: folders, files, or ``FILE::TEST``. One that may go unnoticed says
why (``accepted``). A list that no longer fits the program is refused: mend it first.

A bug is noticed if one of its tests fails that passes without it, and goes unnoticed if all pass.
Exit status: 1 if a bug that is not accepted went unnoticed, or could not be tried; 2 for a list
that does not fit.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts" / "mutants.toml"
LIMIT = 900.0
"""Seconds that the tests of one bug may take."""
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "dist")
NOTICED, UNNOTICED = "noticed", "unnoticed"
LATE = "not done in time"
BROKEN = "cannot be tried: the test does not run, or fails without it, too"


class ListError(ValueError):
    """The list of bugs is wrong in itself."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A bug to plant; see above."""

    name: str
    room: str
    bug: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    accepted: str = ""

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


class Result(NamedTuple):
    """What became of a bug: ``by`` is the test that noticed, or the last words of pytest."""

    verdict: str
    by: str


def _is_there(root: Path, test: str) -> bool:
    path, _, name = test.partition("::")
    there = (root / path).exists()
    return there and (not name or f"def {name}(" in (root / path).read_text(encoding="utf-8"))


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


def tried(mutant: Mutant, root: Path = ROOT, limit: float = LIMIT) -> Result:
    """Plant a bug in a copy of a tree, run its tests there, and return what became of it.

    The test that notices is run once more without the bug: it has to pass then.
    """
    with TemporaryDirectory(prefix="lanplay-mutant-", ignore_cleanup_errors=True) as scratch:
        tree = Path(scratch) / "tree"
        shutil.copytree(root, tree, ignore=LEFT_OUT)
        file = tree / mutant.file
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        status, words = _test(tree, mutant.tests, limit)
        if status == 0:
            return Result(UNNOTICED, "")
        if status == 1:
            file.write_text(text, encoding="utf-8")
            status, _ = _test(tree, [words], limit)
            return Result(BROKEN if status else NOTICED, words)
        return Result(LATE if status is None else BROKEN, words)


def _test(tree: Path, tests: Sequence[str], limit: float) -> tuple[int | None, str]:
    """Run tests in a group of their own; return pytest's status (``None``: late) and last words.

    These are the test that failed, without its parameters, or else the last line.
    """
    scratch = ("-p", "no:cacheprovider", "--basetemp", str(tree.with_name("tmp")))
    packages = os.pathsep.join(map(str, (tree, tree / "ai", tree / "protocol")))
    # Written bytecode could outlive the source it is of, by its time in whole seconds.
    clean = {"PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1"}
    with TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pytest", "-x", "-q", "--all", *scratch, *tests],
            cwd=tree,
            env={**os.environ, **clean},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        status = None
        try:
            with suppress(subprocess.TimeoutExpired):
                status = process.wait(limit)
        finally:
            _end_group(process)
        output.seek(0)
        lines = output.read().decode(errors="replace").strip().splitlines()
    for line in lines:
        if found := re.match(r"(?:FAILED|ERROR) ([^\s\[]+)", line):
            return status, found[1]
    return status, lines[-1] if lines else ""


def _end_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # also what the tests have started and left
    process.wait()


def main() -> int:
    """Try what is asked for, and say what went unnoticed."""
    parser = argparse.ArgumentParser(description="Plant small bugs; see which the tests notice.")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--room", action="append", default=[], metavar="PART")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    try:
        mutants = load()
    except ListError as error:
        parser.error(str(error))
    if misfits := [f"{each.name}: {why}" for each in mutants if (why := each.misfit(ROOT))]:
        parser.error("\n".join(misfits))
    asked = [each for each in mutants if each.name in args.only or each.room in args.room]
    picked = asked if args.only or args.room else mutants
    results: dict[str, Result] = {}
    with ThreadPoolExecutor(args.jobs) as pool:
        for mutant, result in zip(picked, pool.map(tried, picked), strict=True):
            results[mutant.name] = result
            print(f"[{len(results)}/{len(picked)}] {mutant.name}: {' '.join(result)}", flush=True)
    bad = [each for each in picked if results[each.name].verdict != NOTICED]
    for each in bad:
        print(f"{each.name}: {results[each.name].verdict}. {each.accepted}")
    print(f"{len(picked) - len(bad)} of {len(picked)} noticed")
    return any(not each.accepted or results[each.name].verdict != UNNOTICED for each in bad)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
