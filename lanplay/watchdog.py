"""A time limit for Python code in its own thread, wherever that is: raised by another thread."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import threading
from collections.abc import Callable
from functools import cache
from time import monotonic, sleep
from typing import Any, Final, TypeVar

T = TypeVar("T")

GRACE: Final = 3
"""So many limits more, and a second, has what does not end at its limit in a process that may be
lost."""

_expendable = False


class Overtime(BaseException):
    """The time is over. No ``Exception``: bots catch those."""


class Late(Exception):
    """What was called had not returned at its limit."""


def expendable() -> None:
    """Let this process end where a call outlasts its limit by far, as in C code that hangs.

    For workers whose work is given out again.
    """
    global _expendable
    _expendable = True


class Call:
    """A call that is watched.

    Each time that it might be interrupted is a slot in ``_claims``. Who asks for a slot first has
    it: the watchdog, and it interrupts the call; or the caller, and nothing interrupts it any more.
    Nothing does before ``under_way`` either.
    ``dict.setdefault`` is atomic and asking twice does no harm, so that an interruption may come
    at any step of the caller, which no lock would bear.
    """

    def __init__(self, thread: int, seconds: float) -> None:
        self.seconds = seconds
        self.due = monotonic() + seconds
        self.under_way = False
        self._thread = thread
        self._claims: dict[int, str] = {}
        self._interrupted = 0

    def interrupt(self) -> None:
        """Raise ``Overtime`` in the caller's thread, unless it has not begun or has finished."""
        if not self.under_way:
            return
        if self._claims.setdefault(self._interrupted, "watchdog") == "watchdog":
            _raise_in(self._thread, Overtime)
            self._interrupted += 1
            self.due = monotonic() + self.seconds

    def finish(self) -> None:
        """End the watch: when this returns nothing was interrupted or everything has arrived."""
        while True:
            try:
                self._finish()
            except Overtime:
                continue
            return

    def _finish(self) -> None:
        slot = 0
        while self._claims.setdefault(slot, "caller") == "watchdog":
            slot += 1
        while self._interrupted < slot:
            sleep(0.001)
        if slot:
            _raise_in(self._thread, None)


def _watched(call: Call, function: Callable[..., T], values: tuple[Any, ...]) -> T:
    try:
        call.under_way = True
        return function(*values)
    finally:
        call.finish()


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an error in a thread at its next step; ``None`` takes back what has not come."""
    what = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


class Watchdog:
    """Keeps the time of what one thread calls, one call after the other.

    Its own thread runs while there is something to watch and for one limit more.
    """

    def __init__(self) -> None:
        self._owner = threading.get_ident()
        self._changed = threading.Condition()
        self._call: Call | None = None
        self._thread: threading.Thread | None = None
        self._wakes = 0.0

    def call(self, seconds: float, function: Callable[..., T], *values: Any) -> T:
        """Return what a function returns; ``Late`` if it had not after so many seconds.

        Whatever it raises is raised. Code that catches ``BaseException`` is interrupted again after
        as many seconds.
        """
        call = self._begin(seconds)
        try:
            return _watched(call, function, values)
        except Overtime:
            call.finish()
            raise Late from None
        finally:
            self._call = None

    def _begin(self, seconds: float) -> Call:
        with self._changed:
            self._call = call = Call(self._owner, seconds)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
                _keep_alive(call)  # its thread may not get to run any more
            elif call.due < self._wakes:
                self._changed.notify()
        return call

    def _watch(self) -> None:
        with self._changed:
            while (call := self._call) is not None:
                if call.due <= monotonic():
                    call.interrupt()
                else:
                    _keep_alive(call)
                self._wakes = max(call.due, monotonic() + 0.001)
                self._changed.wait(self._wakes - monotonic())
            self._thread = None
            if _expendable:
                faulthandler.cancel_dump_traceback_later()


def _keep_alive(call: Call) -> None:
    """Let an expendable process end a while after a call is due, unless this is called again.

    The timer is one of C: it needs no lock of the interpreter, which the call may hold for ever.
    """
    if _expendable:
        seconds = call.due - monotonic() + GRACE * call.seconds + 1
        faulthandler.dump_traceback_later(seconds, exit=True, file=_nowhere())


@cache
def _nowhere() -> int:
    return os.open(os.devnull, os.O_WRONLY)


class _Mine(threading.local):
    def __init__(self) -> None:
        self.watchdog = Watchdog()


_mine: Final = _Mine()


def within(seconds: float, function: Callable[..., T], *values: Any) -> T:
    """Return what a function returns, watched by this thread's watchdog (see ``Watchdog.call``)."""
    return _mine.watchdog.call(seconds, function, *values)
