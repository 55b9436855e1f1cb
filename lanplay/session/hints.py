"""Hints: what the strong bot would answer in a person's place."""

from __future__ import annotations

from typing import Final

import trio

import lanplay_ai as ai
from lanplay.session.events import Asked, Hinted
from lanplay_ai.guard import failure

KEY: Final = bytes(32)
"""The strong bot draws nothing, so that its key does not matter."""


async def hinted(game: str, asked: Asked) -> Hinted:
    """Return a hint, thought out in a thread: the first in a game may take long.

    An adviser that fails ends no game.
    """
    try:
        explain = ai.adviser(game, KEY).explain
        hint = await trio.to_thread.run_sync(
            explain, asked.view, asked.question, abandon_on_cancel=True
        )
    except Exception as error:
        fault = failure("hint", asked.view, asked.question, error)
        return Hinted(asked.seat, asked, None, fault.short)
    return Hinted(asked.seat, asked, hint)
