"""The program itself: versions, packages, settings."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from typing import Final

from lanplay import __version__, games
from lanplay.cli.doctor.finding import Examined, Finding, fault, note, ok
from lanplay.config.loading import Effective
from lanplay.extras import EXTRAS, installing
from lanplay.language import NAMES, _, current
from lanplay.told import worded
from lanplay_ai import plugins
from lanplay_protocol import PROTOCOL

_ALIKE = ("trio", "msgpack", "zeroconf", "platformdirs", "ifaddr", "h11", "markupsafe", "segno")
NEEDED: Final = {
    **dict(zip(_ALIKE, _ALIKE, strict=True)),
    "prompt-toolkit": "prompt_toolkit",
    "pynacl": "nacl",
}
"""What lanplay needs: packages, and the modules that they bring."""

OPTIONAL: Final = {name: part for extra in EXTRAS.values() for name, part in extra.items()}
"""What only one part needs: packages, whose modules are called alike, and the part."""


def check(examined: Examined) -> Iterator[Finding]:
    """Tell the versions, what is missing, and what is wrong with the settings."""
    yield ok("lanplay", f"{__version__} (protocol {PROTOCOL}): {_home()}")
    yield ok("python", f"{platform.python_version()}, {platform.platform()}: {sys.executable}")
    yield from _packages()
    for name in games.others():
        if (why := games.why_not(name)) is not None:
            yield note("game", str(why))
    for told in plugins.astray():
        yield note("game", worded(told))
    yield ok("language", f"{current()}: {NAMES[current()]}")
    yield from _settings(examined.effective)


def _home() -> str:
    from lanplay.ui.rulebook import PACKAGE

    return str(PACKAGE.parent)


def _packages() -> Iterator[Finding]:
    present = {name for name, module in NEEDED.items() if find_spec(module)}
    yield ok(
        "packages", ", ".join(f"{name} {_version(name)}" for name in NEEDED if name in present)
    )
    if missing := [name for name in NEEDED if name not in present]:
        text = _("missing: {names}").format(names=", ".join(missing))
        yield fault("packages", text, _("Install lanplay again, as its README says."))
    for name, part in OPTIONAL.items():
        if find_spec(name) is None:
            told = _("{name} is not here; it is needed by nothing but {part}")
            text = told.format(name=name, part=_(part))
            yield note("optional", text, worded(installing([name])))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "?"


def _settings(effective: Effective) -> Iterator[Finding]:
    if not effective.faults:
        yield ok("settings", str(effective.path))
    for text in effective.faults:
        remedy = _("Correct it, or remove the file to get a new one.")
        yield fault("settings", worded(text), remedy)
    for text in effective.settings.notices:
        yield note("settings", text)
