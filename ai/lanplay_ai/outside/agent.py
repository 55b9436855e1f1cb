"""An agent that puts every question to a program outside."""

from __future__ import annotations

from itertools import count
from typing import Any
from weakref import finalize

from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay_ai.outside.messages import answer_of, game_message, question_message
from lanplay_ai.outside.program import LOADING, SECONDS, dismiss, lent

matches = count(1)
"""Numbers for agents: what tells one game and seat from another when a program plays several."""


class OutsideAgent:
    """Answers as a program does; ``BotFault`` says how it failed.

    The program is started when it is asked first, which takes no time from its decision, is told of
    its seat's view and nothing else, and is ended when it fails: the next question starts it anew.
    """

    def __init__(
        self,
        command: str,
        game: str,
        key: bytes,
        seconds: float = SECONDS,
        hidden: tuple[str, ...] | None = None,
    ) -> None:
        self._command = command
        self._hidden = hidden
        self._game = game
        self._key = key
        self._seconds = seconds
        self._match = next(matches)
        self._asked = 0
        finalize(self, dismiss, command, seconds, hidden, self._match).atexit = False

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the program's answer, checked (see ``Agent.answer``)."""
        self._asked += 1
        asked = question_message(self._match, self._asked, view, question)
        with lent(self._command, self._seconds, hidden=self._hidden) as program:
            if self._match not in program.matches:
                program.matches.add(self._match)
                program.tell(game_message(self._match, self._game, view, self._key))
            starting = None if program.started else max(LOADING, self._seconds)
            return answer_of(program.ask(asked, starting), self._asked)
