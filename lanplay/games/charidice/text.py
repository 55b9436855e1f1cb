"""The words of Charidice: a template for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lanplay.games.wording import Wording, seat_name, seat_names
from lanplay.language import N_, Plural, _, pgettext

COLOURS = (N_("red"), N_("yellow"), N_("green"), N_("blue"), N_("violet"), N_("white"))

NOUNS = {
    "dice": Plural("{count} die", "{count} dice"),
    "points": Plural("{count} point", "{count} points"),
}

EVENTS = {
    "first": N_("{seat} begins every round."),
    "round": N_("--- Round {number} ---"),
    "rolls": N_("{seat} rolls {count:dice} ({rolls} of 3): {dice}."),
    "demands": N_("{seat} demands the greatest gift of {other}."),
    "scores-set": N_("{seat} scores {dice}: {points:points}, and {bonus} as a bonus."),
    "scores-set/none": N_("{seat} scores {dice}: {points:points}."),
    "gives": N_("Gift of {seat} to {other}: {gift:points}."),
    "gives/none": N_("{seat} has no gift for {other}."),
    "final": N_(
        "{seat}: {score:points} (dice {points}, bonuses {bonus}, received {received}, "
        "charity {charity}; given {given})."
    ),
    "wins": N_("Most points, {score}: {seats}."),
}

QUESTIONS = {
    "ask-demand": N_("Do you demand the greatest gift now? It is the turn of {seat}."),
    "ask-reroll": N_("Which dice do you roll again?"),
    "ask-score": N_("Which set do you score?"),
    "ask-score-dice": N_("Which dice do you score?"),
}

PROMPTS = {
    "demand": N_("Greatest gift"),
    "reroll-dice": N_("Dice to roll again (none: stop)"),
    "score-set": N_("Set to score"),
    "score-dice": N_("Dice to score"),
}

OPTIONS = {
    "die": "{die}",
    "wait": N_("not now"),
    "demand-now": N_("now: this gift counts double"),
    "rolls-again": N_("rolls {count:dice}"),
    "stops": N_("stops and scores"),
    "set": N_("{dice}: {points:points}, bonus {bonus}, gift {gift}"),
    "set/none": N_("{dice}: {points:points}, gift {gift}"),
    "other-set": N_("other dice, one by one"),
}

REASONS = {
    "malformed": N_("that is no answer to this question"),
    "no-set": N_("a set is dice that all differ in colour, or at least four of one colour"),
}


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


def colour_name(colour: int) -> str:
    """Return the name of a colour."""
    return _(COLOURS[colour])


def die_text(face: Sequence[int]) -> str:
    """Return a face, (number, colour), as its number and the letter of its colour."""
    number, colour = face
    return f"{number}{letter(colour)}"


def dice_text(faces: Iterable[Sequence[int]]) -> str:
    """Return faces, each (number, colour), as numbers with letters."""
    return " ".join(map(die_text, faces))


WORDING = Wording(
    {**EVENTS, **QUESTIONS, **PROMPTS, **OPTIONS, **REASONS},
    NOUNS,
    {
        "seat": seat_name,
        "other": seat_name,
        "seats": seat_names,
        "dice": lambda faces, names: dice_text(faces),
        "die": lambda face, names: die_text(face),
    },
)
word = WORDING.word
