"""What goes into a bundle, and the bundle of the lanplay that runs here, however it came here.

In a checkout the program is what its wheel would hold; elsewhere it is what was installed. The
packages that it needs are those of this environment, so that bundle is for such systems, and such a
Python, alone; ``scripts/bundle.py`` makes those for others, with wheels from the index.
"""

from __future__ import annotations

import csv
import hashlib
import platform
import re
import sys
import sysconfig
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final, NamedTuple

from lanplay import __version__
from lanplay.cli.packing import MANIFEST, BundleFile, manifest_of, pack, pack_again
from lanplay.extras import ROOT
from lanplay.language import _

STARTERS: Final = ("__init__.py", "python_version.py", "unpacked.py")
"""What of ``scripts`` a bundle needs to start."""
PERSONAL: Final = ("INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json")
"""What installers note of how and from where they installed: it concerns nobody else."""


class System(NamedTuple):
    """What a system is called, what is double-clicked there, and how.

    ``starters`` are files: name in the bundle, name in ``scripts/bundled``, line end.
    """

    name: str
    title: str
    starters: tuple[tuple[str, str, str], ...]
    how: str


SYSTEMS: Final[Mapping[str, System]] = {
    "linux": System(
        "linux",
        "Linux",
        (("start.sh", "start.sh", "\n"), ("lanplay.desktop", "lanplay.desktop", "\n")),
        'Right-click "start.sh" and choose "Run as a program", or "lanplay.desktop" and "Allow\n'
        'launching"; or in a terminal: sh start.sh',
    ),
    "darwin": System(
        "macos",
        "macOS",
        (("Start lanplay.command", "start.sh", "\n"),),
        'Double-click "Start lanplay.command". macOS refuses it once: in System Settings, Privacy\n'
        "& Security, choose \"Open Anyway\". Or in a terminal: sh 'Start lanplay.command'",
    ),
    "win32": System(
        "windows",
        "Windows",
        (("Start lanplay.cmd", "Start lanplay.cmd", "\r\n"),),
        'Double-click "Start lanplay.cmd". If Windows warns: "More info", "Run anyway".',
    ),
}
"""The systems, by what Python calls them."""


def bundle_this(folder: Path) -> Path:
    """Write the bundle of this lanplay into a folder, and return its path.

    The bundle that it runs from, where it does. ``ValueError`` says what is in the way.
    """
    unpacked = ROOT.parent
    if (unpacked / MANIFEST).is_file():
        path = folder / f"{manifest_of(unpacked)['name']}.zip"
        pack_again(unpacked, path)
        return path
    usual = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    if sys.platform not in SYSTEMS or not usual:
        raise ValueError(_("bundles are for the usual Python of Linux, macOS and Windows alone"))
    system, machine = SYSTEMS[sys.platform], platform.machine().lower()
    python = "{}.{}".format(*sys.version_info[:2])
    title = f"{system.title} ({machine})"
    entries = dict(starting(sys.platform, title, [python]))
    entries |= program()
    for package in _needed(_requirements()):
        entries |= {f"packages/py{python}/{name}": file for name, file in _installed(package)}
    about = {
        "system": title,
        "platform": sys.platform,
        "machines": [machine],
        "version": __version__,
        "pythons": {python: []},  # no wheels: its packages are unpacked already
    }
    name = f"lanplay-{__version__}-{system.name}-{machine}-py{python}"
    pack(folder / f"{name}.zip", name, entries, about)
    return folder / f"{name}.zip"


def program() -> Iterator[tuple[str, BundleFile]]:
    """Yield the files of the program, by their names in a bundle."""
    scripts = ROOT / "scripts"
    if _in_checkout():
        wheel = _project()["tool"]["hatch"]["build"]["targets"]["wheel"]
        folders = {each: Path(each).name for each in wheel["packages"]} | wheel["force-include"]
        for source, name in (folders | {"LICENSE": "LICENSE"}).items():
            for path in [ROOT / source, *sorted((ROOT / source).rglob("*"))]:
                inside = path.relative_to(ROOT / source)
                if path.is_file() and not any(map(_left_out, inside.parts)):
                    yield (Path("program", name) / inside).as_posix(), BundleFile(path.read_bytes())
    else:
        scripts = ROOT / "lanplay" / "scripts"
        for name, file in _installed(distribution("lanplay")):
            yield f"program/{name}", file
    for name in STARTERS:
        yield f"program/scripts/{name}", BundleFile((scripts / name).read_bytes())


def starting(system: str, title: str, pythons: Iterable[str]) -> Iterator[tuple[str, BundleFile]]:
    """Yield what starts a bundle for a system, by its name in the bundle, and what explains it."""
    bundled = (ROOT if _in_checkout() else ROOT / "lanplay") / "scripts" / "bundled"
    _name, _title, starters, how = SYSTEMS[system]
    yield "start.py", BundleFile((bundled / "start.py").read_bytes())
    for name, source, end in starters:
        text = (bundled / source).read_text(encoding="utf-8").replace("\n", end)
        yield name, BundleFile(text.encode(), executable=True)
    text = (bundled / "READ ME.txt").read_text(encoding="utf-8")
    text = text.format(version=__version__, system=title, pythons=", ".join(pythons), how=how)
    yield "READ ME.txt", BundleFile(text.replace("\n", starters[0][2]).encode())


def _in_checkout() -> bool:
    return (ROOT / "scripts" / "bundled").is_dir()


def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _left_out(part: str) -> bool:
    return part == "__pycache__" or part.startswith(".") or part.endswith(".po")


def _requirements() -> Sequence[str]:
    """Return what lanplay itself asks for, in the words of packaging (PEP 508)."""
    if _in_checkout():
        wanted: list[str] = _project()["project"]["dependencies"]
        return wanted
    return distribution("lanplay").requires or ()


def _needed(wanted: Sequence[str]) -> Iterator[Distribution]:
    """Yield the packages that requirements ask for, and those that these need, each once.

    What a condition asks for comes along if it is here. ``ValueError`` if any other is missing.
    """
    left, met = list(wanted), set()
    while left:
        line, _semicolon, condition = left.pop().partition(";")
        [name] = re.findall(r"^[\w.-]+", line)
        if name in met or re.search(r"\bextra\b", condition):
            continue
        met.add(name)
        try:
            package = distribution(name)
        except PackageNotFoundError as error:
            if condition:
                continue
            raise ValueError(_("the package {package} is missing").format(package=name)) from error
        left += package.requires or ()
        yield package


def _installed(package: Distribution) -> Iterator[tuple[str, BundleFile]]:
    """Yield the files of a package that its wheel had, by their names where packages lie.

    ``ValueError`` if they are not listed, or one is not as it was installed.
    """
    listed = list(csv.reader((package.read_text("RECORD") or "").splitlines()))
    if not listed or any(name.endswith(".pth") for name, *_ in listed):
        text = _("the files of {package} are not listed").format(package=package.name)
        raise ValueError(text)
    for name, wanted, *_size in listed:
        parts = Path(name).parts
        if not wanted or parts[0] == ".." or parts[-1] in PERSONAL or Path(name).is_absolute():
            continue
        path = Path(str(package.locate_file(name)))
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ValueError(_("{path} is missing").format(path=path)) from error
        kind, _equals, digest = wanted.partition("=")
        found = urlsafe_b64encode(hashlib.new(kind, content).digest()).rstrip(b"=").decode()
        if found != digest:
            raise ValueError(_("{path} was changed").format(path=path))
        yield name, BundleFile(content)
