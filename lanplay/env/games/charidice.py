"""Charidice for programs that learn: what is seen of it, and the actions."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Final

from lanplay.env.catalog import Catalog, subset
from lanplay.env.declared import Choice, Declared, Steps
from lanplay.env.places import FLAG, MANY, ASeat, Bits, BySeat, OneOf, Several, Whole
from lanplay.games.charidice.dice import DICE, MASKS, NUMBERS, Dice, colours
from lanplay.games.charidice.questions import Demand, Reroll, Score
from lanplay.games.charidice.rules import GREAT_CHARITY, ROLLS
from lanplay.games.charidice.sets import EQUAL_NUMBERS, LEAST_OF_ONE_COLOUR, MOST_GIFT, RUNS
from lanplay.games.charidice.table import ROUNDS, CharidiceTable

MOST: Final = 4
_NAMES: Final = [f"die {place + 1}" for place in range(DICE)]
CATALOG: Final = Catalog(
    {
        "demand": ["do not demand the gift", "demand the greatest gift"],
        "reroll": ["stop", *[f"roll again: {subset(_NAMES, mask)}" for mask in MASKS[1:]]],
        "score": [f"score: {subset(_NAMES, mask)}" for mask in MASKS[1:]],
    }
)
_DEMAND, _REROLL, _SCORE = CATALOG.start.values()
_WAYS: Final = range(_DEMAND, _DEMAND + 2)
_REROLLS: Final = range(_REROLL, _REROLL + len(MASKS))


def _demand(choice: Choice) -> Steps:
    return (yield _WAYS) - _DEMAND


def _reroll(choice: Choice) -> Steps:
    return (yield _REROLLS) - _REROLL


def _score(choice: Choice) -> Steps:
    question: Score = choice.question  # type: ignore[assignment]  # it is asked for no other
    return (yield _sets(question.dice)) - _SCORE + 1


@lru_cache(1 << 16)
def _sets(dice: Dice) -> tuple[int, ...]:
    """Return the actions that score a set of a roll: of different colours, or of one (CH-2.2)."""
    groups: dict[int, list[int]] = {}
    for place, shown in enumerate(colours(dice)):
        groups.setdefault(shown, []).append(1 << place)
    masks = [0]
    for group in groups.values():
        masks += [mask | die for mask in masks for die in group]
    for group in groups.values():
        for count in range(LEAST_OF_ONE_COLOUR, len(group) + 1):
            masks += map(sum, combinations(group, count))
    return tuple([_SCORE + mask - 1 for mask in sorted(masks) if mask])


def _entries(most: int) -> BySeat:
    rounds = [f"round {number + 1}" for number in range(ROUNDS)]
    return BySeat(Several(Whole(most), rounds, opens=True), MOST)


DECLARED: Final = Declared(
    table=CharidiceTable,
    seats=MOST,
    catalog=CATALOG,
    steps={Demand: _demand, Reroll: _reroll, Score: _score},
    fields={
        "round": OneOf(range(ROUNDS + 1)),
        "first": ASeat(MOST),
        "active": ASeat(MOST),
        "rolls": OneOf(range(ROLLS + 1)),
        "rolled": Bits(_NAMES),
        "demanded": FLAG,
        "dice": Several(OneOf(NUMBERS), _NAMES),
        "greatest": BySeat(FLAG, MOST),
        "points": _entries(DICE * max(NUMBERS)),
        "bonuses": _entries(max(*RUNS.values(), *EQUAL_NUMBERS.values())),
        "received": _entries(2 * MOST_GIFT),
        "given": _entries(2 * MOST_GIFT),
        "charity": BySeat(Whole(GREAT_CHARITY), MOST, opens=True),
        "scores": BySeat(Whole(MANY), MOST, opens=True),
    },
)
