#!/usr/bin/env python3
"""Install the test dependencies and run every check; arguments go to pytest."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120

PLATFORMS = ("linux", "darwin", "win32")
CHECKS = {
    "ruff check": [["-m", "ruff", "check", "."]],
    "ruff format": [["-m", "ruff", "format", "--check", "."]],
    "mypy": [
        ["-m", "mypy", "--platform", each, "--cache-dir", f".mypy_cache/{each}"]
        for each in PLATFORMS
    ],
    "import contracts": [["-c", "from importlinter.cli import lint_imports_command as c; c()"]],
    "pytest": [["-m", "pytest", "-q", "-n", "3", "--dist", "loadgroup"]],
}
"""What decides, in order, each as commands that run at once; pytest comes last so that its summary
closes the output."""


def main() -> int:
    """Run all checks, also after one that failed; return 0 only if every one passed."""
    from scripts.python_version import require_new_python

    require_new_python()
    from scripts import environment

    interpreter = environment.ensure(["requirements.lock", "requirements-test.lock"])
    os.chdir(environment.ROOT)
    call = partial(subprocess.call, env=environment.variables())
    failed = []
    for name, checks in CHECKS.items():
        more = sys.argv[1:] if name == "pytest" else []
        start = time.monotonic()
        with ThreadPoolExecutor() as threads:
            codes = threads.map(call, [[str(interpreter), *check, *more] for check in checks])
        if any(codes):
            failed.append(name)
        if name != "pytest":
            verdict = "FAILED" if name in failed else "passed"
            print(f"-- {name}: {verdict} in {time.monotonic() - start:.1f} s", flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
