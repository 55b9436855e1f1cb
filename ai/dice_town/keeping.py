"""Which dice to keep, by tables: what every sensible way to keep them adds, less its price.

A location depends on one face alone, so that what dice add to it comes from a table; the Town Hall
comes from a table of whole hands. Dice that go back are worth a little each, whatever they may
bring. Ways that keep more than two different faces at once, or four dice or more of two faces, are
not weighed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ai.dice_town.multisets import CODES
from ai.dice_town.odds import contest, hall_worths
from ai.dice_town.profiles import Profile
from ai.dice_town.worth import DiceTownView, dice_price, row_worth, scales
from lanplay.games.dice_town.poker import DICE
from lanplay.games.dice_town.questions import Keep, price

MIXED = 3
"""Most dice of two faces that are kept together."""

Part = tuple[int, int]
"""A face and how many dice of it are kept."""
Way = tuple[tuple[int, ...], int, int, int]
"""Places of dice kept, the numbers of the one or two parts kept (see ``keeps``), and their code."""
Keeps = tuple[tuple[int, tuple[Part, ...], tuple[Way, ...]], ...]


@cache
def keeps(dice: tuple[int, ...]) -> Keeps:
    """Return the ways to keep some of the sorted ``dice``: how many are kept, parts, and ways.

    A way keeps none, one or two of these parts, numbered from 1 (0 is none), of different faces.
    """
    faces = sorted(set(dice))
    every = [(face, kept) for face in faces for kept in range(1, dice.count(face) + 1)]
    found: list[list[tuple[Part, ...]]] = [[] for _ in range(len(dice) + 1)]
    for way in _ways(dict(enumerate(every, 1))):
        kept = tuple(every[number - 1] for number in way if number)
        found[sum(number for _, number in kept)].append(kept)
    return tuple((number, *_numbered(dice, ways)) for number, ways in enumerate(found) if ways)


def _numbered(
    dice: tuple[int, ...], ways: list[tuple[Part, ...]]
) -> tuple[tuple[Part, ...], tuple[Way, ...]]:
    """Return the parts of some ways, and the ways by the numbers of their parts."""
    parts = sorted({part for way in ways for part in way})
    found = []
    for way in ways:
        places = [dice.index(face) + n for face, kept in way for n in range(kept)]
        one, other = [parts.index(part) + 1 for part in way] + [0] * (2 - len(way))
        found.append((tuple(places), one, other, sum(CODES[face] * kept for face, kept in way)))
    return tuple(parts), tuple(found)


@cache
def _sorted(cup: tuple[int, ...]) -> tuple[list[int], Keeps]:
    """Return the places of a cup's dice from the lowest up, and the ways to keep some of them."""
    order = sorted(range(len(cup)), key=cup.__getitem__)
    return order, keeps(tuple([cup[place] for place in order]))


def _ways(parts: dict[int, tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the parts of each way; none is a way for the last die alone.

    The first die kept is free, and keeping none costs a dollar.
    """
    if len(parts) == 1:
        yield 0, 0
    for one, (face, kept) in parts.items():
        yield one, 0
        for other, (higher, more) in parts.items():
            if higher > face and kept + more <= MIXED:
                yield one, other


@cache
def prices(brutes: int, option: str) -> tuple[int, ...]:
    """Return what keeping 0 to 5 dice costs with so many Brutes, in $."""
    return tuple(price(kept, brutes, option) for kept in range(DICE + 1))


def best_keep(
    view: DiceTownView, question: Keep, brutes: int, p: Profile
) -> tuple[tuple[int, ...], float]:
    """Return the places of the dice with the greatest worth that can be paid for, and the worth."""
    t, seat, cup = view.table, view.seat, view.cup
    rows, held = contest(tuple(t.dice), t.sheriff)[seat]
    scale = scales(t, seat, p)
    hall = hall_worths(t.seats - 1, row_worth(t, p))
    order, by_number = _sorted(cup)
    dollar = dice_price(t, p)
    costs, dollars = prices(brutes, question.option), question.dollars
    best = float("-inf")
    choice: tuple[int, ...] = (0,)
    for number, parts, ways in by_number:
        cost = costs[number]
        if cost > dollars:
            continue
        left = len(cup) - number
        worth = p.freedom * left - dollar * cost
        gains = [0.0, *[scale[face] * rows[face][left][more] for face, more in parts]]
        for places, one, other, code in ways:
            total = worth + gains[one] + gains[other] + hall[held + code]
            if total > best:
                best, choice = total, places
    return tuple([order[place] for place in choice]), best
