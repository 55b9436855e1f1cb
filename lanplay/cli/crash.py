"""What is kept of a fault, so that it can be reported."""

from __future__ import annotations

import os
import platform
import re
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

from platformdirs import user_log_path

from lanplay import __version__
from lanplay.engine.game import Game
from lanplay.games import packages

_ELSEWHERE: Final = re.compile(r'File "([^"]+)", line (\d+)')
"""How another process tells the place where something was raised there."""


def write_crash_log(error: BaseException, arguments: Sequence[str]) -> Path | None:
    """Write the traceback of ``error`` to a new file that only this user can read.

    Returns its path: in the system's place for logs, else in the temporary folder, or ``None``
    where neither can be written.
    """
    text = _text(error, arguments)
    for folder in (user_log_path("lanplay", appauthor=False), Path(tempfile.gettempdir())):
        try:
            return _write(folder, text)
        except OSError:
            continue
    return None


def foreign_game(
    errors: Sequence[BaseException], arguments: Sequence[str]
) -> tuple[str, str, str] | None:
    """Return the game of another package in which errors were raised, that package, and why.

    It is the one whose code was running, or that was played, or else the one that was asked for.
    """
    games = packages()
    modules = {module: game for game, (_package, module) in games.items()}
    for error in map(_first, errors):
        frames = [*traceback.walk_tb(error.__traceback__)][::-1]
        own = [each for each in frames if _outermost(each[0]) in modules]
        running = [modules[_outermost(frame)] for frame, _line in own]
        for game in (*running, *(_played(frame) for frame, _line in frames), *arguments):
            if game in games and frames:
                there = _ELSEWHERE.findall(str(error.__cause__))
                here = [(frame.f_code.co_filename, line) for frame, line in own or frames]
                path, line = (there[::-1] or here)[0]
                place = f"{Path(path).name}:{line}"
                return game, games[game][0], f"{type(error).__name__}: {error}, {place}"
    return None


def _first(error: BaseException) -> BaseException:
    """Return what was raised first: what came while it was handled hides it."""
    if isinstance(error, BaseExceptionGroup):
        return _first(error.exceptions[0])
    hidden = error.__suppress_context__
    before = error.__cause__ or (None if hidden else error.__context__)
    if before is None or before.__traceback__ is None:  # what another process tells has none
        return error
    return _first(before)


def _outermost(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "")
    return name.partition(".")[0]


def _played(frame: FrameType) -> str:
    """Return the game of which something was at work in a frame; empty where none can be told."""
    me = frame.f_locals.get("self")
    with suppress(Exception):  # whatever stands there
        referee = getattr(getattr(me, "context", me), "referee", me)
        game = getattr(referee, "game", None)
        return game.name if isinstance(game, Game) else ""
    return ""


def _write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix="lanplay-crash-", suffix=".log", dir=folder, text=True)
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    return Path(name).resolve()


def _text(error: BaseException, arguments: Sequence[str]) -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return (
        f"lanplay {__version__}, {python}, {platform.platform()}\n"
        f"arguments: {list(arguments)}\n\n"
        f"{''.join(traceback.format_exception(error))}"
    )
