"""Renew the lock files: the versions and hashes that a fresh machine gets.

``python3 scripts/lock.py`` keeps what is locked unless ``pyproject.toml`` forbids it;
``--upgrade`` takes the newest of everything. Needs uv (https://docs.astral.sh/uv/). The files hold
for every platform and every Python from 3.11 on, and name no index.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = "requirements.lock"
TEST = "requirements-test.lock"
"""Holds the runtime packages too, in the same versions."""


def main() -> int:
    """Renew the lock files; return uv's exit status."""
    uv = shutil.which("uv")
    if uv is None:
        sys.exit("lock: uv is not on PATH. Install it, for example: python3 -m pip install uv")
    upgrade = ["--upgrade"] if "--upgrade" in sys.argv[1:] else []
    for lock, options in ((RUNTIME, []), (TEST, ["--extra=test", f"--constraint={RUNTIME}"])):
        code = subprocess.call(command(uv, lock, [*options, *upgrade]), cwd=ROOT)
        if code:
            return code
    return 0


def command(uv: str, lock: str, options: Sequence[str]) -> list[str]:
    """Return the command line that writes one lock file."""
    return [
        uv,
        *("pip", "compile", "--quiet", "--universal", "--python-version=3.11", "--generate-hashes"),
        *("--no-header", "--no-emit-index-url", "--no-emit-find-links"),
        *(f"--output-file={lock}", *options, "pyproject.toml"),
    ]


if __name__ == "__main__":
    sys.exit(main())
