"""Completion scripts, made of the parser of all commands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lanplay import games
from lanplay.cli import whole_parser
from lanplay.errors import Fault, UserError
from lanplay.extras import installing


def script(shell: str) -> str:
    """Return the completion script for a shell; ``UserError`` where the library is missing."""
    try:
        import shtab
    except ImportError as error:
        how = installing(["shtab"])
        raise UserError(
            Fault.NO_PACKAGE, command="lanplay completion", package="shtab", how=how
        ) from error
    parser = whole_parser()
    kinds = {"FILE": shtab.FILE, "FOLDER": shtab.DIRECTORY}
    for action in actions(parser):
        _teach(action, kinds)
    text: str = shtab.complete(parser, shell=shell)
    return text


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield all arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from actions(each)


def _teach(action: argparse.Action, kinds: Mapping[str, Any]) -> None:
    """Tell the completion of an argument what it may be: a file, a folder, a game, a bot."""
    what = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if what in kinds:
        setattr(action, "complete", kinds[what])  # noqa: B010  # shtab's way, unknown to argparse
    elif action.choices is None and (known := _known(what)):
        action.choices = known


def _known(what: str) -> Sequence[str]:
    if what == "GAME":
        return games.names()
    if what == "BOT":
        import lanplay_ai as ai

        return sorted({name for game in games.names() for name in ai.names(game)})
    return ()
