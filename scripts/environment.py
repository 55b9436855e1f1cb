"""The virtual environment of a checkout: made on first use, topped up when a lock file changes.

Needs the standard library alone. The project itself is not installed into the environment: a path
file there names the folders of the checkout that hold packages, as an editable installation would,
so that every program of the environment, checkers and editors too, finds them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from lanplay.files import locked
from scripts import python_version

ROOT = Path(__file__).resolve().parent.parent
STAMP = "lanplay-stamp"
"""File in the environment: a line ``LOCK-FILE SHA-256`` for each lock file it holds."""

PACKAGES = (".", "ai", "protocol")
"""Folders of the checkout that hold packages."""
PATHS = "lanplay.pth"
"""File in the environment's site-packages that names these folders, relative to itself."""

MISLEADING = (*python_version.MISLEADING, "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
"""Variables that would point Python or pip elsewhere than at the environment."""


def ensure(locks: Sequence[str]) -> Path:
    """Return the interpreter of an environment that holds what the lock files name.

    ``locks`` are file names in the checkout. Whatever is missing is installed, by one process at a
    time, and a line on standard error says so. Ends the process with a sentence if that fails.
    """
    folder = environment()
    wanted = digests(locks)
    if not holds(folder, wanted):
        try:
            with alone(folder.parent / f"{folder.name}.lock"):
                if not holds(folder, wanted):
                    _set_up(folder, wanted)
        except OSError as error:
            sys.exit(f"lanplay: the environment in {folder} cannot be made: {error}")
    return python(folder)


def environment() -> Path:
    """Return the folder of the environment: one for each version of Python."""
    return ROOT / ".venv" / "py{}.{}".format(*sys.version_info[:2])


def python(folder: Path) -> Path:
    """Return the interpreter of an environment."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def command(interpreter: Path, *module: str) -> list[str]:
    """Return the command line that runs a module whatever lies in the current folder."""
    return [str(interpreter), "-P", "-m", *module]


def require_packages() -> None:
    """End the process with a sentence where this Python lacks the packages of the environment."""
    if find_spec("babel") is None:
        sys.exit(
            f"lanplay: this needs packages that {python(environment())} has: run it with that. "
            "(python3 scripts/test.py --changed makes it.)"
        )


def variables() -> dict[str, str]:
    """Return this process's environment variables without those that mislead."""
    kept = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    if not kept.get("HOME"):
        kept.pop("HOME", None)  # an empty one would name the root of the disk
    return kept


def digests(locks: Sequence[str]) -> dict[str, str]:
    """Return the SHA-256 of each lock file."""
    return {lock: hashlib.sha256((ROOT / lock).read_bytes()).hexdigest() for lock in locks}


def holds(folder: Path, wanted: dict[str, str]) -> bool:
    """Tell whether an environment works, finds the checkout, and has these lock files installed."""
    return python(folder).exists() and wanted.items() <= stamped(folder).items() and _points(folder)


def stamped(folder: Path) -> dict[str, str]:
    """Return the digests of the lock files an environment holds; empty if it is not finished."""
    try:
        lines = (folder / STAMP).read_text(encoding="utf-8").splitlines()
        return dict(line.split(" ", 1) for line in lines)
    except (FileNotFoundError, ValueError):
        return {}


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Hold a lock between processes; the system releases it even when its holder is killed."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("ab") as file:
        if not locked(file.fileno()):
            _say("waiting for another process that sets up the environment …")
            while not locked(file.fileno()):
                time.sleep(0.2)
        yield


def _set_up(folder: Path, wanted: dict[str, str]) -> None:
    held = stamped(folder)
    if not (held and python(folder).exists()):
        _say(f"making the environment in {folder} (once; needs the internet) …")
        _make(folder)
        held = {}
    else:
        _say(f"bringing the environment in {folder} up to date …")
    # Without its stamp an environment counts as unfinished, so an interrupted change is made anew.
    (folder / STAMP).unlink(missing_ok=True)
    if changed := [lock for lock in wanted if held.get(lock) != wanted[lock]]:
        _install(folder, changed)
    _point(folder)
    _stamp(folder, {**held, **wanted})


def _make(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    outside = getattr(sys, "_base_executable", sys.executable)  # ours may have been removed
    made = subprocess.run(
        [outside, "-m", "venv", "--clear", str(folder)],
        env=variables(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
        errors="replace",
    )
    if made.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        package = "python{}.{}-venv".format(*sys.version_info[:2])
        sys.exit(
            f"{made.stdout}\nlanplay: this Python cannot make virtual environments; above is what "
            f"it says. On Debian and Ubuntu a package is missing: sudo apt install {package}"
        )


def _install(folder: Path, locks: Sequence[str]) -> None:
    files = [f"--requirement={ROOT / lock}" for lock in locks]
    install = ("--disable-pip-version-check", "--no-input", "install", "--quiet", "--no-compile")
    pip = command(python(folder), "pip", *install)
    done = subprocess.run(
        [*pip, "--require-hashes", "--no-deps", "--no-warn-script-location", *files],
        env=variables(),
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr.fileno(),
        check=False,
    )
    if done.returncode:
        sys.exit(
            "lanplay: the packages could not be installed (above is what pip says). Most often "
            "there is no internet connection, or a proxy is needed. Then run the command again."
        )


def _point(folder: Path) -> None:
    """Let programs of an environment find the packages of the checkout, wherever it is moved."""
    site = _site(folder)
    site.mkdir(parents=True, exist_ok=True)
    (site / PATHS).write_text(_lines(site), encoding="utf-8")


def _points(folder: Path) -> bool:
    file = _site(folder) / PATHS
    return file.exists() and file.read_text(encoding="utf-8") == _lines(file.parent)


def _lines(site: Path) -> str:
    return "".join(f"{os.path.relpath(ROOT / each, site)}\n" for each in PACKAGES)


def _site(folder: Path) -> Path:
    if sys.platform == "win32":
        return folder / "Lib" / "site-packages"
    return folder / "lib" / folder.name.replace("py", "python") / "site-packages"


def _stamp(folder: Path, held: dict[str, str]) -> None:
    new = folder / f"{STAMP}.new"
    new.write_text("".join(f"{lock} {digest}\n" for lock, digest in held.items()), encoding="utf-8")
    new.replace(folder / STAMP)


def _say(text: str) -> None:
    print(f"lanplay: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":  # python -m scripts.environment LOCK-FILE...: where its programs are
    print(ensure(sys.argv[1:]).parent)
