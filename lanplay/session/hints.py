"""Hints: what the strong bot would answer in a person's place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import trio

import lanplay_ai as ai
from lanplay.engine.agent import Hint
from lanplay.engine.orders import Foreseen
from lanplay.engine.question import Question
from lanplay.engine.view import View
from lanplay.session.events import Asked, Hinted
from lanplay_ai.guard import failure

TRIES: Final = 8
"""With so many keys in turn it is asked where it slips, which it does in a game or two."""


def _advised(game: str, view: View[Any], question: Question) -> Hint:
    """Return what the bot would answer, unless it is a slip."""
    for key in range(TRIES):
        hint = ai.adviser(game, bytes([key] * 32)).explain(view, question)
        if hint.reason.id != "by-lot":
            break
    return hint


def _explained(game: str, asked: Asked) -> Hint:
    """Return what the bot would answer; of a question with what lies ahead, to all its parts."""
    view, question = asked.view, asked.question
    if not isinstance(question, Foreseen):
        return _advised(game, view, question)
    given = question.given or question.first.only_answer(view)
    first = None if given else _advised(game, view, question.first)
    answer = given[0] if given else first.answer if first else None
    later = [_advised(game, view, each) for each in question.later(view, answer)]
    told = first or later[0]
    return replace(told, answer=(answer, tuple(each.answer for each in later)))


async def hinted(game: str, asked: Asked, limiter: trio.CapacityLimiter | None = None) -> Hinted:
    """Return a hint, thought out in a thread: the first in a game may take long.

    An adviser that fails ends no game.
    """
    try:
        hint = await trio.to_thread.run_sync(
            _explained, game, asked, abandon_on_cancel=True, limiter=limiter
        )
    except Exception as error:
        fault = failure("hint", asked.view, asked.question, error)
        return Hinted(asked.seat, asked, None, fault.short)
    return Hinted(asked.seat, asked, hint)
