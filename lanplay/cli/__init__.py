"""The command line of lanplay; ``commands`` is the table of what it can do."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from io import StringIO, TextIOWrapper
from itertools import pairwise
from pkgutil import resolve_name
from typing import cast

from lanplay import __version__, language
from lanplay.cli.commands import COMMANDS
from lanplay.cli.endings import ending
from lanplay.cli.usage import Parser
from lanplay.garbage import uncollected
from lanplay.language import _


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with ``arguments`` (default: the process's own); return the exit status.

    0 is success, or that the person has left; what else a command returns it documents. 2: wrong
    usage, or a ``UserError``.
    70: a fault of lanplay, described in a file that is named. 130: Ctrl-C. 141: the reader of the
    output has gone. Nothing but ``SystemExit`` of argparse is raised.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    _never_fail_on_a_letter()
    try:
        status = _run(given)
        sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException as error:  # whatever it is, a person gets a sentence
        status = ending(error, given)
    _note_end(status)
    return status


def _note_end(status: int) -> None:
    """Tell the log, if there is one, how the program ended."""
    if (logs := sys.modules.get("lanplay.cli.logs")) is not None:
        logs.note("ends with %d", status)
        logs.stop()


def whole_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands, filled: shtab and argparse-manpage read it."""
    return _parsers(COMMANDS, filled=True)[0]


def _run(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--version"]:
        print(_version())
        return 0
    with uncollected():
        _speak(arguments)
        _refuse_foreign_parts()
        if _for_lobby(arguments):
            arguments = ["lobby", *arguments]
        args = _settled(_read(arguments))
        command = resolve_name(COMMANDS[args.command].run)
    return cast("int", command(args))


def _refuse_foreign_parts() -> None:
    """Raise ``UserError`` if a part of lanplay would be taken from another program's package."""
    from lanplay.errors import Fault, UserError
    from lanplay.extras import foreign_parts

    for name, place in foreign_parts().items():
        fault = Fault.FOREIGN_PART if place else Fault.MISSING_PART
        raise UserError(fault, package=name, path=place)


def _speak(arguments: Sequence[str]) -> None:
    """Choose the language before anything is said: help and errors of usage come before settings.

    A file of settings that cannot be read is told later.
    """
    from lanplay.cli import usage
    from lanplay.config.file import ConfigFile, FileError, config_path

    words = list(arguments)
    flags = [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    flags += [tag for word, tag in pairwise(words) if word == "--lang"]
    configured = None
    with suppress(FileError):
        configured = ConfigFile(config_path(os.environ)).values.get("lang")
    language.use(language.choose(flags[0] if flags else None, str(configured or "")))
    usage.translate()


def _for_lobby(arguments: Sequence[str]) -> bool:
    """Tell whether the lobby is meant: nothing is given, or its options alone."""
    if not arguments:
        return at_terminal()
    return arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version", "--")


def at_terminal() -> bool:
    """Tell whether a person types and reads."""
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams)


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the arguments read: options and all else in any order, up to ``--``.

    Where no command comes first, there is mostly nothing to read but help and errors.
    """
    if arguments and arguments[0] in COMMANDS:
        name, *rest = arguments
        parser = _parsers([name], filled=True)[1][name]
        if name == "lobby":
            _command_first(parser, rest)
        return parser.read(rest)
    _parsers(COMMANDS, filled=False)[0].parse_args(arguments)
    return whole_parser().parse_args(arguments)


def _command_first(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Raise ``UserError`` if a command stands among words where the lobby's parser takes none."""
    for at, word in enumerate(words):
        if word in COMMANDS and parser.parse_known_args(words[: at + 1])[1][-1:] == [word]:
            from lanplay.errors import Fault, UserError
            from lanplay.extras import command_line

            order = command_line("lanplay", word, *words[:at], *words[at + 1 :])
            raise UserError(Fault.COMMAND_LATE, command=order)


def _parsers(
    names: Iterable[str], filled: bool
) -> tuple[argparse.ArgumentParser, Mapping[str, Parser]]:
    """Return the parser of all, and those of commands, ``filled`` with arguments or named only."""
    parser = Parser(
        prog="lanplay",
        description=_("Dice and card games between the laptops of one network."),
        epilog=_("Try: lanplay demo, or lanplay COMMAND --help"),
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=_version())
    choices = parser.add_subparsers(title=_("commands"), metavar=_("COMMAND"), required=True)
    for name in names:
        about = _(COMMANDS[name].help)
        choice = choices.add_parser(name, help=about, description=about, allow_abbrev=False)
        choice.set_defaults(command=name)
        if filled:
            from lanplay.cli.arguments import configure

            configure(choice, COMMANDS[name])
            # argparse cuts seven letters off a usage that it works out, whatever language it is in
            choice.usage = choice.format_usage().removeprefix(_("usage: ")).rstrip()
    return parser, choices.choices


def _settled(args: argparse.Namespace) -> argparse.Namespace:
    """Return the arguments with the settings that the command takes, and start the log.

    ``settings`` are all settings, also those without a flag of the command, and ``effective`` says
    where they are from. A command with ``any_settings`` runs whatever is wrong with them, all
    others raise ``UserError``.
    """
    from lanplay.cli.arguments import filled_in, given
    from lanplay.config.loading import inspect

    tolerant = COMMANDS[args.command].any_settings
    effective = inspect(given(args))
    settings = effective.settings if tolerant else effective.usable()
    language.use(language.choose(settings.lang))
    if settings.log:
        from lanplay.cli import logs

        logs.start(settings.log)
        logs.note("%s: %s", _version(), args.command)
    for notice in () if tolerant else settings.notices:
        print(f"lanplay: {notice}", file=sys.stderr)
    return filled_in(args, effective, settings)


def _version() -> str:
    from lanplay_protocol import PROTOCOL

    python = ".".join(map(str, sys.version_info[:2]))
    return f"lanplay {__version__} (protocol {PROTOCOL}, python {python})"


class _Messages(TextIOWrapper):
    """Standard error: nothing ends because a message cannot be written."""

    def __init__(self, stream: TextIOWrapper) -> None:
        super().__init__(stream.buffer, stream.encoding, stream.errors, line_buffering=True)
        self._stream = stream  # which closes its buffer when nobody has it any more

    def write(self, text: str) -> int:
        with suppress(OSError):
            super().write("\n".join(map(_whole_words, text.split("\n"))) if self.isatty() else text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


def _whole_words(line: str) -> str:
    """Return a line in parts that no terminal cuts within words; one that moves or asks stays."""
    from lanplay.prose import broken

    return "\n".join(broken(line)) if line.isprintable() and line[-1:] != " " else line


def _never_fail_on_a_letter() -> None:
    """Let letters that the terminal's encoding lacks appear without accents, or as ``?``.

    On a disk that is full messages are lost, and nothing else.
    """
    if type(sys.stderr) is TextIOWrapper:
        sys.stderr = _Messages(sys.stderr)
    # what was closed before the program began nobody wants to read
    sys.stdout, sys.stderr = sys.stdout or StringIO(), sys.stderr or StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="nearest")
