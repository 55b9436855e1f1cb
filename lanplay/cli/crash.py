"""What is kept of a fault, so that it can be reported."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from platformdirs import user_log_path

from lanplay import __version__
from lanplay.games import packages


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
    """Return the game of another package in which errors were raised, that package, and where.

    It is the one whose code was running, or else the one that was asked for.
    """
    games = packages()
    for error in errors:
        places = [*traceback.walk_tb(error.__traceback__)]
        for frame, line in reversed(places):
            outermost = frame.f_globals.get("__name__", "").partition(".")[0]
            for game, (package, module) in games.items():
                if module == outermost:
                    return game, package, _place(frame, line)
        for game in filter(games.__contains__, arguments):
            return game, games[game][0], _place(*places[-1]) if places else "?"
    return None


def _place(frame: FrameType, line: int) -> str:
    return f"{Path(frame.f_code.co_filename).name}:{line}"


def _write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix="lanplay-crash-", suffix=".log", dir=folder, text=True)
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    return Path(name)


def _text(error: BaseException, arguments: Sequence[str]) -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return (
        f"lanplay {__version__}, {python}, {platform.platform()}\n"
        f"arguments: {list(arguments)}\n\n"
        f"{''.join(traceback.format_exception(error))}"
    )
