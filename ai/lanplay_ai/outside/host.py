"""The process in which a bot of another package plays (see ``package``)."""

from __future__ import annotations

import json
import os
import pickle
from base64 import b64decode
from collections.abc import Callable
from importlib.metadata import EntryPoint
from io import TextIOWrapper
from typing import Any

from lanplay.engine.question import Answer
from lanplay.engine.record import Entry
from lanplay.engine.table import Table
from lanplay.engine.view import View
from lanplay.games import load
from lanplay_ai.guard import described, places
from lanplay_ai.outside.messages import plain_answer
from lanplay_ai.outside.program import BotFault


def serve(bot: str) -> None:
    """Make agents of the bot ``MODULE:NAME`` and ask them, as standard input says, to its end.

    What the bot itself prints goes to standard error, and it has nothing to read.
    """
    lines, answers = _taken(0, "r"), _taken(1, "w")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    agents: dict[int, _Hosted] = {}
    deeds: dict[str, Callable[[Any], Any]] = {
        "game": lambda said: agents.__setitem__(said["match"], _Hosted(bot, said["key"])),
        "question": lambda said: agents[said["match"]].answer(said["shown"]),
    }
    for line in lines:
        said = json.loads(line)
        if said["type"] == "over":
            agents.pop(said["match"], None)
        else:
            answers.write(_told(said.get("id"), deeds[said["type"]], said) + "\n")
            answers.flush()


def fields_of(table: Table) -> tuple[str, ...]:
    """Return the names of what a table of known seats and options is shown by."""
    return ("round", "faces", *type(table).__slots__)


class _Hosted:
    """An agent, and the history of its game as far as it has been told."""

    def __init__(self, bot: str, key: str) -> None:
        self._agent: Any = EntryPoint(bot, bot, "").load()(bytes.fromhex(key))
        if not callable(getattr(self._agent, "answer", None)):
            raise TypeError("it has no method answer")
        self._history: list[Entry] = []

    def answer(self, shown: str) -> Answer:
        seat, fields, header, told, new, cup, own, question = pickle.loads(b64decode(shown))
        table = load(header.game).table(len(header.seats), header.options)
        for name, value in fields.items():
            setattr(table, name, value)
        self._history[told:] = new
        view: View[Any] = View(seat, table, header, self._history[:])
        view.cup, view.own = cup, own
        return plain_answer(self._agent.answer(view, question))


def _taken(stream: int, mode: str) -> TextIOWrapper:
    return os.fdopen(os.dup(stream), mode, encoding="utf-8")  # type: ignore[return-value]  # a text


def _told(number: int | None, deed: Callable[[Any], Any], said: Any) -> str:
    """Return what came of a deed as a line, whatever the bot does."""
    try:
        return json.dumps({"id": number, "answer": deed(said)})
    except BaseException as error:  # another package's code may raise anything
        told = str(error) if isinstance(error, BotFault) else described(error)
        return json.dumps({"id": number, "fault": told, "at": places(error)})
