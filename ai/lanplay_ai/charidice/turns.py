"""The best turn there is, whatever its outcomes are worth: exactly, over all rolls.

Turning a roll round shifts all its colours alike (``rolls``), so that rolls and kept states are
looked at once for all six turns: 19,684 of them, by the number of dice that are rolled again. A
kept state is worth the mean over the numbers of one of those dice; the best of a roll is that of
keeping it or of freeing one die more.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

from lanplay.games.charidice.dice import DICE, MASKS, SIDES, Dice
from lanplay.games.charidice.sets import best_sets
from lanplay_ai.charidice.prospects import Outcome
from lanplay_ai.charidice.rolls import turned

_BASE = SIDES + 1
_PLACES = tuple([_BASE ** (DICE - 1 - die) for die in range(DICE)])
_UNSEEN = 0xFFFF
_FREE = tuple([mask.bit_count() for mask in MASKS])
_BY_COUNT = tuple(sorted(MASKS, key=int.bit_count))

Worths = Sequence[float]
Picker = Callable[[Worths], Worths]


@dataclass(frozen=True, slots=True)
class KeptStates:
    """All kept states but for turning, by ``free``: how many dice are rolled again.

    ``place`` has the place of every kept state (a number in base 7, 0 for a die to roll again)
    among those with as many free dice. ``filled[free]`` picks the worths of the states with each
    number on one die that was free, out of those of ``free - 1``; ``freed[free]`` those with each
    die that was kept made free, out of those of ``free + 1``. ``outcomes`` are all there are,
    ``sets`` picks theirs for every different choice of sets, and ``choices`` one of these for every
    roll.
    """

    place: array[int]
    filled: tuple[tuple[Picker, ...], ...]
    freed: tuple[tuple[Picker, ...], ...]
    outcomes: tuple[Outcome, ...]
    sets: tuple[Picker, ...]
    choices: Picker


@cache
def kept_states() -> KeptStates:
    """Return the tables; they take about half a second, once."""
    place, firsts = array("H", [_UNSEEN]) * _BASE**DICE, [array("l") for _ in range(DICE + 1)]
    for number in range(_BASE**DICE):
        if place[number] == _UNSEEN:
            digits = _digits(number)
            alike = firsts[digits.count(0)]
            for step in range(DICE):
                place[_number(digits[step:] + digits[:step])] = len(alike)
            alike.append(number)
    filled, freed = [], []
    for free, numbers in enumerate(firsts):
        fills: list[list[int]] = [[] for _ in range(SIDES if free else 0)]
        frees: list[list[int]] = [[] for _ in range(DICE - free)]
        for number in numbers:
            digits = _digits(number)
            if free:
                unit = _PLACES[digits.index(0)]
                for side, column in enumerate(fills, 1):
                    column.append(place[number + side * unit])
            kept = [die for die in range(DICE) if digits[die]]
            for die, column in zip(kept, frees, strict=True):
                column.append(place[number - digits[die] * _PLACES[die]])
        filled.append(tuple([_picker(column) for column in fills]))
        freed.append(tuple([_picker(column) for column in frees]))
    brought = turned().outcomes
    outcomes = tuple(sorted({outcome for some in brought for outcome in some}))
    at = {outcome: number for number, outcome in enumerate(outcomes)}
    different = {some: number for number, some in enumerate(dict.fromkeys(brought))}
    return KeptStates(
        place,
        tuple(filled),
        tuple(freed),
        outcomes,
        tuple([_picker([at[outcome] for outcome in some]) for some in different]),
        _picker([different[some] for some in brought]),
    )


def _digits(number: int) -> tuple[int, ...]:
    return tuple([number // unit % _BASE for unit in _PLACES])


def _number(digits: Sequence[int]) -> int:
    return sum([digit * unit for digit, unit in zip(digits, _PLACES, strict=True)])


def _picker(places: Sequence[int]) -> Picker:
    if len(places) == 1:
        [place] = places
        return lambda worths: (worths[place],)
    pick: Any = itemgetter(*places)
    return pick  # type: ignore[no-any-return]  # it returns a tuple of those


class BestTurn:
    """A turn whose every outcome, with the gift as the dice say it, has a worth."""

    def __init__(self, worths: Mapping[Outcome, float]) -> None:
        self._worths = worths
        self._kept: dict[int, list[Worths]] = {}

    def kept(self, made: int) -> list[Worths]:
        """Return what kept states of roll ``made`` are worth, by the number of free dice.

        That of roll 0 is all free.
        """
        if made not in self._kept:
            self._kept[made] = means(best(self.kept(made + 1)) if made < 2 else self._sets())
        return self._kept[made]

    def _sets(self) -> Worths:
        states = kept_states()
        worths = [self._worths[outcome] for outcome in states.outcomes]
        return states.choices([max(pick(worths)) for pick in states.sets])

    @property
    def worth(self) -> float:
        """What the turn is worth before its first roll."""
        return self.kept(0)[DICE][0]

    def again(self, dice: Dice, made: int) -> tuple[int, float]:
        """Return the mask of the dice to roll again after roll ``made`` (1 or 2), and its worth.

        Of equal ones it is that which keeps the most dice.
        """
        worths = self.rerolls(dice, made)
        found = max(_BY_COUNT, key=worths.__getitem__)
        return found, worths[found]

    def rerolls(self, dice: Dice, made: int) -> Worths:
        """Return, by mask, what dice to roll again after roll ``made`` (1 or 2) are worth."""
        kept, place = self.kept(made), kept_states().place
        numbers = [0]
        for unit, side in zip(_PLACES, dice, strict=True):
            numbers = [number + side * unit for number in numbers] + numbers
        return [kept[free][place[number]] for free, number in zip(_FREE, numbers, strict=True)]

    def set(self, dice: Dice) -> tuple[int, float]:
        """Return the mask of the best set to score, and its worth."""
        worths = [(self._worths[each.worth, each.gift], each.mask) for each in best_sets(dice)]
        worth, mask = max(worths, key=lambda each: each[0])
        return mask, worth


def means(rolls: Worths) -> list[Worths]:
    """Return what kept states are worth on average, of what all rolls are worth (but for turns)."""
    found = [rolls]
    for filled in kept_states().filled[1:]:
        columns = zip(*[pick(found[-1]) for pick in filled], strict=True)
        found.append([(a + b + c + d + e + f) / SIDES for a, b, c, d, e, f in columns])
    return found


def best(kept: Sequence[Worths]) -> Worths:
    """Return what rolls are worth if the best dice are rolled again, by what that is worth."""
    freed, found = kept_states().freed, kept[DICE]
    for free in reversed(range(DICE)):
        found = list(map(max, kept[free], *[pick(found) for pick in freed[free]]))
    return found
