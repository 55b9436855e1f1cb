"""Everything that Charidice asks a seat, one frozen value per kind of question."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from lanplay.engine.question import (
    Answer,
    ChoiceQuestion,
    Dialogue,
    Illegal,
    Option,
    Phrase,
    Pick,
    PickSome,
    WordedLater,
)
from lanplay.engine.view import View
from lanplay.games.charidice.dice import ALL, DICE, PLACES, Dice, faces, mask_of
from lanplay.games.charidice.sets import DiceSet, best_sets, dice_set
from lanplay.games.charidice.table import CharidiceTable

CharidiceView = View[CharidiceTable]
OWN_CHOICE = 0
"""The option to pick the dice of a set one by one."""


def _die_options(dice: Dice) -> WordedLater:
    return WordedLater(PLACES[ALL], lambda place: Phrase("die", {"die": faces(dice)[place]}))


def _mask(answer: Answer, rule: str) -> int:
    if type(answer) is int and 0 <= answer <= ALL:
        return answer
    raise Illegal(rule, "malformed")


class Demand(ChoiceQuestion):
    """Demand the greatest gift of ``giver``, whose roll is ``dice`` (CH-3.2): 1 for yes, 0 for no.

    ``rolls`` says whether this is its first or its second roll.
    """

    __slots__: Final = ("giver", "dice", "rolls")

    name: ClassVar[str] = "demand"
    rule: ClassVar[str] = "CH-3.2"
    needs_cup: ClassVar[bool] = False

    def __init__(self, giver: int, dice: Dice, rolls: int) -> None:
        self.giver: Final = giver
        self.dice: Final = dice
        self.rolls: Final = rolls

    def check(self, answer: Answer) -> None:
        if type(answer) is not int or answer not in (0, 1):
            raise Illegal(self.rule, "malformed")

    def default_answer(self) -> tuple[Answer]:
        """Return that nothing is demanded."""
        return (0,)

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell that a demand is: there is one in a game (CH-3.2)."""
        return answer == 1

    def dialogue(self, view: CharidiceView) -> Dialogue:
        options = [Option(0, Phrase("wait")), Option(1, Phrase("demand-now"))]
        answer: Answer = yield Pick(Phrase("demand", {"seat": self.giver}), options)
        return answer

    def values(self) -> dict[str, Any]:
        return {"seat": self.giver, "dice": faces(self.dice), "rolls": self.rolls}


class Reroll(ChoiceQuestion):
    """Roll some dice again (CH-2.1): their mask, 0 to stop."""

    __slots__: Final = ("dice", "rolls")

    name: ClassVar[str] = "reroll"
    rule: ClassVar[str] = "CH-2.1"
    needs_cup: ClassVar[bool] = False

    def __init__(self, dice: Dice, rolls: int) -> None:
        self.dice: Final = dice
        self.rolls: Final = rolls

    def check(self, answer: Answer) -> None:
        _mask(answer, self.rule)

    def default_answer(self) -> tuple[Answer]:
        """Return that nothing is rolled again."""
        return (0,)

    def path(self, view: CharidiceView, answer: Any) -> tuple[Answer, ...]:
        return (PLACES[answer],)

    def dialogue(self, view: CharidiceView) -> Dialogue:
        options = _die_options(self.dice)
        chosen = yield PickSome(Phrase("reroll-dice"), options, 0, DICE, note=_rolls_or_stops)
        return mask_of(chosen)

    def values(self) -> dict[str, Any]:
        return {"dice": faces(self.dice), "rolls": self.rolls}


def _rolls_or_stops(chosen: tuple[Answer, ...]) -> Phrase:
    return Phrase("rolls-again", {"count": len(chosen)}) if chosen else Phrase("stops")


class Score(ChoiceQuestion):
    """Score a set of the last roll (CH-2.2): the mask of its dice. Any single die is a set.

    The dialogue offers a best set for every gift there can be, with what it brings, then any dice
    one by one. ``factor`` is what the gift is multiplied by: 2 if it is the greatest one (CH-3.2),
    otherwise 1.
    """

    __slots__: Final = ("dice", "factor")

    name: ClassVar[str] = "score"
    rule: ClassVar[str] = "CH-2.2"
    needs_cup: ClassVar[bool] = False

    def __init__(self, dice: Dice, factor: int) -> None:
        self.dice: Final = dice
        self.factor: Final = factor

    def check(self, answer: Answer) -> None:
        if dice_set(self.dice, _mask(answer, self.rule)) is None:
            raise Illegal(self.rule, "no-set")

    def default_answer(self) -> tuple[Answer]:
        """Return the first of the sets that are offered."""
        return (next(each.mask for each in best_sets(self.dice)),)

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell that a set is with which the greatest gift is given (CH-3.2)."""
        return self.factor > 1

    def path(self, view: CharidiceView, answer: Any) -> tuple[Answer, ...]:
        offered = any(each.mask == answer for each in best_sets(self.dice))
        return (answer,) if offered else (OWN_CHOICE, PLACES[answer])

    def dialogue(self, view: CharidiceView) -> Dialogue:
        offered = {each.mask: each for each in best_sets(self.dice)}

        def word(mask: int) -> Phrase:
            return Phrase("other-set") if mask == OWN_CHOICE else self.label(offered[mask])

        sets = WordedLater((*offered, OWN_CHOICE), word)
        mask: Answer = yield Pick(Phrase("score-set"), sets)
        if mask != OWN_CHOICE:
            return mask
        options = _die_options(self.dice)
        chosen = yield PickSome(
            Phrase("score-dice"),
            options,
            1,
            DICE,
            self._why_not,
            self._brings,
            Phrase("ask-score-dice"),
        )
        return mask_of(chosen)

    def label(self, each: DiceSet) -> Phrase:
        """Return the wording of a set: its dice, points, bonus and gift."""
        return Phrase(
            "set",
            {
                "dice": faces(self.dice, each.mask),
                "points": each.points,
                "bonus": each.bonus,
                "gift": each.gift * self.factor,
            },
        )

    def _why_not(self, chosen: tuple[Answer, ...]) -> Illegal | None:
        found = dice_set(self.dice, mask_of(chosen))  # type: ignore[arg-type]  # places
        return Illegal(self.rule, "no-set") if found is None else None

    def _brings(self, chosen: tuple[Answer, ...]) -> Phrase | None:
        found = dice_set(self.dice, mask_of(chosen))  # type: ignore[arg-type]  # places
        return None if found is None else self.label(found)

    def values(self) -> dict[str, Any]:
        return {"dice": faces(self.dice)}
