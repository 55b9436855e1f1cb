"""The stack of screens: the topmost is shown and gets the keys. Knows no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Protocol, TypeVar, runtime_checkable

import trio

from lanplay.language import _
from lanplay.told import worded
from lanplay.tui.cells import Line, Size, line, wrapped
from lanplay.tui.glyphs import UNICODE, Glyphs
from lanplay.ui.ringing import Ringer

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

LEAST = Size(80, 24)
"""The smallest terminal on which every screen has room."""
HELD, DELAY = 0.15, 0.8
"""Seconds at most between the signs that a key sends which is held down, and before the second."""


class Screen(Protocol):
    """What fills the terminal. ``press`` may raise what ends the program."""

    def lines(self, size: Size) -> Sequence[Line]:
        """Return what is shown: at most ``size.rows`` lines of at most ``size.columns`` cells."""

    def press(self, key: str) -> None:
        """Take a key: a letter, or a name such as ``enter``, ``up``, ``escape``, ``c-u``."""


class ModalScreen(Screen, Protocol[T_co]):
    """A screen that asks for an answer: see ``Modal``."""

    async def answered(self) -> T_co:
        """Return the answer once there is one."""


@runtime_checkable
class Hearing(Protocol):
    """A screen that shows what is said meanwhile."""

    def say(self, text: str) -> None:
        """Show a sentence that belongs to no game."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How a person likes it: see ``config.declared.Settings``, whose values these are.

    ``guard``: seconds for which a new question ignores what would commit an answer, so that nobody
    answers what was not read. With it Enter that is held down counts once.
    """

    glyphs: Glyphs = UNICODE
    animation: bool = True
    confirm: bool = True
    guard: float = 0.0


class Stage:
    """What is shown now. Keys are taken in order by ``run``, in trio's own context.

    ``redraw`` is called when something has changed, ``failed`` when a screen could not be drawn.
    ``ringer`` calls a person who looks elsewhere.
    What is said while no screen hears it is kept in ``parting``: it is for the lines of the
    terminal after the end.
    """

    def __init__(self, habits: Habits | None = None) -> None:
        self.habits = habits or Habits()
        self.parting: list[str] = []
        self.redraw: Callable[[], None] = lambda: None
        self.failed: Callable[[Exception], None] = lambda error: None
        self.screens: list[Screen] = []
        self.ringer = Ringer("off", {})
        self._hidden = False
        self._keys, self._pressed = trio.open_memory_channel[str](inf)

    @property
    def glyphs(self) -> Glyphs:
        """What is drawn with."""
        return self.habits.glyphs

    def feed(self, key: str) -> None:
        """Take a key from wherever keys come from; never waits."""
        self._keys.send_nowait(key)

    async def run(self) -> None:
        """Give keys to the topmost screen until cancelled; Enter held down is pressed once."""
        key, last = "", -inf
        while True:
            key, after = key or await self._pressed.receive(), ""
            self.ringer.touched()
            if key == "enter" and self.habits.guard:
                since, last = trio.current_time() - last, trio.current_time()
                if HELD <= since < DELAY:
                    with trio.move_on_after(HELD):
                        after = await self._pressed.receive()
                if since < HELD or after == "enter":
                    key = after
                    continue
            else:
                last = -inf
            if self.screens and not self._hidden:
                self.screens[-1].press(key)
                self.redraw()
            key = after

    def push(self, screen: Screen) -> None:
        """Show a screen on top of all others."""
        self.screens.append(screen)
        self.redraw()

    def pop(self, screen: Screen) -> None:
        """Take a screen away, wherever it lies; one that is not there stays away."""
        if screen in self.screens:
            self.screens.remove(screen)
        self.redraw()

    @contextmanager
    def showing(self, screen: Screen) -> Iterator[None]:
        """Show a screen while the block runs."""
        self.push(screen)
        try:
            yield
        finally:
            self.pop(screen)

    async def ask(self, screen: ModalScreen[T]) -> T:
        """Show a screen until its person has answered; return the answer."""
        with self.showing(screen):
            return await screen.answered()

    def say(self, text: str) -> None:
        """Tell the person something that belongs to no game: on the topmost screen that hears."""
        for screen in reversed(self.screens):
            if isinstance(screen, Hearing):
                screen.say(text)
                self.redraw()
                return
        self.parting.append(worded(text))

    def lines(self, size: Size) -> Sequence[Line]:
        """Return what fills a terminal of this size; no key counts where nothing has room."""
        self._hidden = size.columns < LEAST.columns or size.rows < LEAST.rows
        if self._hidden:
            return too_small(size)
        return self.screens[-1].lines(size) if self.screens else []


def too_small(size: Size) -> list[Line]:
    """Return what a terminal shows that is too small for anything else."""
    text = _(
        "This terminal has {columns} x {rows} cells. lanplay needs {least_columns} x {least_rows}: "
        "make the window larger or its letters smaller. A game goes on meanwhile. Ctrl-C leaves; "
        "lanplay --plain plays in lines, on any terminal."
    ).format(
        columns=size.columns, rows=size.rows, least_columns=LEAST.columns, least_rows=LEAST.rows
    )
    if size.columns < 1:
        return [line("")]
    return wrapped("text", text, size.columns)[: size.rows]
