"""Which dice to keep, by tables: what every sensible way to keep them adds, less its price.

A location depends on one face alone, so that what dice add to it comes from a table; the Town Hall
comes from a table of whole hands. Dice that go back are worth a little each, whatever they may
bring. Ways that keep more than two different faces at once, or four dice or more of two faces, are
not weighed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from ai.dice_town.multisets import CODES
from ai.dice_town.odds import contest, hall_worths, place_of
from ai.dice_town.profiles import Profile
from ai.dice_town.worth import DiceTownView, Scales, dice_price, row_worth, scales
from lanplay.games.dice_town.questions import Keep, price
from lanplay.games.dice_town.table import DiceTownTable

MIXED = 3
"""Most dice of two faces that are kept together."""

Part = tuple[int, int]
"""A face and how many dice of it are kept."""


class Keeps(NamedTuple):
    """The ways to keep some of up to five dice, those that keep fewer first.

    A way keeps none, one or two ``parts``: dice of one face. ``ways`` has how many dice it keeps,
    the numbers of its two parts (from 1; 0 is none) and the code of the dice; ``places`` has the
    places of the dice. A part is given by its face and its place in ``Additions``.
    """

    parts: tuple[tuple[int, int], ...]
    ways: tuple[tuple[int, int, int, int], ...]
    places: tuple[tuple[int, ...], ...]


@cache
def keeps(dice: tuple[int, ...]) -> Keeps:
    """Return the ways to keep some of the sorted ``dice``."""
    parts: dict[tuple[int, int], int] = {}
    ways, places = [], []
    for way in sorted(_ways(dice), key=lambda each: sum(kept for _, kept in each)):
        number = sum(kept for _, kept in way)
        left = len(dice) - number
        chosen = [(face, place_of(left, kept)) for face, kept in way]
        one, other = [parts.setdefault(part, len(parts) + 1) for part in chosen] + [0] * (
            2 - len(way)
        )
        ways.append((number, one, other, sum(CODES[face] * kept for face, kept in way)))
        places.append(tuple(dice.index(face) + n for face, kept in way for n in range(kept)))
    return Keeps(tuple(parts), tuple(ways), tuple(places))


def _ways(dice: tuple[int, ...]) -> Iterator[tuple[Part, ...]]:
    """Yield the parts of each way; none is a way for the last die alone.

    The first die kept is free, and keeping none costs a dollar.
    """
    parts = [(face, kept) for face in sorted(set(dice)) for kept in range(1, dice.count(face) + 1)]
    if len(dice) == 1:
        yield ()
    for face, kept in parts:
        yield ((face, kept),)
        for higher, more in parts:
            if higher > face and kept + more <= MIXED:
                yield (face, kept), (higher, more)


@cache
def _sorted(cup: tuple[int, ...]) -> tuple[list[int], Keeps]:
    """Return the places of a cup's dice from the lowest up, and the ways to keep some of them."""
    order = sorted(range(len(cup)), key=cup.__getitem__)
    return order, keeps(tuple([cup[place] for place in order]))


@lru_cache(maxsize=4096)
def _rests(
    dice: int, dollars: int, brutes: int, option: str, dollar: float, freedom: float
) -> tuple[float, ...]:
    """Return what the dice that go back are worth less the price, by how many are kept."""
    costs = [price(kept, brutes, option) for kept in range(dice + 1)]
    return tuple(
        freedom * (dice - kept) - dollar * cost if cost <= dollars else float("-inf")
        for kept, cost in enumerate(costs)
    )


Stakes = tuple[Scales, Mapping[int, float], float]
"""What the locations are worth, the Town Hall by the code of the dice, and a dollar for dice."""


def _stakes(t: DiceTownTable, seat: int, p: Profile) -> Stakes:
    hall = hall_worths(t.seats - 1, row_worth(t, p))
    return scales(t, seat, p), hall, dice_price(t, p)


def best_keep(
    view: DiceTownView, question: Keep, brutes: int, p: Profile
) -> tuple[tuple[int, ...], float]:
    """Return the places of the dice with the greatest worth that can be paid for, and the worth."""
    t, seat, cup = view.table, view.seat, view.cup
    rows, held = contest(tuple(t.dice), t.sheriff)[seat]
    scale, hall, dollar = _stakes(t, seat, p)
    order, (parts, ways, places) = _sorted(cup)
    rest = _rests(len(cup), question.dollars, brutes, question.option, dollar, p.freedom)
    gains = [0.0, *[scale[face] * rows[face][at] for face, at in parts]]
    worths = [
        rest[number] + gains[one] + gains[other] + hall[held + code]
        for number, one, other, code in ways
    ]
    best = max(worths)
    return tuple([order[place] for place in places[worths.index(best)]]), best
