"""Runs lanplay from an unpacked bundle, see ``scripts/bundle.py``.

Needs the standard library alone.
The packages are unpacked from their wheels (PEP 427) into a folder of the bundle, once for each
version of Python: no pip and no virtual environment are needed, which some systems lack.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from scripts.python_version import MISLEADING, become


def run(folder: str, arguments: Sequence[str]) -> NoReturn:
    """Become lanplay, from the bundle in ``folder``.

    Ends the process with a sentence if the bundle is not for this machine or is damaged.
    """
    root = Path(folder)
    try:
        about = json.loads((root / "bundle.json").read_text(encoding="utf-8"))
        if not _usual(about["pythons"]) and (other := _other_python(about["pythons"])):
            become([*other, str(root / "start.py"), *arguments], dict(os.environ))
        packages = ensure(root, about)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        _end(f"this copy cannot be used ({error}). Unpack the archive again, into a new folder.")
    path = os.pathsep.join((str(root / "program"), str(packages)))
    kept = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    variables = {**kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    become([sys.executable, "-P", "-m", "lanplay", *arguments], variables)


def ensure(root: Path, about: dict[str, Any]) -> Path:
    """Return the folder of the packages for this Python, unpacked if they are not there yet.

    A folder that is there is whole: it gets its name when everything is in it.
    """
    wheels = _wheels(about)
    target = root / "packages" / "py{}.{}".format(*sys.version_info[:2])
    if target.is_dir():
        return target
    from lanplay.files import put

    print("lanplay: unpacking (once) …", file=sys.stderr, flush=True)
    draft = target.with_name(f"{target.name}.{os.getpid()}")
    try:
        draft.mkdir(parents=True)
    except OSError as error:
        _end(f"{root} cannot be written ({error.strerror}). Copy the folder to where you can.")
    for name in wheels:
        wheel = root / "wheels" / name
        if hashlib.sha256(wheel.read_bytes()).hexdigest() != about["files"][f"wheels/{name}"][0]:
            raise ValueError(f"{name} was changed")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(draft)
    try:
        put(draft, target, 8)  # every file in it is new, and a scanner looks at each
    except OSError:  # another process was faster
        shutil.rmtree(draft, ignore_errors=True)
        if not target.is_dir():
            raise
    return target


def _wheels(about: dict[str, Any]) -> list[str]:
    """Return the wheels for this Python; end with a sentence where there are none."""
    made_for = sysconfig.get_platform().removeprefix("win-")  # Windows on ARM runs others, too
    machine = made_for if sys.platform == "win32" else platform.machine().lower()
    if not sys.platform.startswith(about["platform"]) or machine not in about["machines"]:
        _end(
            f"this bundle is for {about['system']}; this machine is {sys.platform}, {machine}. "
            "Get the bundle for this system."
        )
    pythons: dict[str, list[str]] = about["pythons"]
    if not _usual(pythons):
        known = ", ".join(pythons)
        _end(
            f"this bundle is for the usual Python {known}; this is {platform.python_version()} "
            f"({sys.implementation.name}). Install one of those from python.org."
        )
    return pythons["{}.{}".format(*sys.version_info[:2])]


def _usual(pythons: Iterable[str]) -> bool:
    """Tell whether the wheels can be loaded by this Python: CPython, with its lock."""
    version = "{}.{}".format(*sys.version_info[:2])
    usual = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    return usual and version in pythons


def _other_python(pythons: Iterable[str]) -> list[str]:
    """Return the start of a command line that runs one of these Pythons; empty if none is here."""
    for version in reversed(list(pythons)):
        for name, *options in ([f"python{version}"], ["py", f"-{version}"]):
            found = shutil.which(name)
            if found and _runs([found, *options], version):
                return [found, *options]
    return []


def _runs(command: Sequence[str], version: str) -> bool:
    """Tell whether a command runs that version of the usual Python."""
    ask = (
        "import sys, sysconfig; "
        f"sys.exit('{{}}.{{}}'.format(*sys.version_info[:2]) != '{version}' "
        "or sys.implementation.name != 'cpython' "
        "or bool(sysconfig.get_config_var('Py_GIL_DISABLED')))"
    )
    return subprocess.run([*command, "-c", ask], capture_output=True, check=False).returncode == 0


def _end(why: str) -> NoReturn:
    sys.exit(f"lanplay: {why}")
