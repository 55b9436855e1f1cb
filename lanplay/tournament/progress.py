"""How far a run is: one line on a terminal, one once in a while elsewhere. All on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final

from lanplay.language import _, figure

if TYPE_CHECKING:
    from lanplay.tournament.running import Watcher

EVERY: Final = 15.0
"""Seconds between lines."""
LIVE: Final = 0.2
"""Seconds after which a line on a terminal is written anew."""


@contextmanager
def shown(quiet: bool = False) -> Iterator[Watcher]:
    """Yield what shows progress as well as standard error can."""
    if quiet:
        yield lambda games, of, faults: None
        return
    lines = ProgressLines(live=sys.stderr.isatty())
    try:
        yield lines.at
    finally:
        lines.end()


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
    """A line at once, every ``EVERY`` seconds and at the end; ``live``: one, kept up to date."""

    def __init__(self, live: bool = False) -> None:
        self._rate = Rate()
        self._next = 0.0
        self._live = live
        self._shown = 0

    def at(self, games: int, of: int, faults: int) -> None:
        """Say how far the run is, if it is time."""
        rate = self._rate.text(games, of)
        if monotonic() < self._next and games < of:
            return
        self._next = monotonic() + (LIVE if self._live else EVERY)
        line = _("Games: {games} of {of}").format(games=games, of=of)
        wrong = _("faults: {count}").format(count=faults) if faults else ""
        text = ", ".join(filter(None, (line, rate, wrong)))
        if self._live:  # over the last one, with blanks: not every console of Windows has codes
            text, self._shown = f"\r{text.ljust(self._shown)}", len(text)
        print(text, end="" if self._live else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line that is kept up to date, if there is one."""
        if self._shown:
            print(file=sys.stderr, flush=True)
