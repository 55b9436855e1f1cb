"""The arguments of a command, and settings among them as options."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lanplay.cli.commands import Subcommand
from lanplay.cli.usage import OneBot
from lanplay.config.declared import SETTINGS, Setting, Settings, Value, shown
from lanplay.language import _

if TYPE_CHECKING:
    from lanplay.config.loading import Effective

_GIVEN = "settings_flags"


def configure(parser: argparse.ArgumentParser, command: Subcommand) -> None:
    """Let a parser take what a command takes."""
    if command.place:
        add_settings(parser, argument=command.place)
    for each in command.arguments:
        if isinstance(each, str):
            add_settings(parser, each)
        else:
            parser.add_argument(each.name, help=_(each.help), **each.how)
    add_settings(parser, "lang", "log")


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


def given(args: argparse.Namespace) -> Mapping[str, Value]:
    """Return the settings that were given on the command line."""
    values = {name: getattr(args, name) for name in getattr(args, _GIVEN)}
    return {name: value for name, value in values.items() if value is not None}


def filled_in(
    args: argparse.Namespace, effective: Effective, settings: Settings
) -> argparse.Namespace:
    """Return the arguments with the settings that count, in place of those that were given."""
    values = {name: getattr(settings, name) for name in getattr(args, _GIVEN)}
    every = {**vars(args), **values, "settings": settings, "effective": effective}
    return argparse.Namespace(**every)


def _add(parser: argparse.ArgumentParser, setting: Setting) -> None:
    if isinstance(setting.default, bool):
        action = argparse.BooleanOptionalAction
        parser.add_argument(
            setting.flag, action=action, default=None, help=_described(setting.name)
        )
    else:
        parser.add_argument(
            setting.flag,
            action=OneBot if setting.name == "bot" else "store",
            choices=(*setting.about.of, *dict(setting.about.renamed)) or None,
            metavar=setting.about.metavar or _of(setting),
            help=_described(setting.name),
        )


def _of(setting: Setting) -> str | None:
    """Return the values that help names, where there are others of old."""
    return "{" + ",".join(setting.about.of) + "}" if setting.about.renamed else None


def _described(name: str) -> str:
    setting = SETTINGS[name]
    text = _(setting.about.help)
    if setting.default != "":
        default = shown(setting.default).strip('"')
        text = _("{meaning} (default: {default})").format(meaning=text, default=default)
    return text.replace("%", "%%")
