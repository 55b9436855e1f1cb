"""Runs a part of the rules with scripted dice and answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from lanplay.engine.requests import Choose, OpenRoll, Round
from lanplay.games import load
from lanplay.games.charidice import questions as q
from lanplay.games.charidice.dice import DICE, MASKS
from lanplay.games.charidice.sets import dice_set

GAME = load("charidice")

DEFAULTS = {q.Demand: 0, q.Reroll: 0, q.Score: 1}
"""Nobody demands, nobody rolls again, the first die is scored."""


def new_table(seats=3, first=0):
    """Return a table in round 1 whose first seat is drawn."""
    t = GAME.table(seats, {})
    t.first = first
    t.round = 1
    t.log = []
    return t


def all_sets(dice):
    """Return every set of a roll that may be scored."""
    return [each for mask in MASKS if (each := dice_set(dice, mask)) is not None]


def faces(text):
    """Return the faces that an open roll shows, from numbers: ``"611"``."""
    return tuple(int(number) - 1 for number in text)


@dataclass
class Script:
    """``rolls`` are dice as numbers, in order; later ones are all ones.

    ``answers[Question class]`` is a list of answers in order, or a function of (seat, question);
    what is not scripted is a default.
    """

    rolls: list = field(default_factory=list)
    answers: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)
    requests: list = field(default_factory=list)

    def run(self, part):
        answer = None
        while True:
            try:
                request = part.send(answer)
            except StopIteration:
                return self
            self.requests.append(request)
            answer = self._answer(request)

    def questions(self, kind):
        """Return (seat, question) of one kind, in the order asked."""
        return [(seat, each) for seat, each in self.asked if isinstance(each, kind)]

    def _answer(self, request):
        match request:
            case Choose(questions=questions):
                return {seat: self._ask(seat, question) for seat, question in questions.items()}
            case OpenRoll(count=count, sides=sides):
                if sides != DICE:
                    return (0,) * count
                rolled = faces(self.rolls.pop(0)) if self.rolls else (0,) * count
                assert len(rolled) == count
                return rolled
            case Round():
                return None
        raise AssertionError(f"Charidice never asks {request}")

    def _ask(self, seat, question):
        self.asked.append((seat, question))
        scripted = self.answers.get(type(question), [])
        if callable(scripted):
            answer = scripted(seat, question)
        else:
            answer = scripted.pop(0) if scripted else DEFAULTS[type(question)]
        question.check(answer)
        return answer


def run(part, rolls=(), **answers):
    """Run a part of the rules; ``demand``, ``reroll`` and ``score`` are answers (see Script)."""
    kinds = {"demand": q.Demand, "reroll": q.Reroll, "score": q.Score}
    scripted = {kinds[name]: given for name, given in answers.items()}
    return Script(list(rolls), scripted).run(part)
