"""Settings as options of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from lanplay.config.declared import SETTINGS, Setting, Value, shown
from lanplay.language import _

_GIVEN = "settings_flags"


def add_settings(parser: argparse.ArgumentParser, *names: str, argument: str = "") -> None:
    """Let a command take these settings as flags, and one as an argument that may be left out.

    What is not given on the command line is ``None`` until the settings are loaded.
    """
    if argument:
        about = SETTINGS[argument].about
        parser.add_argument(argument, nargs="?", metavar=about.metavar, help=_described(argument))
    for name in names:
        _add(parser, SETTINGS[name])
    every = (*(parser.get_default(_GIVEN) or ()), *names, argument)
    parser.set_defaults(**{_GIVEN: tuple(filter(None, every))})


def given(args: argparse.Namespace | None) -> Mapping[str, Value]:
    """Return the settings that were given on the command line."""
    names: tuple[str, ...] = getattr(args, _GIVEN, ())
    values = {name: getattr(args, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def fill_in(args: argparse.Namespace) -> None:
    """Give every setting that a command takes its value from ``args.settings``."""
    for name in getattr(args, _GIVEN, ()):
        setattr(args, name, getattr(args.settings, name))


def _add(parser: argparse.ArgumentParser, setting: Setting) -> None:
    if isinstance(setting.default, bool):
        action = argparse.BooleanOptionalAction
        parser.add_argument(
            setting.flag, action=action, default=None, help=_described(setting.name)
        )
    else:
        parser.add_argument(
            setting.flag,
            choices=setting.about.of or None,
            metavar=setting.about.metavar or None,
            help=_described(setting.name),
        )


def _described(name: str) -> str:
    setting = SETTINGS[name]
    text = _(setting.about.help)
    if setting.default != "":
        default = shown(setting.default).strip('"')
        text = _("{meaning} (default: {default})").format(meaning=text, default=default)
    return text.replace("%", "%%")
