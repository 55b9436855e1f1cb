"""Changes of a table as they are seen happening: when they are drawn, and what is drawn of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

from lanplay.tui.cells import Line, Span, cells, clip, line
from lanplay.tui.games import GameScreen, Staged
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.changes import NONE, Effects, Unfolding, counted
from lanplay.ui.scene import Scene

FRAME_SECONDS: Final = 0.1
TRACK: Final = 24
"""Columns along which something moves."""
MOST_SIGNS: Final = 8


class Staging:
    """Shows what changes, while ``run`` runs and things are ``animated``."""

    def __init__(
        self, screen: GameScreen, animated: Callable[[], bool], redraw: Callable[[], None]
    ) -> None:
        self._screen = screen if isinstance(screen, Staged) else None
        self._animated = animated
        self._redraw = redraw
        self._show = Unfolding()
        self._now = 0.0
        self._runs = False
        self._stirred = trio.Event()

    def sees(self, scene: Scene) -> None:
        """Take how the table stands now."""
        if self._screen is None or not self._runs or not self._animated():
            return
        self._now = trio.current_time()
        own = scene.seat
        self._show.sees(self._screen.standing(scene), self._now, scene.pace, own)
        if self._show.lasts(self._now):
            self._stirred.set()

    def effects(self, scene: Scene) -> Effects:
        """Return what is laid over a table that is drawn now."""
        self.sees(scene)  # it may have changed since its last event was told
        return self._show.effects(self._now) if self._runs and self._animated() else NONE

    def finish(self) -> bool:
        """Come to the present: a key was pressed; tell whether something was still to be seen."""
        lasted = self._show.lasts(self._now)
        self._show.finish()
        return lasted

    def forget(self) -> None:
        """Unfolding no gains any more: the person has answered."""
        self._show.forget()

    async def run(self) -> None:
        """Draw while something is to be seen; else do nothing, until cancelled."""
        if self._screen is None:
            return
        self._runs = True
        while True:
            await self._stirred.wait()
            self._stirred = trio.Event()
            while self._show.lasts(self._now):
                self._redraw()
                await trio.sleep(FRAME_SECONDS)
                self._now = trio.current_time()
            self._redraw()


def strip(scene: Scene, columns: int, glyphs: Glyphs) -> Line:
    """Return a line across; what changes hands moves along it, from its giver to its taker."""
    if scene.effects.move is None:
        return clip(line(("dim", glyphs.rule * columns)), columns)
    move, done = scene.effects.move
    giver, taker = (
        scene.names[seat] if seat >= 0 else move.source for seat in (move.giver, move.taker)
    )
    thing = move.sign * min(move.amount, MOST_SIGNS)
    track = max(0, min(TRACK, columns // 3) - cells(thing))
    before = int(track * done)
    spans = line(
        ("dim", glyphs.rule * 2),
        ("text", f" {giver} " if giver else " "),
        ("dim", glyphs.rule * before),
        ("gold", thing),
        ("dim", glyphs.rule * (track - before) + glyphs.cursor),
        ("you", f" {taker} " if taker else " "),
        ("good" if move.taker >= 0 else "bad", f"{counted(move.sign, move.amount)} "),
    )
    left = columns - sum(cells(span.text) for span in spans)
    return clip((*spans, Span("dim", glyphs.rule * max(0, left))), columns)
