#!/usr/bin/env python3
"""Run lanplay from a checkout: makes its environment on first use, then passes all arguments on."""

import os
import subprocess
import sys

sys.path[0] = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # pathlib is slow to load

import environment  # type: ignore[import-not-found]  # found by the line above  # noqa: E402


def main():
    # type: () -> int
    """Return the exit status of lanplay."""
    environment.require_python()
    interpreter = str(environment.ensure(["requirements.lock"]))
    command = [interpreter, "-m", "lanplay", *sys.argv[1:]]
    if os.name != "nt":
        os.execve(interpreter, command, environment.clean())
    process = subprocess.Popen(command, env=environment.clean())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    sys.exit(main())
