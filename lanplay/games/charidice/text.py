"""The words of Charidice: a template for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lanplay.games.wording import Wording, texts_of
from lanplay.language import pgettext

TEXTS = texts_of(__name__)
NOUNS = TEXTS.nouns


def letter(colour: int) -> str:
    """Return the letter of a colour: in every language an ASCII letter, no two alike."""
    letters = (
        pgettext("letter of red", "R"),
        pgettext("letter of yellow", "Y"),
        pgettext("letter of green", "G"),
        pgettext("letter of blue", "B"),
        pgettext("letter of violet", "V"),
        pgettext("letter of white", "W"),
    )
    return letters[colour]


def die_text(face: Sequence[int]) -> str:
    """Return a face, (number, colour), as its number and the letter of its colour."""
    number, colour = face
    return f"{number}{letter(colour)}"


def dice_text(faces: Iterable[Sequence[int]]) -> str:
    """Return faces, each (number, colour), as numbers with letters."""
    return " ".join(map(die_text, faces))


WORDING = Wording(
    TEXTS.templates,
    NOUNS,
    {
        "dice": lambda faces, names: dice_text(faces),
        "die": lambda face, names: die_text(face),
    },
)
word = WORDING.word
