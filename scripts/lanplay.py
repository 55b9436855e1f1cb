#!/usr/bin/env python3
"""Run lanplay from a checkout: makes its environment on first use, then passes all arguments on."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120


def main() -> None:
    """Become lanplay."""
    from scripts.python_version import become, require_new_python

    require_new_python()
    from scripts import environment

    interpreter = environment.ensure(["requirements.lock"])
    become(environment.command(interpreter, "lanplay", *sys.argv[1:]), environment.variables())


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
