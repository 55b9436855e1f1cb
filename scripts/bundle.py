#!/usr/bin/env python3
"""Make bundles: for each system one archive that starts by a double click, without the internet.

``python3 scripts/bundle.py`` writes them all to ``dist``; ``--system windows`` only that one. Runs
anywhere; the wheels come from pip's index, in the versions and with the hashes of
``requirements.lock``. Equal sources and wheels give equal archives, whose SHA-256 is printed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lanplay import __version__  # noqa: E402  # found from anywhere by the line above
from lanplay.cli import bundling  # noqa: E402
from lanplay.cli.packing import BundleFile, pack  # noqa: E402

LOCK = ROOT / "requirements.lock"
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")


@dataclass(frozen=True, slots=True)
class System:
    """A kind of machine: what Python calls it, and the tags of the wheels that it can use."""

    title: str
    platform: str
    machines: tuple[str, ...]
    tags: tuple[str, ...]


def _linux(machine: str) -> tuple[str, ...]:
    newer = (f"manylinux_2_{minor}_{machine}" for minor in range(28, 16, -1))
    return (*newer, f"manylinux2014_{machine}")


SYSTEMS = {
    "linux": System("Linux (x86-64)", "linux", ("x86_64", "amd64"), _linux("x86_64")),
    "linux-arm64": System("Linux (ARM)", "linux", ("aarch64", "arm64"), _linux("aarch64")),
    "macos": System("macOS (Apple silicon)", "darwin", ("arm64",), ("macosx_11_0_arm64",)),
    "windows": System("Windows (x86-64)", "win32", ("amd64", "x86_64"), ("win_amd64",)),
    "windows-arm64": System("Windows (ARM)", "win32", ("arm64",), ("win_arm64",)),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the bundles that are asked for and print name, size and SHA-256 of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--system", action="append", choices=SYSTEMS, help="default: all")
    parser.add_argument("--python", action="append", choices=PYTHONS, help="default: all")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="default: dist")
    args = parser.parse_args(arguments)
    for name in args.system or SYSTEMS:
        path, digest = bundle(name, args.python or PYTHONS, args.out)
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB\nSHA-256 {digest}", flush=True)
    return 0


def bundle(name: str, pythons: Sequence[str], out: Path) -> tuple[Path, str]:
    """Write one bundle to the folder ``out``; return its path and SHA-256.

    Ends the process with a sentence if the index lacks a wheel for any of the Python versions.
    """
    system = SYSTEMS[name]
    with tempfile.TemporaryDirectory() as folder:
        wheels = {each: download(system, each, Path(folder) / each) for each in pythons}
        entries = dict(bundling.program())
        entries |= bundling.starting(system.platform, system.title, wheels)
        for files in wheels.values():
            entries |= {f"wheels/{name}": BundleFile(content) for name, content in files.items()}
    about = {
        "system": system.title,
        "platform": system.platform,
        "machines": system.machines,
        "version": __version__,
        "pythons": {each: sorted(files) for each, files in wheels.items()},
    }
    title = f"lanplay-{__version__}-{name}"
    path = out / f"{title}.zip"
    return path, pack(path, title, entries, about)


def download(system: System, python: str, folder: Path) -> Mapping[str, bytes]:
    """Return the locked wheels for a system and a Python: content by file name."""
    command = [
        *_pip(),
        *("--disable-pip-version-check", "--no-input", "download", "--quiet", "--no-deps"),
        *("--only-binary=:all:", "--require-hashes", f"--python-version={python}"),
        *("--implementation=cp", f"--dest={folder}", f"--requirement={LOCK}"),
        *(f"--platform={tag}" for tag in system.tags),
    ]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), check=False
    )
    if done.returncode:
        sys.exit(
            f"bundle: the wheels for {system.title}, Python {python}, cannot be had; see above."
        )
    found = {path.name: path.read_bytes() for path in sorted(folder.glob("*.whl"))}
    _check(system, python, folder, found)
    return found


def _check(system: System, python: str, folder: Path, found: Iterable[str]) -> None:
    """End the process unless every locked package has a wheel that can simply be unpacked."""
    locked = re.findall(r"^([a-z0-9.-]+)==", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    present = {re.sub(r"[-_.]+", "-", name.partition("-")[0]).lower() for name in found}
    if missing := set(locked) - present:
        sys.exit(f"bundle: {system.title}, Python {python}: no wheel of {', '.join(missing)}.")
    for name in found:
        with zipfile.ZipFile(folder / name) as wheel:
            if any(".data/" in each and not _manual(each) for each in wheel.namelist()):
                sys.exit(f"bundle: {name} needs an installer: its files go to several places.")


def _manual(name: str) -> bool:
    """Tell whether a file of a wheel is a manual page, which is not needed where it runs."""
    return ".data/data/share/man/" in name


def _pip() -> list[str]:
    """Return the command of a pip: this Python's, or the one of the checkout's environment."""
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    from scripts import environment

    return [str(environment.ensure(["requirements.lock"])), "-m", "pip"]


if __name__ == "__main__":
    sys.exit(main())
