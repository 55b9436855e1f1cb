"""Who is being asked, noted where it outlives the process: names a bot that ends its worker."""

from __future__ import annotations

from typing import Any, Final

from lanplay.engine.agent import Agent
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View

LENGTH: Final = 400
"""Bytes of a note, with the one that ends it."""

_slate: Any = None


def use(slate: Any) -> None:
    """Note in shared memory from now on: an array of ``LENGTH`` characters."""
    global _slate
    _slate = slate


class Noted:
    """An agent that is noted while it is asked."""

    def __init__(self, name: str, agent: Agent) -> None:
        self._name = name.encode()[: LENGTH - 1]
        self._agent = agent

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the agent's answer (see ``Agent.answer``)."""
        if _slate is None:
            return self._agent.answer(view, question)
        _slate.value = self._name
        try:
            return self._agent.answer(view, question)
        finally:
            _slate.value = b""
