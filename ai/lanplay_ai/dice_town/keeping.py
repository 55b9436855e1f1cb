"""Which dice to keep, by tables: what every sensible way to keep them adds, less its price.

A location depends on one face alone, so that what dice add to it comes from a table; the Town Hall
comes from a table of whole hands. Dice that go back are worth a little each, whatever they may
bring. Ways that keep more than two different faces at once, or four dice or more of two faces, are
not weighed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import inf
from typing import Final

from lanplay.engine.fast_value import FastValue
from lanplay.games.dice_town.poker import ACE, DICE, FACES, QUEEN
from lanplay.games.dice_town.questions import Keep, price
from lanplay_ai.dice_town.kept import Kept
from lanplay_ai.dice_town.multisets import CODES, multisets
from lanplay_ai.dice_town.odds import TABLES, Additions, contest, place_of
from lanplay_ai.dice_town.profiles import DiceTownProfile
from lanplay_ai.dice_town.stakes import ENOUGH, rests, stakes_of
from lanplay_ai.dice_town.worth import DiceTownView, loot_elsewhere

MIXED: Final = 3
"""Most dice of two faces that are kept together."""

Part = tuple[int, int]
"""A face and how many dice of it are kept."""
Alike = tuple[int, int, int, int]
Mixed = tuple[int, int, int, int, int, int, int]


class Keeps(FastValue):
    """The ways to keep some of up to five dice.

    ``alike`` are those that keep dice of one face, by the face, ``mixed`` those of two faces. A way
    has how many dice it keeps, their number as a multiset, and their places, as bits; and for each
    face the place in ``Additions`` of what its dice add. Keeping none adds as little to a location
    as aces do.
    """

    __slots__: Final = ("alike", "mixed")

    def __init__(self, alike: list[tuple[int, list[Alike]]], mixed: list[Mixed]) -> None:
        self.alike: Final = alike
        self.mixed: Final = mixed


@cache
def keeps(dice: tuple[int, ...], dollars: int) -> Keeps:
    """Return the ways to keep some of the sorted ``dice`` that cost so many dollars at most."""
    alike: dict[int, list[Alike]] = {}
    mixed: list[Mixed] = []
    for way in _ways(dice):
        kept = sum(number for _, number in way)
        if price(kept, 0, "free") > dollars:
            continue
        added = multisets().number[sum(CODES[face] * number for face, number in way)]
        mask = sum(((1 << number) - 1) << dice.index(face) for face, number in way if number)
        parts = [(face, place_of(len(dice) - kept, number)) for face, number in way]
        if len(parts) == 1:
            [(face, at)] = parts
            alike.setdefault(face, []).append((kept, added, mask, at))
        else:
            mixed.append((kept, added, mask, *parts[0], *parts[1]))
    return Keeps(list(alike.items()), mixed)


def _ways(dice: tuple[int, ...]) -> Iterator[tuple[Part, ...]]:
    """Yield the parts of each way; none is a way for the last die alone.

    The first die kept is free, and keeping none costs a dollar.
    """
    parts = [(face, kept) for face in sorted(set(dice)) for kept in range(1, dice.count(face) + 1)]
    if len(dice) == 1:
        yield ((ACE, 0),)
    for face, kept in parts:
        yield ((face, kept),)
        for higher, more in parts:
            if higher > face and kept + more <= MIXED:
                yield (face, kept), (higher, more)


@cache
def subsets(order: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return all choices among some things by the bits that say which are chosen, in order."""
    masks = range(1 << len(order))
    return tuple(tuple([n for at, n in enumerate(order) if mask >> at & 1]) for mask in masks)


class Cup(FastValue):
    """What can be kept of the dice under a cup.

    ``ways`` are the ways to keep some by the dollars that there are, ``places`` the places in the
    cup by the bits of a way; ``queens`` tells whether there are any.
    """

    __slots__: Final = ("places", "queens", "ways")

    def __init__(self, cup: tuple[int, ...]) -> None:
        order = tuple(sorted(range(len(cup)), key=cup.__getitem__))
        dice = tuple([cup[place] for place in order])
        self.places: Final = subsets(order)
        self.queens: Final = QUEEN in dice
        self.ways: Final = _by_dollars(dice)


_CUPS: Final[dict[tuple[int, ...], Cup]] = Kept(Cup)


@cache
def _by_dollars(dice: tuple[int, ...]) -> dict[int, Keeps]:
    most = len(dice)
    return Kept(lambda dollars: keeps(dice, most if dollars == ENOUGH else min(dollars, most)))


def best_keep(
    view: DiceTownView, question: Keep, brutes: int, p: DiceTownProfile
) -> tuple[tuple[int, ...], float]:
    """Return the places of the dice with the greatest worth that can be paid for, and the worth."""
    t, seat, cup = view.table, view.seat, _CUPS[view.cup]
    stakes, now = stakes_of(p, t), contest(t.dice)
    share, sums, hall = now.shares[seat], now.sums, stakes.hall
    own, joined = share.own, share.joined
    scales = stakes.looting if cup.queens and loot_elsewhere(t, seat) else stakes.scales
    tables = TABLES[seat == t.sheriff]
    dollars = question.dollars if question.dollars < DICE else ENOUGH
    prices = rests(p.freedom, stakes.dollar, brutes, question.option) if brutes else stakes.rests
    rest = prices[len(view.cup)][dollars]
    ways = cup.ways[ENOUGH if brutes else dollars]
    rows: list[Additions] = [rest] * FACES
    most, choice = -inf, 0
    for face, alike in ways.alike:
        scale = scales[face]
        rows[face] = row = tables[face][sums[face] - own[face]]
        for kept, added, mask, at in alike:
            worth = rest[kept] + scale * row[at] + hall[joined[added]]
            if worth > most:
                most, choice = worth, mask
    for kept, added, mask, face, at, higher, more in ways.mixed:
        worth = (
            rest[kept]
            + scales[face] * rows[face][at]
            + scales[higher] * rows[higher][more]
            + hall[joined[added]]
        )
        if worth > most:
            most, choice = worth, mask
    return cup.places[choice], most
