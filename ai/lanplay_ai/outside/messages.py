"""What programs outside are told and what they say, as JSON data (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any

from lanplay.engine.fast_value import FastValue
from lanplay.engine.question import Answer, Question, answers
from lanplay.engine.view import View
from lanplay_ai.outside.program import BotFault

PROTOCOL = 1
LISTED = 200
"""Most legal answers that are listed in a question."""
PARTS = "whole numbers, tuples and None (in JSON arrays and null)"


def game_message(match: int, game: str, view: View[Any], key: bytes) -> dict[str, Any]:
    """Return what a program is told when a game begins."""
    return {
        "type": "game",
        "match": match,
        "protocol": PROTOCOL,
        "game": game,
        "seat": view.seat,
        "seats": list(view.header.seats),
        "options": dict(view.header.options),
        "key": key.hex(),
    }


def question_message(
    match: int, number: int, view: View[Any], question: Question
) -> dict[str, Any]:
    """Return what a program is asked: the question, what its seat sees, and legal answers."""
    listed = list(islice(answers(question, view), LISTED + 1))
    return {
        "type": "question",
        "match": match,
        "id": number,
        "question": {"name": question.name, "rule": question.rule, **_fields(question)},
        "view": {
            "seat": view.seat,
            "table": plain(view.table.public()),
            "cup": list(view.cup),
            "own": {str(card): face for card, face in sorted(view.own.items())},
        },
        "answers": plain(listed[:LISTED]),
        "complete": len(listed) <= LISTED,
    }


def _fields(question: Any) -> dict[str, Any]:
    if isinstance(question, FastValue):
        return {name: plain(each) for name, each in question.fields().items()}
    if not is_dataclass(question):
        return {}
    return {field.name: plain(getattr(question, field.name)) for field in fields(question)}


def plain(value: Any) -> Any:
    """Return public data as JSON knows it: arrays for tuples and sets, names for keys.

    Values are objects by their fields; what has a method ``plain`` is what that returns.
    """
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, Set):
        return sorted(plain(each) for each in value)
    if isinstance(value, list | tuple | range):
        return [plain(each) for each in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, FastValue) or is_dataclass(value):
        return _fields(value)
    return plain(value.plain()) if hasattr(value, "plain") else value


def answer_of(said: Any, number: int) -> Answer:
    """Return the answer in what a program said; ``BotFault`` if there is none to this question."""
    if type(said) is not dict or said.get("id") != number or "answer" not in said:
        raise BotFault(f"said {said!r:.80} instead of an answer to question {number}")
    return plain_answer(said["answer"])


def plain_answer(value: Any, depth: int = 4) -> Answer:
    """Return an answer as the rules know it; ``BotFault`` for what is no answer to anything."""
    if value is None or type(value) is int:
        return value
    if type(value) in (list, tuple) and depth:
        return tuple([plain_answer(each, depth - 1) for each in value])
    raise BotFault(f"said {_shown(value)}: answers are made of {PARTS}")


def _shown(value: Any) -> str:
    """Return a value as text, if that is data; of an object of a bot nothing is called."""
    return f"{value!r:.80}" if type(value) in (str, float, bool, dict) else type(value).__name__
