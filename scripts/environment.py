"""The virtual environment of a checkout: made on first use, topped up when a lock file changes.

Runs on any Python from 3.8 on with the standard library alone, so that an old one can at least say
what is missing.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEEDED = (3, 11)
STALE_SECONDS = 900


def environment():
    # type: () -> Path
    """Return the folder of the environment: one for each version of Python."""
    return ROOT / ".venv" / "py{}.{}".format(*sys.version_info[:2])


def python(folder):
    # type: (Path) -> Path
    """Return the interpreter of an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def require_python():
    # type: () -> None
    """Run this program again with a new enough Python, or say what to install."""
    if sys.version_info[:2] >= NEEDED:
        return
    for minor in range(14, NEEDED[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found:
            sys.exit(subprocess.call([found, *sys.argv]))
    version = ".".join(map(str, sys.version_info[:3]))
    sys.exit(
        f"lanplay needs Python 3.11 or newer; this is {version}.\n"
        "Install a newer one from https://www.python.org/downloads/ and run the command again."
    )


def ensure(locks):
    # type: (list[str]) -> Path
    """Return the interpreter of an environment that holds what the lock files name."""
    folder = environment()
    stamp = folder / "lanplay-stamp"
    wanted = _wanted(locks)
    if not _holds(stamp, wanted):
        with _alone(folder):
            if not _holds(stamp, wanted):
                _install(folder, locks)
                stamp.write_text("\n".join(sorted(_lines(stamp) | wanted)), encoding="utf-8")
    return python(folder)


def _wanted(locks):
    # type: (list[str]) -> set[str]
    return {f"{lock} {hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()}" for lock in locks}


def _lines(stamp):
    # type: (Path) -> set[str]
    return set(stamp.read_text(encoding="utf-8").splitlines()) if stamp.exists() else set()


def _holds(stamp, wanted):
    # type: (Path, set[str]) -> bool
    return wanted <= _lines(stamp)


def _install(folder, locks):
    # type: (Path, list[str]) -> None
    print(f"lanplay: setting up {folder} (once; needs the internet) …", file=sys.stderr, flush=True)
    if not python(folder).exists():
        made = subprocess.run(
            [sys.executable, "-m", "venv", str(folder)], capture_output=True, text=True, check=False
        )
        if made.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            sys.exit(
                "lanplay: Python's venv module does not work here.\n"
                "On Debian or Ubuntu: sudo apt install python3-venv\n" + made.stdout + made.stderr
            )
    command = [str(python(folder)), "-m", "pip", "install", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--require-hashes"]
    for lock in locks:
        command += ["-r", str(ROOT / lock)]
    if subprocess.run(command, check=False, stdout=sys.stderr.fileno()).returncode:
        sys.exit("lanplay: the packages could not be installed. Is there an internet connection?")


@contextmanager
def _alone(folder):  # type: ignore[no-untyped-def]  # annotations of generators need a newer Python
    """Let one process at a time set up; a lock left by a crash is taken over after a while."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = folder.parent / (folder.name + ".lock")
    while not _acquire(lock):
        time.sleep(0.2)
    try:
        yield
    finally:
        lock.unlink()


def _acquire(lock):
    # type: (Path) -> bool
    try:
        os.close(os.open(str(lock), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        try:
            if time.time() - lock.stat().st_mtime > STALE_SECONDS:
                lock.unlink()
        except FileNotFoundError:
            pass
        return False
    return True


def clean():
    # type: () -> dict[str, str]
    """Return this process's environment variables without those that bend another Python."""
    bent = ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
    return {**{k: v for k, v in os.environ.items() if k not in bent}, "PYTHONPATH": str(ROOT)}
