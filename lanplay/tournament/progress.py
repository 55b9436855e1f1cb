"""How far a run is: a bar on a terminal, a line once in a while elsewhere. All on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from time import monotonic
from typing import Any, Final

from lanplay.language import _, figure
from lanplay.tournament.running import Silent, Watcher

EVERY: Final = 15.0
"""Seconds between lines."""


@contextmanager
def shown(quiet: bool = False) -> Iterator[Watcher]:
    """Yield what shows progress as well as standard error can."""
    if quiet:
        yield Silent()
    elif sys.stderr.isatty():
        yield from _bar()
    else:
        yield ProgressLines()


class Rate:
    """Games a second since this process began to play, and what remains at that rate."""

    def __init__(self) -> None:
        self._begun = monotonic()
        self._first: int | None = None

    def text(self, games: int, of: int) -> str:
        """Return rate and remaining time."""
        if self._first is None:
            self._first = games
        played = games - self._first
        seconds = monotonic() - self._begun
        if not played or not seconds:
            return ""
        rate = played / seconds
        values = {"rate": figure(rate), "time": duration((of - games) / rate)}
        return _("{rate} games/s, {time} to go").format(**values)


def duration(seconds: float) -> str:
    """Return a time as h:mm:ss or m:ss."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class ProgressLines:
    """A line at once, then every ``EVERY`` seconds, then at the end."""

    def __init__(self) -> None:
        self._rate = Rate()
        self._next = 0.0

    def at(self, games: int, of: int) -> None:
        """Say so, if it is time (see ``Watcher``)."""
        rate = self._rate.text(games, of)
        if monotonic() < self._next and games < of:
            return
        self._next = monotonic() + EVERY
        line = _("Games: {games} of {of}").format(games=games, of=of)
        print(f"{line}, {rate}" if rate else line, file=sys.stderr, flush=True)

    def idle(self) -> None:
        """Say nothing (see ``Watcher``)."""


class Bar:
    """A bar with rate and remaining time, drawn by rich."""

    def __init__(self, progress: Any) -> None:
        self._progress = progress
        self._task = progress.add_task("games", total=None, rate="")
        self._rate = Rate()

    def at(self, games: int, of: int) -> None:
        """Move the bar (see ``Watcher``)."""
        rate = self._rate.text(games, of)
        self._progress.update(self._task, completed=games, total=of, rate=rate)

    def idle(self) -> None:
        """Do nothing: rich draws by itself (see ``Watcher``)."""


def _bar() -> Iterator[Watcher]:
    if find_spec("rich") is None:
        yield ProgressLines()
        return
    rich: Any = import_module("rich.progress")
    console: Any = import_module("rich.console").Console(stderr=True)
    columns = rich.BarColumn(), rich.MofNCompleteColumn(), rich.TextColumn("{task.fields[rate]}")
    with rich.Progress(*columns, console=console) as progress:
        yield Bar(progress)
