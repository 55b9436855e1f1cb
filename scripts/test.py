#!/usr/bin/env python3
"""Install the test dependencies and run every check; arguments go to pytest.

With ``--all`` those tests run, too, that are otherwise left to the night.
With ``--changed`` as the first argument the types are checked for this system alone, and of the
tests those run that concern what differs from the branch main (``--changed=COMMIT``: from there),
once everything else passes. What reads every source comes with that.
"""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120

QUICK = [
    ["-m", "ruff", "check", "."],
    ["-m", "ruff", "format", "--check", "."],
    ["scripts/catalogs.py", "check"],
    ["-c", "from importlinter.cli import lint_imports_command as c; c()"],
    ["-m", "pytest", "--collect-only", "-p", "no:terminal"],
]
"""What takes seconds. The last one compiles the tests, once: those four would each do it."""
TYPES = {
    each: ["-m", "mypy", "--platform", each, "--cache-dir", f".mypy_cache/{each}"]
    for each in ("linux", "darwin", "win32")
}
TESTS = ["-m", "pytest", "-q", "-n", "4", "--dist", "loadgroup"]
"""In four processes also on two cores, and beside them the types are checked, as much of what is
tested waits."""


def main() -> int:
    """Run all checks, also after one that failed; return 0 only if every one passed."""
    if {"-h", "--help"} & set(sys.argv[1:2]):
        return print(__doc__) or 0
    from scripts.python_version import require_new_python

    require_new_python()
    from scripts import changed, environment

    named = ["", "-test", *["-browser"] * any(map(shutil.which, ("chromium", "google-chrome")))]
    interpreter = environment.ensure([f"requirements{each}.lock" for each in named])
    os.chdir(environment.ROOT)
    arguments, failed = sys.argv[1:], list[str]()
    part = bool(arguments) and arguments[0].partition("=")[0] == "--changed"
    groups = [QUICK, [*TYPES.values(), [*TESTS, *arguments]]]
    if part:
        arguments[:1] = concerned(arguments[0].partition("=")[2] or "main")
        first = ["-m", "pytest", "-q", *changed.ALWAYS]
        groups = [[*QUICK, first, TYPES.get(sys.platform, TYPES["linux"])], [[*TESTS, *arguments]]]
    variables = environment.variables()
    for name in ("PYTHONDONTWRITEBYTECODE", "TMPDIR"):  # what makes the tests slow
        variables.pop(name, None)
    call = partial(subprocess.call, env=variables)
    for commands in groups:
        if part and failed:
            break  # what takes seconds is mended before what takes minutes
        start = time.monotonic()
        with ThreadPoolExecutor(len(commands)) as threads:
            codes = [*threads.map(call, [[str(interpreter), *each] for each in commands])]
        failed += [" ".join(each) for each, code in zip(commands, codes, strict=True) if code]
        if commands is groups[0]:
            verdict = f"FAILED: {'; '.join(failed)}" if failed else "passed"
            took = f"{len(commands)} in {time.monotonic() - start:.1f} s"
            print(f"-- quick checks, {took}: {verdict}", flush=True)
    if failed:
        print(f"failed: {'; '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def concerned(since: str) -> list[str]:
    """Return the tests that concern what was changed since a commit, and say how many."""
    from scripts import changed

    try:
        files = changed.files_changed(since)
    except subprocess.CalledProcessError as error:
        told = error.stderr.strip() or "it has nothing in common with what is here"
        sys.exit(f"There is no {since} to compare with ({told}). Name a commit: --changed=COMMIT")
    tests = changed.selected(files, changed.sources())
    print(f"-- {len(files)} files differ from {since}: {len(tests)} files of tests concern them")
    return tests


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (KeyboardInterrupt, BrokenPipeError):  # whoever read along has gone
        os._exit(130)
