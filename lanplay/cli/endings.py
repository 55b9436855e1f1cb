"""How the program ends when something was raised: one sentence and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from lanplay.errors import UserError

USAGE: Final = 2
FAULT: Final = 70
INTERRUPTED: Final = 130
READER_GONE: Final = 141


def ending(error: BaseException, arguments: Sequence[str]) -> int:
    """Tell the person what ``error`` means and return the exit status.

    Errors that come in a group count as the gravest of them: Ctrl-C ends the program whatever else
    went wrong meanwhile, and a fault is never hidden behind a mistake of the person.
    """
    errors = list(_leaves(error))
    if any(isinstance(each, KeyboardInterrupt) for each in errors):
        return INTERRUPTED
    if all(isinstance(each, BrokenPipeError) for each in errors):
        _forget_output()
        return READER_GONE
    if all(isinstance(each, UserError) for each in errors):
        _say("\n".join(f"lanplay: {each}" for each in errors))
        return USAGE
    _say(_report(error, arguments))
    return FAULT


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


def _report(error: BaseException, arguments: Sequence[str]) -> str:
    from lanplay.cli.crash import write_crash_log

    path = write_crash_log(error, arguments)
    where = f"The details are in {path}" if path else "The details could not be written to disk"
    return (
        f"lanplay: this is a fault of lanplay, not yours ({type(error).__name__}). "
        f"{where}; please report it with them."
    )


def _say(text: str) -> None:
    with suppress(OSError):  # the reader of the errors may have gone as well
        print(text, file=sys.stderr, flush=True)


def _forget_output() -> None:
    """Leave nothing for the interpreter to flush into an output whose reader has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
