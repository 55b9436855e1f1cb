"""Luck and decisions of a finished game: worked out when somebody asks, as it takes seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

import trio

from lanplay.engine.record import Record
from lanplay.engine.record import load as load_record
from lanplay.errors import Fault, UserError
from lanplay.games import load as load_game
from lanplay.games import manifest
from lanplay.language import N_, _

Review: TypeAlias = Callable[[], Sequence[str]]
"""Returns lines on luck and decisions; it takes seconds, many on a busy machine."""
PATIENCE = N_("Looking at every decision: the result appears here by itself.")


def review_of(game: str, path: Path, record: Record | None = None) -> Review | None:
    """Return the review of a kept game; ``None`` for a game whose positions have no worth."""
    return partial(looked_at, path, record) if manifest(game).values is not None else None


def looked_at(path: Path, record: Record | None = None) -> list[str]:
    """Return lines on luck and decisions of a finished game (see ``retrospect``).

    The record is in ``path`` unless it is given; what its seats knew lies beside. ``UserError`` for
    a game whose positions have no worth, ``RecordError`` or ``ValueError`` for a record that is
    unusable.
    """
    from lanplay.engine.knowledge import load_knowledge
    from lanplay.ui.retrospect import retrospect

    record = record or load_record(path)
    if manifest(record.header.game).values is None:
        raise UserError(Fault.NO_WORTH, game=record.header.game)
    seen = load_knowledge(path, record.state_hash)
    return [*retrospect(load_game(record.header.game), record, names_of(record), seen)]


def names_of(record: Record) -> list[str]:
    """Return the seats' names as they may be shown, with the seat's number where two are alike."""
    from lanplay_ai.characters import known_as
    from lanplay_protocol.text import NICKNAME_LIMIT, clean_text

    names = [known_as(clean_text(name, NICKNAME_LIMIT)) for name in record.header.seats]
    return [
        f"{name[: NICKNAME_LIMIT - 2]} {seat}" if names.count(name) > 1 else name
        for seat, name in enumerate(names, 1)
    ]


class Looking:
    """Waits until somebody asks, works the ``review`` out once, and shows it each time."""

    def __init__(self, review: Review | None, show: Callable[[Sequence[str]], None]) -> None:
        self.review = review
        self._show = show
        self._asked = trio.Event()

    def ask(self) -> str:
        """Show the review as soon as it is there; return what to say until then."""
        self._asked.set()
        return _(PATIENCE)

    async def run(self) -> None:
        """Serve whoever asks, for ever; nothing where there is no review."""
        told: Sequence[str] = ()
        while self.review is not None:
            await self._asked.wait()
            self._asked = trio.Event()
            told = told or await trio.to_thread.run_sync(self.review, abandon_on_cancel=True)
            self._show(told)
