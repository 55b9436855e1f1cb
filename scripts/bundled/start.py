"""Start lanplay from a bundle: unpacks the wheels for this Python on first use, then runs it.

Needs Python 3.11 or newer and nothing else: no internet, no installation, no administrator.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # any Python reads this
sys.path.insert(0, os.path.join(HERE, "program"))  # noqa: PTH118


def main() -> None:
    """Become lanplay."""
    from scripts.python_version import require_new_python

    require_new_python()
    from scripts import unpacked

    unpacked.run(HERE, sys.argv[1:])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
