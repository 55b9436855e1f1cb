#!/usr/bin/env python3
"""Run lanplay from a checkout: makes its environment on first use, then passes all arguments on."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120


def main() -> int:
    """Return the exit status of lanplay."""
    from scripts.python_version import require_new_python

    require_new_python()
    from scripts import environment

    interpreter = environment.ensure(["requirements.lock"])
    command = environment.command(interpreter, "lanplay", *sys.argv[1:])
    if sys.platform != "win32":
        os.execve(interpreter, command, environment.variables())
    process = subprocess.Popen(command, env=environment.variables())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # the program has heard it too and leaves by itself
            continue


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
