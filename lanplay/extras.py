"""The packages of lanplay and of others: where they are, and how those of others are installed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lanplay.language import N_
from lanplay.told import Sayings

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

EXTRAS: Final[Mapping[str, Mapping[str, str]]] = {
    "tournament": {"matplotlib": N_("the charts of lanplay tournament")},
    "cluster": {"distributed": "lanplay tournament --scheduler"},
    "tls": {"cryptography": "--guests tls"},
    "env": {"pettingzoo": "lanplay.env", "gymnasium": "lanplay.env", "numpy": "lanplay.env"},
}
"""The extras of ``pyproject.toml``: their packages (modules are called alike), and what for."""

ROOT: Final = Path(__file__).resolve().parent.parent
"""The checkout, the bundle's folder ``program``, or where packages are installed."""


class How(Sayings):
    """How a package comes in where no command brings it: in a bundle, in a single file."""

    CLOSED = ("use a checkout or an installed lanplay: nothing can be added to this one.",)


PARTS: Final = {"lanplay_ai": "ai", "lanplay_protocol": "protocol"}
"""The packages that come with this one, and their folders in a checkout."""


def foreign_parts() -> dict[str, str]:
    """Return the parts that Python would take from elsewhere, and from where ("": nowhere).

    A part belongs beside this package, or in its own folder of the checkout.
    """
    found = {}
    for name, folder in PARTS.items():
        spec = find_spec(name)
        origin = Path(spec.origin).resolve().parent if spec and spec.origin else None
        if origin not in ((ROOT / name).resolve(), (ROOT / folder / name).resolve()):
            found[name] = str(origin or "")
    return found


def entry_points(group: str) -> Sequence[EntryPoint]:
    """Return the entry points of a group, of all packages.

    What reads them takes longer to load than a game to play: it is, once some package has any.
    """
    heading = f"[{group}]".encode()
    for place in map(Path, sys.path):
        lists = place.glob("*[iI][nN][fF][oO]/entry_points.txt")
        if place.is_file() or any(heading in each.read_bytes() for each in lists):  # or an archive
            from importlib import metadata

            return tuple(metadata.entry_points(group=group))
    return ()


def owner(entry: EntryPoint) -> str:
    """Return the name of the package that brings an entry point."""
    return entry.dist.name if entry.dist else entry.module


def missing(extra: str) -> list[str]:
    """Return the packages of an extra that are not here."""
    return [name for name in EXTRAS[extra] if find_spec(name) is None]


def has_pip() -> bool:
    """Return whether this Python's environment has pip."""
    from importlib import metadata

    # Not find_spec("pip"): it wakes a hook of setuptools, which warns.
    return any(metadata.distributions(name="pip"))


def installing(packages: Iterable[str]) -> str:
    """Return the command that installs packages beside this lanplay, or what to do instead.

    None of them asks for lanplay itself: no index knows it.
    """
    wanted = list(packages)
    if (ROOT.parent / "bundle.json").exists() or hasattr(sys, "frozen"):
        return How.CLOSED.of()
    if has_pip():
        return command_line(sys.executable, "-m", "pip", "install", *wanted)
    return command_line("uv", "pip", "install", "--python", sys.executable, *wanted)


def command_line(*words: str) -> str:
    """Return a command as it is typed here, quoted where it must be."""
    import shlex
    import subprocess

    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
