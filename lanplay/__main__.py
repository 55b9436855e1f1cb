"""``python -m lanplay``."""

import sys

from lanplay.cli import main

if __name__ == "__main__":
    sys.exit(main())
