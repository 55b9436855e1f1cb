"""Arguments that several commands take, and settings as options; cheap to import."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lanplay.config.declared import SETTINGS, Setting, Settings, Value, shown
from lanplay.language import _

if TYPE_CHECKING:
    from lanplay.config import Effective

_GIVEN = "settings_flags"


def seconds(text: str) -> float:
    """Return a number of seconds, 0 to a day; argparse says what is wrong with any other text."""
    value = float(text)
    if not 0 <= value <= 86400:
        wrong = _("{text} is not a number of seconds from 0 to {most}")
        raise argparse.ArgumentTypeError(wrong.format(text=text, most=86400))
    return value


def port(text: str) -> int:
    """Return a port to listen on, 0 (any) to 65535."""
    value = int(text)
    if not 0 <= value <= 65535:
        wrong = _("{text} is not a port from 0 to {most}")
        raise argparse.ArgumentTypeError(wrong.format(text=text, most=65535))
    return value


def minutes(text: str) -> float:
    """Return a number of minutes, above 0 to a day."""
    value = float(text)
    if not 0 < value <= 1440:
        wrong = _("{text} is not a number of minutes up to {most}")
        raise argparse.ArgumentTypeError(wrong.format(text=text, most=1440))
    return value


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


def add_screen_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the settings of how everything looks."""
    add_settings(parser, "plain", "ascii", "colours", "theme", "animation", "confirm", "ai_speed")


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of every command that sits down at a network table."""
    add_settings(parser, "name", "data")
    add_screen_arguments(parser)
    parser.add_argument("--auto", metavar="BOT", help=_("let a bot answer for you"))
    parser.add_argument("--port", type=port, default=0, help=_("port to listen on (default: any)"))
    parser.add_argument(
        "--interface",
        metavar="ADDRESS",
        action="append",
        help=_("network address to use (default: all)"),
    )
    parser.add_argument("--quiet", action="store_true", help=_("do not show the game"))
    parser.add_argument("--json", action="store_true", help=_("end with one line of JSON"))
    parser.add_argument(
        "--password",
        action="store_true",
        help=_("the table has a password: ask for it"),
    )
    parser.add_argument(
        "--password-file",
        metavar="FILE",
        help=_("read the table's password from a file (-: stdin)"),
    )
    parser.add_argument(
        "--trust-new", action="store_true", help=_("sit down with unknown keys without comparing")
    )
    parser.add_argument("--timing", metavar="FILE", help=_("write when each step was complete"))
    parser.add_argument("--record", metavar="FILE", help=_("where to keep the game's record"))
