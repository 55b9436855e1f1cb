"""Hints: what the strong bot would answer in a person's place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import trio

import lanplay_ai as ai
from lanplay.engine.agent import Hint
from lanplay.engine.orders import Foreseen
from lanplay.session.events import Asked, Hinted
from lanplay_ai.guard import failure

KEY: Final = bytes(32)
"""The strong bot draws nothing, so that its key does not matter."""


def _explained(game: str, asked: Asked) -> Hint:
    """Return what the bot would answer; of a question with what lies ahead, to all its parts."""
    adviser, view, question = ai.adviser(game, KEY), asked.view, asked.question
    if not isinstance(question, Foreseen):
        return adviser.explain(view, question)
    given = question.given or question.first.only_answer(view)
    first = None if given else adviser.explain(view, question.first)
    answer = given[0] if given else first.answer if first else None
    later = [adviser.explain(view, each) for each in question.later(view, answer)]
    told = first or later[0]
    return replace(told, answer=(answer, tuple(each.answer for each in later)))


async def hinted(game: str, asked: Asked) -> Hinted:
    """Return a hint, thought out in a thread: the first in a game may take long.

    An adviser that fails ends no game.
    """
    try:
        hint = await trio.to_thread.run_sync(_explained, game, asked, abandon_on_cancel=True)
    except Exception as error:
        fault = failure("hint", asked.view, asked.question, error)
        return Hinted(asked.seat, asked, None, fault.short)
    return Hinted(asked.seat, asked, hint)
