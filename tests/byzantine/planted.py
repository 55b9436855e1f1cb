"""Plant bugs of the law of blame, each in a copy of the tree, and let the simulator search.

    python -m tests.byzantine.planted --seconds 300 farewell-for-good verdict-cut-off

The bugs are those of ``scripts/mutants.toml``: without names all of the room. Those that readers
found in the law, and that are mended, are among them: what the simulator cannot find of these it
would not have found before them. The seconds are of a clock; each is stopped at its first fault.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.mutants import LEFT_OUT, ROOT, Mutant, load

ROOM = "The law of blame"


def search(mutant: Mutant, seconds: float, first: int, led: bool) -> tuple[float, str]:
    """Plant a bug and play until a fault shows; return after how long, and the fault, if any."""
    with TemporaryDirectory(prefix="lanplay-planted-", ignore_cleanup_errors=True) as scratch:
        tree = Path(scratch) / "tree"
        shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
        file = tree / mutant.file
        file.write_text(file.read_text().replace(mutant.old, mutant.new))
        paths = os.pathsep.join(map(str, (tree, tree / "ai", tree / "protocol")))
        play = ("--seconds", str(seconds), "--from", str(first), "--most", "18")
        command = (sys.executable, "-P", "-m", "tests.byzantine.run", *play)
        began = time.monotonic()
        told = subprocess.run(
            (*command, "--no-shrink", "--first", *["--led"] * led),
            cwd=tree,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.search(r"^--again (\S+: .*)$", told.stdout, re.MULTILINE)
    return time.monotonic() - began, found[1] if found else told.stderr[-300:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="these bugs alone")
    parser.add_argument("--seconds", type=float, default=300.0, help="at most, for each")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first game")
    parser.add_argument("--led", action="store_true", help="liars lead one alone in all schedules")
    args = parser.parse_args()
    for mutant in load():
        if mutant.name in args.names or (not args.names and mutant.room == ROOM):
            took, fault = search(mutant, args.seconds, args.first, args.led)
            print(f"{mutant.name}: {took:.0f} s, {fault[:200] or 'nothing'}", flush=True)


if __name__ == "__main__":
    main()
