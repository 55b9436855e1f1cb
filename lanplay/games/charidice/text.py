"""Charidice in English: a wording for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lanplay.engine.question import Message

COLOURS = ("red", "yellow", "green", "blue", "violet", "white")
LETTERS = ("R", "Y", "G", "B", "V", "W")
"""One letter for each colour, shown with the number of a die: ``5R`` is a red five."""

EVENTS = {
    "first": "{seat} begins every round.",
    "round": "--- Round {number} ---",
    "rolls": "{seat}, roll {rolls} ({count} dice): {dice}.",
    "demands": "{seat} demands the greatest gift of {other}.",
    "scores-set": "{seat} scores {dice}: {points} + {bonus}.",
    "gives": "{seat} gives {gift} to {other}.",
    "final": (
        "{seat}: {score} points (dice {points}, bonuses {bonus}, received {received}, "
        "charity {charity}); given {given}."
    ),
    "wins": "With {score} points the game is won by {seats}.",
}

QUESTIONS = {
    "ask-demand": "Do you demand the greatest gift of {seat} after its roll {rolls}?",
    "ask-reroll": "Which dice do you roll again?",
    "ask-score": "Which set do you score?",
}

PROMPTS = {
    "demand": "Greatest gift of {seat}",
    "reroll-dice": "Dice to roll again (none: stop)",
    "score-set": "Set to score",
    "score-dice": "Dice to score",
}

OPTIONS = {
    "die": "{die}",
    "wait": "not now",
    "demand-now": "now: this gift counts double",
    "rolls-again": "rolls {count} dice",
    "stops": "stops and scores",
    "set": "{dice}: {points} + {bonus}, gift {gift}",
    "other-set": "other dice, one by one",
}

REASONS = {
    "malformed": "that is no answer to this question",
    "no-set": "a set is dice that all differ in colour, or at least four of one colour",
}

_WORDINGS = {**EVENTS, **QUESTIONS, **PROMPTS, **OPTIONS, **REASONS}


def die_text(face: Sequence[int]) -> str:
    """Return a face, (number, colour), as its number and the letter of its colour."""
    number, colour = face
    return f"{number}{LETTERS[colour]}"


def dice_text(faces: Iterable[Sequence[int]]) -> str:
    """Return faces, each (number, colour), as numbers with letters."""
    return " ".join(map(die_text, faces))


def word(message: Message, names: Sequence[str]) -> str:
    """Return a message in English, seats by their names; ``KeyError`` for an unknown id."""
    return _WORDINGS[message.id].format_map(_worded(message.values, names))


def _worded(values: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    wordings: dict[str, Callable[[Any], str]] = {
        "seat": lambda seat: names[seat],
        "other": lambda seat: names[seat],
        "seats": lambda seats: ", ".join(names[seat] for seat in seats),
        "dice": dice_text,
        "die": die_text,
    }
    return {key: wordings.get(key, str)(value) for key, value in values.items()}
