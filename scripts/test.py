#!/usr/bin/env python3
"""Install the test dependencies and run every check; arguments go to pytest.

With ``--all`` those tests run, too, that are otherwise left to the night.
With ``--changed`` as the first argument the types are checked for this system alone, and of the
tests those run that concern what differs from the branch main (``--changed=COMMIT``: from there),
once everything else passes.
"""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120

CHECKS = {
    "ruff check": [["-m", "ruff", "check", "."]],
    "ruff format": [["-m", "ruff", "format", "--check", "."]],
    "mypy": [
        ["-m", "mypy", "--platform", each, "--cache-dir", f".mypy_cache/{each}"]
        for each in ("linux", "darwin", "win32")
    ]
    + [["-m", "pytest", "--collect-only", "-p", "no:terminal"]],
    "catalogs": [["scripts/catalogs.py", "check"]],
    "import contracts": [["-c", "from importlinter.cli import lint_imports_command as c; c()"]],
    "pytest": [["-m", "pytest", "-q", "-n", "4", "--dist", "loadgroup"]],
}
"""What decides, in order, each as commands that run at once; pytest comes last so that its summary
closes the output, in four processes also on two cores, as much of what is tested waits. Beside
mypy the tests are compiled, once: those four would each do it."""


def main() -> int:
    """Run all checks, also after one that failed; return 0 only if every one passed."""
    if {"-h", "--help"} & set(sys.argv[1:2]):
        return print(__doc__) or 0
    from scripts.python_version import require_new_python

    require_new_python()
    from scripts import environment

    named = ["", "-test", *["-browser"] * any(map(shutil.which, ("chromium", "google-chrome")))]
    interpreter = environment.ensure([f"requirements{each}.lock" for each in named])
    os.chdir(environment.ROOT)
    arguments, checks, failed = sys.argv[1:], dict(CHECKS), list[str]()
    part = bool(arguments) and arguments[0].partition("=")[0] == "--changed"
    if part:
        arguments[:1] = concerned(arguments[0].partition("=")[2] or "main")
        checks["mypy"] = [["-m", "mypy", "--cache-dir", f".mypy_cache/{sys.platform}"]]
    variables = environment.variables()
    for name in ("PYTHONDONTWRITEBYTECODE", "TMPDIR"):  # what makes the tests slow
        variables.pop(name, None)
    call = partial(subprocess.call, env=variables)
    for name, commands in checks.items():
        if part and failed and name == "pytest":
            break  # what takes seconds is mended before what takes minutes
        more = arguments if name == "pytest" else []
        start = time.monotonic()
        with ThreadPoolExecutor() as threads:
            codes = threads.map(call, [[str(interpreter), *each, *more] for each in commands])
        wrong = [" ".join(each) for each, code in zip(commands, codes, strict=True) if code]
        if wrong:
            failed.append(f"{name} ({'; '.join(wrong)})" if len(commands) > 1 else name)
        if name != "pytest":
            verdict = f"{failed[-1]}: FAILED" if wrong else f"{name}: passed"
            print(f"-- {verdict} in {time.monotonic() - start:.1f} s", flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def concerned(since: str) -> list[str]:
    """Return the tests that concern what was changed since a commit, and say how many."""
    from scripts import changed

    files = changed.files_changed(since)
    tests = changed.selected(files, changed.sources())
    print(f"-- {len(files)} files differ from {since}: {len(tests)} files of tests concern them")
    return tests


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (KeyboardInterrupt, BrokenPipeError):  # whoever read along has gone
        os._exit(130)
