"""Which value of a setting counts: flag before environment before file before default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lanplay.config.declared import SETTINGS, Setting, Settings, Unfit, Value
from lanplay.config.file import VARIABLE, ConfigFile, FileError, config_path, write_new
from lanplay.errors import Fault, UserError
from lanplay.language import _
from lanplay.notices import Origin
from lanplay.told import suggesting, worded


@dataclass(frozen=True, slots=True)
class Effective:
    """The settings and how they came about.

    ``origins`` says of each setting where its value is from. ``faults`` are sentences about values
    that cannot be used, of which the next one in line counts instead.
    """

    settings: Settings
    origins: Mapping[str, str]
    path: Path
    faults: tuple[str, ...]

    def usable(self) -> Settings:
        """Return the settings; ``UserError`` with all faults if there are any."""
        if self.faults:
            raise UserError("\n".join(map(worded, self.faults)))
        return self.settings


def inspect(
    flags: Mapping[str, Value] | None = None, environ: Mapping[str, str] | None = None
) -> Effective:
    """Return the settings that count; at first start write the commented file. Raises nothing.

    ``flags`` are those given on the command line, ``environ`` is the process's own by default. For
    a value that is wrong there is a fault that names file, line, key and what would be right.
    Unknown keys and a file that cannot be written are notices.
    """
    variables = os.environ if environ is None else environ
    path = config_path(variables)
    gathering = _Gathering(variables, flags or {})
    gathering.begin(path)
    for setting in SETTINGS.values():
        gathering.settle(setting)
    gathering.look_for_unknown()
    settings = Settings(**gathering.values, notices=tuple(gathering.notices))
    return Effective(settings, gathering.origins, path, tuple(gathering.faults))


class _Gathering:
    def __init__(self, environ: Mapping[str, str], flags: Mapping[str, Value]) -> None:
        self._environ = environ
        self._flags = flags
        self._file: ConfigFile | None = None
        self.values: dict[str, Any] = {}
        self.origins: dict[str, str] = {}
        self.notices: list[str] = []
        self.faults: list[str] = []

    def begin(self, path: Path) -> None:
        """Read the file; write it where there is none."""
        try:
            write_new(path)
        except OSError as error:
            why = error.strerror or error
            text = _("The settings' file cannot be written: {path}: {why}.")
            self.notices.append(text.format(path=path, why=why))
        try:
            self._file = ConfigFile(path)
        except FileError as error:
            self.faults.append(error.told)

    def settle(self, setting: Setting) -> None:
        """Find the first value in line that can be used."""
        found = self._flag(setting) or self._variable(setting) or self._key(setting)
        if found is not None and (today := setting.today(found[0])) != found[0]:
            told = _("{where}: {name} = {old} is now called {new} and is read as that.")
            old, found = found[0], (today, found[1])
            where = worded(found[1])
            self.notices.append(told.format(where=where, name=setting.name, old=old, new=today))
        self.values[setting.name], self.origins[setting.name] = found or (
            setting.default,
            Origin.DEFAULT.of(),
        )

    def look_for_unknown(self) -> None:
        """Name each key of the file, or variable like ours, that is no setting, and the nearest."""
        if self._file is not None:
            for key in (key for key in self._file.values if key not in SETTINGS):
                self.notices.append(_unknown(self._file.where(key), key, SETTINGS))
        known = {setting.variable: None for setting in SETTINGS.values()} | {VARIABLE: None}
        for name in sorted(self._environ):
            if name.startswith("LANPLAY_") and name not in known:
                self.notices.append(_unknown(_("Environment"), name, known))

    def _flag(self, setting: Setting) -> tuple[Value, str] | None:
        if setting.name not in self._flags:
            return None
        return self._flags[setting.name], Origin.FLAG.of(flag=setting.flag)

    def _variable(self, setting: Setting) -> tuple[Value, str] | None:
        if text := self._environ.get(setting.variable):
            try:
                return setting.parse(text), Origin.VARIABLE.of(variable=setting.variable)
            except Unfit as error:
                self._refuse(setting, setting.variable, error)
        for variable, meant in setting.about.implied:
            if self._environ.get(variable):
                return setting.parse(meant), Origin.VARIABLE.of(variable=variable)
        return None

    def _key(self, setting: Setting) -> tuple[Value, str] | None:
        if self._file is None or setting.name not in self._file.values:
            return None
        where = self._file.where(setting.name)
        try:
            return setting.read(self._file.values[setting.name]), where
        except Unfit as error:
            self._refuse(setting, where, error)
            return None

    def _refuse(self, setting: Setting, where: str, error: Unfit) -> None:
        values = {"where": where, "name": setting.name, "value": error.value}
        if error.why:
            self.faults.append(Fault.SETTING_REFUSED.of(**values, why=error.why))
        else:
            self.faults.append(Fault.SETTING_VALUE.of(**values, expected=setting.expected))


def _unknown(where: str, word: str, known: Mapping[str, object]) -> str:
    """Return a sentence on a key that is no setting, with the nearest one that is."""
    text = _("{where}: there is no setting '{key}'.").format(where=worded(where), key=word)
    return suggesting(text, word, known)
