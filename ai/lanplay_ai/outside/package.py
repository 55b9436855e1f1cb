"""Bots of other packages: each plays in a process of its own, and sees its seat's view alone."""

from __future__ import annotations

import pickle
import sys
from base64 import b64encode
from importlib.metadata import EntryPoint
from typing import Any, Final
from weakref import finalize

from lanplay.engine.question import Answer, Question
from lanplay.engine.record import Entry
from lanplay.engine.view import View
from lanplay.extras import command_line
from lanplay_ai.outside.agent import matches
from lanplay_ai.outside.host import fields_of
from lanplay_ai.outside.messages import answer_of
from lanplay_ai.outside.program import LOADING, SECONDS, BotFault, Program, dismiss, lent

_HOST: Final = (
    "import sys; sys.path[:] = {path!r}; from lanplay_ai.outside.host import serve; serve({bot!r})"
)


class PackageBot:
    """Answers as a bot of another package does; ``BotFault`` says how it failed.

    One process (``host``) has all agents of one bot. It is ended when it crashes or takes too long:
    the next question starts it anew, and makes the agent again.
    """

    def __init__(
        self,
        entry: EntryPoint,
        key: bytes,
        seconds: float | None = None,
        hidden: tuple[str, ...] | None = None,
    ) -> None:
        """Make the bot; ``BotFault`` if that cannot be done."""
        arguments = [sys.executable, "-c", _HOST.format(path=sys.path, bot=entry.value)]
        self._program = command_line(*arguments), seconds or SECONDS, entry.name, hidden
        self._key = key
        self._match = next(matches)
        self._asked = 0
        self._history: list[Entry] | None = None
        self._told = 0
        with lent(*self._program) as program:
            made = self._introduced(program)
        _look_into(made)
        finalize(self, dismiss, *self._program[:2], hidden, self._match).atexit = False

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the bot's answer (see ``Agent.answer``)."""
        self._asked += 1
        with lent(*self._program) as program:
            self._introduced(program)
            said = program.ask(self._question(view, question))
        _look_into(said)
        return answer_of(said, self._asked)

    def _question(self, view: View[Any], question: Question) -> dict[str, Any]:
        """Return what the process is asked: of a history that it has a part of, what is new."""
        if view.history is not self._history:
            self._history, self._told = view.history, 0
        told, self._told = self._told, len(view.history)
        new = view.history[told:]
        table = {name: getattr(view.table, name) for name in fields_of(view.table)}
        shown = view.seat, table, view.header, told, new, view.cup, view.own, question
        return {
            "type": "question",
            "match": self._match,
            "id": self._asked,
            "shown": b64encode(pickle.dumps(shown)).decode(),
        }

    def _introduced(self, program: Program) -> Any:
        """Make the agent, unless it is made; return what is said of it."""
        if self._match in program.matches:
            return {}
        program.matches.add(self._match)
        self._history = None
        return program.ask({"type": "game", "match": self._match, "key": self._key.hex()}, LOADING)


def _look_into(said: Any) -> None:
    """Raise ``BotFault`` if what was said is a fault: the process that said it is sound."""
    if isinstance(said, dict) and "fault" in said:
        raise BotFault(str(said["fault"]), str(said.get("at", "")))
