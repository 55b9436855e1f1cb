"""Which dice to keep, by tables: what every sensible way to keep them adds, less its price.

A location depends on one face alone, so that what dice add to it comes from a table; the Town Hall
comes from a table of whole hands. Dice that go back are worth a little each, whatever they may
bring. Ways that keep more than two different faces at once, or four dice or more of two faces, are
not weighed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import inf
from typing import Final, NamedTuple

from ai.dice_town.multisets import CODES
from ai.dice_town.odds import TABLES, Additions, contest, hall_worths, place_of
from ai.dice_town.profiles import Profile
from ai.dice_town.worth import SCALES, DiceTownView, dice_price, loot_elsewhere, row_worth
from lanplay.games.dice_town.poker import ACE, DICE, FACES, QUEEN
from lanplay.games.dice_town.questions import Keep, price
from lanplay.games.dice_town.table import DiceTownTable

MIXED: Final = 3
"""Most dice of two faces that are kept together."""

Part = tuple[int, int]
"""A face and how many dice of it are kept."""


class Keeps(NamedTuple):
    """The ways to keep some of up to five dice.

    ``alike`` are those that keep dice of one face, by the face, ``mixed`` those of two faces. A way
    has how many dice it keeps, their code, and their places, as bits; and for each face the place
    in ``Additions`` of what its dice add. Keeping none adds as little to a location as aces do.
    """

    alike: tuple[tuple[int, tuple[tuple[int, int, int, int], ...]], ...]
    mixed: tuple[tuple[int, int, int, int, int, int, int], ...]


@cache
def keeps(dice: tuple[int, ...], dollars: int) -> Keeps:
    """Return the ways to keep some of the sorted ``dice`` that cost so many dollars at most."""
    alike: dict[int, list[tuple[int, int, int, int]]] = {}
    mixed = []
    for way in _ways(dice):
        kept = sum(number for _, number in way)
        if price(kept, 0, "free") > dollars:
            continue
        code = sum(CODES[face] * number for face, number in way)
        mask = sum(((1 << number) - 1) << dice.index(face) for face, number in way if number)
        parts = [(face, place_of(len(dice) - kept, number)) for face, number in way]
        if len(parts) == 1:
            [(face, at)] = parts
            alike.setdefault(face, []).append((kept, code, mask, at))
        else:
            mixed.append((kept, code, mask, *parts[0], *parts[1]))
    return Keeps(tuple((face, tuple(ways)) for face, ways in alike.items()), tuple(mixed))


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


@cache
def _sorted(cup: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], ...], list[Keeps]]:
    """Return the subsets of a cup's places from the lowest die up; the ways to keep, by dollars."""
    order = tuple(sorted(range(len(cup)), key=cup.__getitem__))
    dice = tuple([cup[place] for place in order])
    return subsets(order), _by_dollars(dice)


@cache
def _by_dollars(dice: tuple[int, ...]) -> list[Keeps]:
    return [keeps(dice, min(dollars, len(dice))) for dollars in range(DICE + 1)]


Rests = tuple[tuple[tuple[float, ...], ...], ...]
"""What the dice that go back are worth less the price, by dice under the cup, dollars and kept."""
ENOUGH: Final = -1
"""The place in ``Rests`` of dollars enough for any dice."""


@lru_cache(maxsize=256)
def rests(freedom: float, dollar: float, brutes: int, option: str) -> Rests:
    """Return what rests are worth where a die that goes back and a dollar are worth so much."""
    return tuple(
        tuple(
            tuple(
                freedom * (dice - kept) - dollar * cost if cost <= dollars else -inf
                for kept in range(dice + 1)
                for cost in [price(kept, brutes, option)]
            )
            for dollars in range(DICE + 1)
        )
        for dice in range(DICE + 1)
    )


class Stakes(NamedTuple):
    """What keeping dice is about, alike in all rolls of a round.

    ``scales`` are those of the locations, without and with loot for the seat. ``hall`` is what the
    Town Hall is worth by the code of the dice, ``dollar`` what a dollar for dice is, ``rests`` what
    rests are without Brutes.
    """

    scales: tuple[tuple[float, ...], tuple[float, ...]]
    hall: dict[int, float]
    dollar: float
    rests: Rests


@lru_cache(maxsize=16)
def _stakes(p: Profile, t: DiceTownTable, rounds: int, sold_out: bool) -> Stakes:
    """Return the stakes of a game's round ``rounds``.

    Nothing that they depend on changes while dice are kept, but whether the Store is sold out.
    """
    mine, bank, store, saloon, badge = [each(t, p) for each in SCALES]
    if sold_out:
        store = 0.0
    dollar = dice_price(t, p)
    return Stakes(
        ((mine, bank, store, 0.0, badge, 0.0), (mine, bank, store, saloon, badge, 0.0)),
        hall_worths(t.seats - 1, row_worth(t, p)),
        dollar,
        rests(p.freedom, dollar, 0, "free"),
    )


def best_keep(
    view: DiceTownView, question: Keep, brutes: int, p: Profile
) -> tuple[tuple[int, ...], float]:
    """Return the places of the dice with the greatest worth that can be paid for, and the worth."""
    t, seat, cup = view.table, view.seat, view.cup
    sold_out = not (t.deck or t.discards)
    either, hall, dollar, prices = _stakes(p, t, t.round, sold_out)
    scales = either[QUEEN in cup and loot_elsewhere(t, seat)]
    if brutes:
        prices = rests(p.freedom, dollar, brutes, question.option)
    dollars = question.dollars if question.dollars < DICE else ENOUGH
    rest = prices[len(cup)][dollars]
    sums, shares = contest(tuple(t.dice))
    own, held, _ = shares[seat]
    tables = TABLES[seat == t.sheriff]
    places, ways_to_keep = _sorted(cup)
    alike, mixed = ways_to_keep[ENOUGH if brutes else dollars]
    rows: list[Additions] = [()] * FACES
    most, choice = -inf, 0
    for face, ways in alike:
        scale = scales[face]
        rows[face] = row = tables[face][sums[face] - own[face]]
        for number, code, mask, at in ways:
            worth = rest[number] + scale * row[at] + hall[held + code]
            if worth > most:
                most, choice = worth, mask
    for number, code, mask, face, at, higher, more in mixed:
        worth = (
            rest[number]
            + scales[face] * rows[face][at]
            + scales[higher] * rows[higher][more]
            + hall[held + code]
        )
        if worth > most:
            most, choice = worth, mask
    return places[choice], most
