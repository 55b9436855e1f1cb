"""The one question of Liar's Dice."""

from __future__ import annotations

from typing import Any

from lanplay.engine.question import Answer, Dialogue, Illegal, Option, Phrase, Pick, Question
from lanplay.engine.view import View
from liars_dice.table import FACES

CALL = 0


class Bid(Question):
    """Bid more than ``last``, of ``total`` dice in all (LD-2.1), or call the last bid (0)."""

    __slots__ = ("last", "total")

    name = "bid"
    rule = "LD-2.1"
    needs_cup = False  # no answer shows a die: who plays for somebody who is gone need not see them

    def __init__(self, last: int, total: int) -> None:
        self.last = last
        self.total = total

    def check(self, answer: Answer) -> None:
        if answer == CALL and type(answer) is int and self.last:
            return
        if type(answer) is not int or not FACES <= answer < (self.total + 1) * FACES:
            raise Illegal(self.rule, "malformed")
        if answer <= self.last:
            raise Illegal(self.rule, "too-low", bid=self.last)

    def dialogue(self, view: View[Any]) -> Dialogue:
        least = max(FACES, self.last + 1)
        counts = [
            Option(n, Phrase("count", {"count": n})) for n in range(least // FACES, self.total + 1)
        ]
        call = [Option(CALL, Phrase("call", {"bid": self.last}))] if self.last else []
        count = yield Pick(Phrase("how-many"), [*call, *counts])
        if count == CALL:
            return CALL
        faces = range(max(0, least - count * FACES), FACES)
        face = yield Pick(Phrase("which"), [Option(f, Phrase("face", {"face": f})) for f in faces])
        return count * FACES + face

    def path(self, view: View[Any], answer: Any) -> tuple[Answer, ...]:
        return (CALL,) if answer == CALL else divmod(answer, FACES)

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell that a call is: it ends the round."""
        return answer == CALL

    def values(self) -> dict[str, Any]:
        return {"bid": self.last, "total": self.total}
