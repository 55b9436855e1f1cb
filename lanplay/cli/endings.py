"""How the program ends when something was raised: one sentence and an exit status."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from lanplay.errors import Problem

LEFT: Final = 0
USAGE: Final = 2
FAULT: Final = 70
INTERRUPTED: Final = 130
READER_GONE: Final = 141
_ODD: Final = (errno.EPERM, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG)
"""Said of files that cannot be where they are wanted, beside ``EACCES`` and ``EINVAL``."""


@contextmanager
def stopping(stop: Event, told: str) -> Iterator[None]:
    """Let the first Ctrl-C ``stop`` what is under way, which it is ``told``, the second end it."""

    def stopped(signum: int, frame: FrameType | None) -> None:
        if stop.is_set():
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a third must not spare the workers
            raise KeyboardInterrupt
        stop.set()
        print("\n" + told, file=sys.stderr, flush=True)

    before: Any = signal.signal(signal.SIGINT, stopped)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def ending(error: BaseException, arguments: Sequence[str]) -> int:
    """Tell the person what ``error`` means and return the exit status.

    Errors that come in a group count as the gravest of them: Ctrl-C ends the program whatever else
    went wrong meanwhile, and a fault is never hidden behind a mistake of the person.
    """
    try:
        return _ending(error, arguments)
    finally:
        _settle_output()


def _ending(error: BaseException, arguments: Sequence[str]) -> int:
    from lanplay.errors import UserError

    errors = _errors(error)
    if any(isinstance(each, KeyboardInterrupt) for each in errors):
        return INTERRUPTED
    if all(map(is_reader_gone, errors)):
        return READER_GONE
    if not (told := tellable(error)):
        _say(_report(error, arguments))
        return FAULT
    if all(isinstance(each, UserError) and each.leaves for each in told):
        _say("\n".join(map(str, told)))
        return LEFT
    _say("\n".join(f"lanplay: {each}" for each in told))
    return USAGE


def is_reader_gone(error: BaseException) -> bool:
    """Tell whether nobody reads the output any more: Windows calls that an invalid argument."""
    if sys.platform == "win32" and isinstance(error, OSError):
        return error.errno in (errno.EPIPE, errno.EINVAL) and error.filename is None
    return isinstance(error, BrokenPipeError)


def tellable(error: BaseException) -> Sequence[Problem]:
    """Return what a person is to be told where an error, or a group of them, is none of lanplay's.

    Nothing if any of them is a fault: a mistake of the person does not hide it. What a disk refuses
    is told like a mistake.
    """
    from lanplay.errors import Problem

    told = [_refusal(each) or each for each in _errors(error)]
    every = [each for each in told if isinstance(each, Problem)]
    return every if len(every) == len(told) else ()


def _errors(error: BaseException) -> Sequence[BaseException]:
    """Return an error, or those in a group of them, but for tasks that only were cancelled."""
    if not isinstance(error, BaseExceptionGroup):
        return [error]
    every = [each for inner in error.exceptions for each in _errors(inner)]
    return [each for each in every if isinstance(each, (Exception, KeyboardInterrupt))] or every


def _refusal(error: BaseException) -> Problem | None:
    """Return what to tell of an error that is the disk's."""
    from lanplay.errors import Fault, UserError
    from lanplay.files import REFUSALS

    if not isinstance(error, OSError):
        return None
    if error.filename is not None and error.errno in (*REFUSALS, errno.EACCES, errno.EINVAL, *_ODD):
        return UserError(Fault.DISK, path=str(error.filename), why=error.strerror)
    return UserError(Fault.OUTPUT, why=error.strerror) if error.errno in REFUSALS else None


def _report(error: BaseException, arguments: Sequence[str]) -> str:
    from lanplay.cli.crash import foreign_game, write_crash_log
    from lanplay.errors import Fault
    from lanplay.told import worded

    path = write_crash_log(error, arguments)
    errors = _errors(error)
    kind = ", ".join(dict.fromkeys(type(each).__name__ for each in errors))
    if found := foreign_game(errors, arguments):
        game, package, why = found
        told = Fault.GAME_CRASH.of(game=game, package=package, why=why, path=str(path or "-"))
    elif path is None:
        told = Fault.CRASH_UNKEPT.of(kind=kind)
    else:
        told = Fault.CRASH.of(kind=kind, path=str(path))
    return f"lanplay: {worded(told)}"


def _say(text: str) -> None:
    with suppress(OSError):  # the reader of the errors may have gone as well
        print(text, file=sys.stderr, flush=True)


def _settle_output() -> None:
    """Leave nothing for the interpreter to flush into an output that takes nothing any more."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
