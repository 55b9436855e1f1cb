"""The settings' file: written once, with a comment for each setting, and read ever after."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lanplay import files
from lanplay.errors import Fault, Problem
from lanplay.language import N_, _
from lanplay.notices import Origin

if TYPE_CHECKING:
    from lanplay.config.declared import Setting, Value

VARIABLE: Final = "LANPLAY_CONFIG"
"""Environment variable that names another file."""

_HEAD: Final = N_("""\
Settings of lanplay. Take the "#" away from a line to set it.
A flag counts before the environment (LANPLAY_...), and that before this file.
Text stands in quotes; 'single quotes' take a backslash as it is. See: lanplay config""")


def config_path(environ: Mapping[str, str]) -> Path:
    """Return the path of the file: what the environment names, or the system's place."""
    if chosen := environ.get(VARIABLE):
        return Path(chosen)
    from platformdirs import user_config_path

    return user_config_path("lanplay", appauthor=False) / "config.toml"


def commented() -> str:
    """Return the file with every setting explained, and none set."""
    from lanplay.config.declared import SETTINGS

    head = [f"# {line}" for line in _(_HEAD).split("\n")]
    return "\n".join([*head, "", *(_entry(setting) for setting in SETTINGS.values())])


def write_new(path: Path) -> None:
    """Write the commented file unless there is one; ``OSError`` where that is impossible."""
    if not os.path.lexists(path):
        files.replace(path, commented().encode(), files.COMMON)


class FileError(Problem):
    """The file as a whole cannot be used."""


class ConfigFile:
    """The content of the file: ``values`` by key, as TOML has them. Empty if there is no file."""

    def __init__(self, path: Path) -> None:
        """Read it; ``FileError`` if it is no TOML or cannot be read."""
        self.path = path
        self._text = _text(path)
        self.values: Mapping[str, Any] = _values(path, self._text) if _says(self._text) else {}

    def store(self, setting: Setting, value: Value) -> None:
        """Give a setting another value in the file, and leave all else there as it is.

        ``FileError`` if it cannot be written, or the value stands where no line is to be replaced.
        """
        from lanplay.config.declared import written

        line = f"{setting.name} = {written(value)}"
        own = rf"^[ \t]*{re.escape(setting.name)}[ \t]*=.*$"
        text = self._text or commented()
        for pattern in (own, rf"^#[ \t]*{re.escape(setting.name)}[ \t]*=.*$"):
            new, count = re.subn(pattern, lambda _found: line, text, count=1, flags=re.MULTILINE)
            if count:
                break
        else:
            new = f"{line}\n{text}"
        if dict(_values(self.path, new)) != {**self.values, setting.name: value}:
            raise FileError(Fault.SETTINGS_ODD, path=str(self.path), name=setting.name)
        try:
            files.replace(self.path, new.encode(), files.COMMON)
        except OSError as error:
            raise FileError(Fault.SETTINGS_KEPT, path=str(self.path), why=error.strerror) from error

    def where(self, key: str) -> str:
        """Return file and line of a key, as far as the line can be found."""
        pattern = rf"""^[ \t]*\[*[ \t]*["']?{re.escape(key)}["']?[ \t]*[=.\]]"""
        found = re.search(pattern, self._text, re.MULTILINE)
        if found is None:
            return str(self.path)
        number = self._text.count("\n", 0, found.start()) + 1
        return Origin.LINE.of(path=str(self.path), number=number)


def _says(text: str) -> bool:
    """Tell whether there is anything but comments: nothing is to be read of a file as it begins."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.split("\n"))


def _values(path: Path, text: str) -> Mapping[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(Fault.SETTINGS_TOML, path=str(path), why=str(error)) from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise FileError(Fault.SETTINGS_CLOSED, path=str(path), why=error.strerror) from error
    except UnicodeDecodeError as error:
        raise FileError(Fault.SETTINGS_LETTERS, path=str(path)) from error


def _entry(setting: Setting) -> str:
    from textwrap import wrap

    from lanplay.config.declared import shown

    values = f" ({setting.expected})" if setting.about.of else ""
    text = f"{_(setting.about.help)}{values}"
    lines = [f"# {line}" for line in wrap(text, 96)]
    return "\n".join([*lines, f"#{setting.name} = {shown(setting.default)}", ""])
