"""Write the manual page ``docs/lanplay.1`` anew from the commands' own arguments."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "lanplay.1"


def main() -> int:
    """Write the page in English."""
    from lanplay.cli.manual import page

    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
