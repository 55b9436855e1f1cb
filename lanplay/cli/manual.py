"""The manual page, made of the parser of all commands: ``man``'s own macros (man(7))."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from lanplay import __version__
from lanplay.cli import whole_parser
from lanplay.cli.endings import FAULT, INTERRUPTED, READER_GONE, USAGE
from lanplay.config import SETTINGS
from lanplay.config.file import VARIABLE

STATUSES = {
    0: "done, or left by its person; for doctor and config: no fault",
    1: "verify: somebody broke the rules of the table, or the record was altered",
    USAGE: "wrong usage, or something that you can put right; the message says how",
    3: "the game is held; its record is kept",
    FAULT: "a fault of lanplay; the message names a file with the details. If it was a bot of "
    "lanplay's own in simulate or tournament, all was played and told all the same",
    INTERRUPTED: "Ctrl-C",
    READER_GONE: "the reader of the output has gone",
}


EVERYWHERE = ("help", "lang", "log")
"""Options of every command, told once."""


def page() -> str:
    """Return the manual page ``lanplay(1)`` in the language of the process."""
    return "\n".join(_lines(whole_parser())) + "\n"


def _lines(parser: argparse.ArgumentParser) -> Iterator[str]:
    commands = _commands(parser)
    yield f'.TH LANPLAY 1 "" "lanplay {__version__}" "User Commands"'
    yield from _section("NAME", f"lanplay - {_text(parser.description)}")
    yield from (".SH SYNOPSIS", ".B lanplay", r".I COMMAND", "[\\fIARGUMENTS\\fR]")
    yield from (".br", ".B lanplay", r"\-\-version")
    yield ".SH COMMANDS"
    yield _text("Every command takes --lang, --log and --help besides its own arguments.")
    for name, command in commands.items():
        yield from _command(name, command)
    yield ".SH SETTINGS"
    yield _text(
        "A flag counts before the environment, the environment before the file that lanplay "
        "config names, the file before the default."
    )
    for setting in SETTINGS.values():
        yield from _item(f"\\fB{_text(setting.name)}\\fR, {setting.variable}", setting.about.help)
    yield from _item(VARIABLE, "the path of the settings' file")
    yield ".SH EXIT STATUS"
    for status, meaning in STATUSES.items():
        yield from _item(f"\\fB{status}\\fR", meaning)


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= action.choices
    return found


def _command(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    places = [action for action in parser._actions if not action.option_strings]
    words = [f"lanplay {_text(name)}", *(_place(action) for action in places)]
    yield f'.SS "{" ".join(words)}"'
    yield _text(parser.description)
    for action in parser._actions:
        if action.help != argparse.SUPPRESS and action.dest not in EVERYWHERE:
            yield from _item(_name(action), _help(action))


def _place(action: argparse.Action) -> str:
    name = _text(_value(action))
    if action.nargs in ("?", "*"):
        name = f"[{name}]"
    return f"{name} ..." if action.nargs in ("*", "+") else name


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"\\fI{_text(_value(action))}\\fR"
    flags = ", ".join(f"\\fB{_text(flag)}\\fR" for flag in action.option_strings)
    return flags if action.nargs == 0 else f"{flags} \\fI{_text(_value(action))}\\fR"


def _value(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return action.dest.upper()


def _help(action: argparse.Action) -> str:
    return (action.help or "").replace("%%", "%")


def _section(title: str, text: str) -> Iterator[str]:
    yield f".SH {title}"
    yield text


def _item(name: str, text: str) -> Iterator[str]:
    yield from (".TP", name, _text(text))


def _text(text: str | None) -> str:
    """Return text in which nothing means anything to ``man``."""
    safe = (text or "").replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{safe}" if safe.startswith((".", "'")) else safe
