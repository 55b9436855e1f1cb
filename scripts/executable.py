#!/usr/bin/env python3
"""Make a single file that needs no Python: ``python3 scripts/executable.py`` writes it to dist.

It is for the system that it is made on (PyInstaller cannot make it for others) and for systems with
the same C library or a newer one. Name, size, SHA-256 and the time it takes to start are printed.
"""

from __future__ import annotations

import argparse
import hashlib
import platform
import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lanplay import __version__  # noqa: E402
from scripts import environment  # noqa: E402

SYSTEMS = {"darwin": "macos", "win32": "windows"}
PACKAGES = ("lanplay", "lanplay_ai", "lanplay_protocol")
NEEDED = ("pyinstaller", "altgraph", "packaging", "setuptools", "pefile", "macholib", "pywin32")
"""What of the release's lock file makes it, by the start of its name."""
ENTRY = """
import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if sys.argv[1:3] == ["-m", "lanplay"]:
        del sys.argv[1:3]  # so the program starts itself, as Python would start it
    from lanplay.__main__ import program

    sys.exit(program())
"""


def main() -> int:
    """Make it; return the exit status of what failed, or 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="default: dist")
    out = parser.parse_args().out.resolve()
    with tempfile.TemporaryDirectory() as folder:
        path, code = made(Path(folder), out)
    if not code:
        code, seconds = started(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB, starts in {seconds:.2f} s")
        print(f"SHA-256 {digest}", flush=True)
    return code


def made(work: Path, out: Path) -> tuple[Path, int]:
    """Make the file in an environment of its own; return its path and PyInstaller's status."""
    system = SYSTEMS.get(sys.platform, sys.platform)
    name = f"lanplay-{__version__}-{system}-{platform.machine().lower()}"
    entry, tools, clean = work / "entry.py", work / "tools.lock", work / "environment"
    entry.write_text(ENTRY, encoding="utf-8")
    lock = (ROOT / "requirements-release.lock").read_text(encoding="utf-8")
    packages = re.split(r"^(?=[a-z])", lock, flags=re.MULTILINE)
    tools.write_text("".join(each for each in packages if each.startswith(NEEDED)))
    venv.create(clean, with_pip=True)
    python = clean / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    locks = ["--require-hashes", "-r", str(ROOT / "requirements.lock"), "-r", str(tools)]
    for wanted in (locks, [str(ROOT)]):
        pip = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", *wanted]
        subprocess.run(pip, check=True, env=environment.variables(), stdout=sys.stderr)
    options = ["--onefile", "--noconfirm", "--log-level=WARN", "--recursive-copy-metadata=lanplay"]
    options += [f"--collect-all={each}" for each in PACKAGES]
    folders = [f"--workpath={work}/work", f"--specpath={work}", f"--distpath={out}"]
    command = [str(python), "-P", "-m", "PyInstaller", *options, *folders, f"--name={name}"]
    code = subprocess.call([*command, str(entry)], env=environment.variables(), cwd=work)
    return out / (f"{name}.exe" if sys.platform == "win32" else name), code


def started(path: Path) -> tuple[int, float]:
    """Start the file three times; return the status, and the shortest time in seconds."""
    times, code = [], 0
    for _ in range(3):
        start = time.monotonic()
        code = code or subprocess.call([str(path), "--version"], env=environment.variables())
        times.append(time.monotonic() - start)
    return code, min(times)


if __name__ == "__main__":
    sys.exit(main())
