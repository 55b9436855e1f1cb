"""The log file: off unless the settings name one. The one place that configures logging.

What is logged are commands, what happens to peers and connections, notices and faults. Keys, faces,
answers, passwords and words are not: nobody who reads a log learns what a seat held.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Final

from lanplay.errors import Fault, UserError
from lanplay.told import harmless, worded

ROOTS: Final = ("lanplay", "lanplay_protocol", "lanplay_ai")
"""The loggers that write to the file; those of libraries do not."""

FORMAT: Final = "%(asctime)s.%(msecs)03d %(process)d %(levelname)s %(name)s: %(message)s"


def start(file: str) -> None:
    """Log to ``file`` from now on, adding to what is there.

    Only its owner can read a file that is made. ``UserError`` if it cannot be written.
    """
    stop()
    try:
        handler = _Handler(Path(file).expanduser())
    except OSError as error:
        raise UserError(Fault.LOG, path=file, why=error.strerror) from error
    for name in ROOTS:
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
        logger.propagate = False


def note(text: str, *values: object) -> None:
    """Log what the program does; nothing secret."""
    logging.getLogger(ROOTS[0]).info(text, *values)


def stop() -> None:
    """Close the log file, if one is open; say so if it misses something."""
    handlers: set[_Handler] = set()
    for logger in map(logging.getLogger, ROOTS):
        mine = [each for each in logger.handlers if isinstance(each, _Handler)]
        handlers.update(mine)
        for handler in mine:
            logger.removeHandler(handler)
            logger.setLevel(logging.NOTSET)
            logger.propagate = True
    for handler in handlers:
        handler.close()
        if handler.refused:
            told = Fault.LOG.of(path=handler.baseFilename, why=handler.refused)
            print(worded(told), file=sys.stderr)


class _Handler(logging.FileHandler):
    """Writes lines of UTF-8; a disk that is full ends no game: ``refused`` is what it said."""

    refused: str | None = None

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        super().__init__(path, encoding="utf-8", errors="backslashreplace")
        self.setFormatter(_Lines(FORMAT, "%Y-%m-%d %H:%M:%S"))

    def close(self) -> None:
        try:
            super().close()
        except OSError as error:
            self.refused = error.strerror

    def handleError(self, record: logging.LogRecord) -> None:
        error = sys.exc_info()[1]
        if isinstance(error, OSError):
            self.refused = error.strerror
        else:
            super().handleError(record)


class _Lines(logging.Formatter):
    """One entry, one line: what others chose (names, reasons) is text, wherever it is read."""

    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record))
