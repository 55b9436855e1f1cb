#!/usr/bin/env python3
"""Add to the checkout's environment what tournaments make their drawings with."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120


def main() -> int:
    """Return 0 once all is there; a sentence says what else."""
    from scripts.python_version import require_new_python

    require_new_python()
    from scripts import environment

    environment.ensure(["requirements.lock", "requirements-tournament.lock"])
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
