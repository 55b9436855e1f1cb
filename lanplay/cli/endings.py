"""How the program ends when something was raised: one sentence and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

LEFT: Final = 0
USAGE: Final = 2
FAULT: Final = 70
INTERRUPTED: Final = 130
READER_GONE: Final = 141


def ending(error: BaseException, arguments: Sequence[str]) -> int:
    """Tell the person what ``error`` means and return the exit status.

    Errors that come in a group count as the gravest of them: Ctrl-C ends the program whatever else
    went wrong meanwhile, and a fault is never hidden behind a mistake of the person.
    """
    from lanplay.errors import UserError

    errors = list(leaves(error))
    left = [each for each in errors if isinstance(each, UserError) and each.leaves]
    if any(isinstance(each, KeyboardInterrupt) for each in errors):
        return INTERRUPTED
    if all(isinstance(each, BrokenPipeError) for each in errors):
        _forget_output()
        return READER_GONE
    if len(left) == len(errors):
        _say("\n".join(map(str, left)))
        return LEFT
    if all(isinstance(each, UserError) for each in errors):
        _say("\n".join(f"lanplay: {each}" for each in errors))
        return USAGE
    _say(_report(error, arguments))
    return FAULT


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, or those in a group of them."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from leaves(each)
    else:
        yield error


def _report(error: BaseException, arguments: Sequence[str]) -> str:
    from lanplay.cli.crash import write_crash_log
    from lanplay.errors import Fault
    from lanplay.told import worded

    path = write_crash_log(error, arguments)
    kind = type(error).__name__
    if path is None:
        return f"lanplay: {worded(Fault.CRASH_UNKEPT.of(kind=kind))}"
    return f"lanplay: {worded(Fault.CRASH.of(kind=kind, path=str(path)))}"


def _say(text: str) -> None:
    with suppress(OSError):  # the reader of the errors may have gone as well
        print(text, file=sys.stderr, flush=True)


def _forget_output() -> None:
    """Leave nothing for the interpreter to flush into an output whose reader has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
