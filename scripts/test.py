#!/usr/bin/env python3
"""Install the test dependencies and run every check; arguments go to pytest."""

import os
import subprocess
import sys
import time

sys.path[0] = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # pathlib is slow to load

import environment  # type: ignore[import-not-found]  # found by the line above  # noqa: E402

CHECKS = {
    "ruff": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy"],
    "import contracts": ["importlinter.cli"],
}


def main():
    # type: () -> int
    """Run all checks and return 0 only if every one passed."""
    environment.require_python()
    interpreter = str(environment.ensure(["requirements.lock", "requirements-test.lock"]))
    os.chdir(environment.ROOT)
    failed = []
    for name, module in CHECKS.items():
        start = time.monotonic()
        code = subprocess.call(command(interpreter, module), env=environment.clean())
        verdict = "passed" if code == 0 else "FAILED"
        print(f"-- {name}: {verdict} in {time.monotonic() - start:.0f} s", flush=True)
        if code:
            failed.append(name)
    pytest = [interpreter, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", *sys.argv[1:]]
    code = subprocess.call(pytest, env=environment.clean())
    if failed:
        print(f"failed before the tests: {', '.join(failed)}", file=sys.stderr)
    return code or len(failed)


def command(interpreter, module):
    # type: (str, list[str]) -> list[str]
    """Return the command line of a check."""
    if module == ["importlinter.cli"]:
        return [interpreter, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    return [interpreter, "-m", *module]


if __name__ == "__main__":
    sys.exit(main())
