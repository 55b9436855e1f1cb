"""The event loops: asyncio on the main thread hosts prompt-toolkit, trio runs as its guest.

The only module that knows asyncio. trio-asyncio is no way: with zeroconf it spins. However the
program ends, trio is cancelled first and awaited, then the terminal is put back, then what was
raised is raised.
"""

from __future__ import annotations

import asyncio
import errno
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import TextIOBase
from typing import Any, TypeVar, cast

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import BaseStyle

from lanplay.tui.application import application
from lanplay.tui.stage import Stage

T = TypeVar("T")

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # the last one is Ctrl-Break of Windows
SIGNALS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
HUNG_UP = 129
"""Exit status where the terminal has gone: that of a program which SIGHUP ends."""
RESTORE_SECONDS = 2.0
"""The longest that prompt-toolkit may take to put the terminal back."""


class Spoken(TextIOBase):
    """A text stream whose lines the stage says: nothing is written over a screen."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._rest = ""

    def write(self, text: str) -> int:
        """Say every whole line."""
        *lines, self._rest = (self._rest + text).split("\n")
        for each in lines:
            self._stage.say(each)
        return len(text)


def run(
    stage: Stage,
    main: Callable[[], Awaitable[T]],
    style: BaseStyle,
    depth: ColorDepth | None = None,
    source: Input | None = None,
    output: Output | None = None,
) -> T:
    """Show the stage on the terminal while ``main`` runs under trio, and return its result.

    Raises what ``main`` raises; ``KeyboardInterrupt`` on Ctrl-C and SIGINT, ``SystemExit`` (128 and
    the number) on other signals that end programs, and where the terminal is gone. The terminal is
    as before then, and what was said to nobody's screen is printed.
    """
    own = output or create_output(stdout=sys.stdout)
    stage.ringer.write = partial(_write, own)
    stage.ringer.titled = partial(_entitle, own)
    try:
        with ExitStack() as stack:
            if output is None:
                spoken = cast("Any", Spoken(stage))
                stack.enter_context(redirect_stdout(spoken))
                stack.enter_context(redirect_stderr(spoken))
            return asyncio.run(_host(stage, main, style, depth, source, own))
    finally:
        with suppress(OSError):  # the terminal may be gone
            for text in stage.parting:
                print(text, file=sys.stderr)


def _write(output: Output, text: str) -> None:
    """Write what calls the person straight to the terminal."""
    output.write_raw(text)
    output.flush()


def _entitle(output: Output, title: str) -> None:
    """Set the title of the window; an empty one gives it back."""
    if title:
        output.set_title(title)
    else:
        output.clear_title()
    output.flush()


async def _host(
    stage: Stage,
    main: Callable[[], Awaitable[T]],
    style: BaseStyle,
    depth: ColorDepth | None,
    source: Input | None,
    output: Output,
) -> T:
    loop = asyncio.get_running_loop()
    end = _End()
    stage.failed = end.failed
    loop.set_exception_handler(lambda _, context: end.failed(_error(context)))
    app = application(stage, style, depth, lambda: end.stopped(signal.SIGINT), source, output)
    before = _handle_signals(loop, end.stopped)
    if sys.platform != "win32":
        loop.add_signal_handler(signal.SIGCONT, _resume, app)
    done = _start_guest(loop, partial(_guest, stage, main, end.scope))
    try:
        await _both(app, done, end.scope)
    except OSError as error:
        end.check()
        if error.errno != errno.EIO:
            raise
        raise SystemExit(HUNG_UP) from error
    finally:
        before()
    result = done.result().unwrap()
    end.check()
    return cast("T", result)


class _End:
    """Why the program ends, if it is not by itself: the first signal, the first fault."""

    def __init__(self) -> None:
        self.scope = trio.CancelScope()
        self._signals: list[int] = []
        self._faults: list[Exception] = []

    def stopped(self, number: int) -> None:
        """End because of a signal."""
        self._signals.append(number)
        self.scope.cancel()

    def failed(self, error: Exception) -> None:
        """End because of a fault outside of trio."""
        self._faults.append(error)
        self.scope.cancel()

    def check(self) -> None:
        """Raise what a signal or a fault means to the program."""
        if self._signals and self._signals[0] == signal.SIGINT:
            raise KeyboardInterrupt
        if self._signals:
            raise SystemExit(128 + self._signals[0])
        if self._faults:
            raise self._faults[0]


def _error(context: dict[str, Any]) -> Exception:
    error = context.get("exception")
    return error if isinstance(error, Exception) else RuntimeError(context["message"])


async def _guest(
    stage: Stage, main: Callable[[], Awaitable[T]], scope: trio.CancelScope
) -> T | None:
    """Run ``main``, and the keys, under trio; ``None`` if that is cancelled."""
    with scope:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stage.run)
            result = await main()
            nursery.cancel_scope.cancel()
        return result
    return None


def _start_guest(
    loop: asyncio.AbstractEventLoop, main: Callable[[], Awaitable[Any]]
) -> asyncio.Future[Any]:
    """Begin to run ``main`` under trio in an asyncio loop; return what its outcome will be in."""
    done: asyncio.Future[Any] = loop.create_future()
    trio.lowlevel.start_guest_run(
        main,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=done.set_result,
        host_uses_signal_set_wakeup_fd=True,
    )
    return done


async def _both(app: Application[None], done: asyncio.Future[Any], scope: trio.CancelScope) -> None:
    """Run the screen until either side ends; end trio first, then put the terminal back."""
    own = app.run_async(handle_sigint=False, set_exception_handler=False)
    screen = asyncio.ensure_future(own)
    try:
        await asyncio.wait({screen, done}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        scope.cancel()
        await asyncio.wait({done})
        if app.is_running and not screen.done():
            app.exit()
        await asyncio.wait({screen}, timeout=RESTORE_SECONDS)
    if screen.done() and not screen.cancelled() and (error := screen.exception()) is not None:
        raise error


def _handle_signals(
    loop: asyncio.AbstractEventLoop, stop: Callable[[int], None]
) -> Callable[[], None]:
    """Let signals that end programs end this one in order; return what undoes that."""
    undo = ExitStack()
    for number in SIGNALS:  # by Python itself: asyncio handles none on Windows
        old = signal.signal(number, lambda given, _: loop.call_soon_threadsafe(stop, given))
        undo.callback(signal.signal, number, old)
    return undo.close


def _resume(app: Application[None]) -> None:
    """Take the terminal again after a stop: the shell has set it as it likes it meanwhile."""
    app.input.raw_mode().__enter__()
    app.renderer.reset()
    app.invalidate()
