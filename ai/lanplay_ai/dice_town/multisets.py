"""Multisets of up to five poker dice, numbered once and for all, and how they grow by rolling."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from lanplay.engine.fast_value import FastValue
from lanplay.games.dice_town.poker import DICE, FACES, rank

CODES: Final[tuple[int, ...]] = tuple(6**face for face in range(FACES))
"""What a die of each face adds to the code of a multiset: the code names it, whatever its order."""


class Multisets(FastValue):
    """All 462 multisets of up to five dice, smaller ones first.

    ``faces``, ``counts`` (by face) and ``grown`` (the number of the multiset with one die more, by
    face; empty for five dice) are by number; ``number`` is by code. ``first[n]`` is the number of
    the first one with n dice.
    """

    __slots__: Final = ("faces", "counts", "grown", "number", "first")

    def __init__(
        self,
        faces: list[tuple[int, ...]],
        counts: list[tuple[int, ...]],
        grown: list[tuple[int, ...]],
        number: dict[int, int],
        first: list[int],
    ) -> None:
        self.faces: Final = faces
        self.counts: Final = counts
        self.grown: Final = grown
        self.number: Final = number
        self.first: Final = first


def code(faces: tuple[int, ...]) -> int:
    """Return the code of dice."""
    return sum(CODES[face] for face in faces)


@cache
def multisets() -> Multisets:
    """Return the tables."""
    every: list[tuple[int, ...]] = []
    first = []
    for size in range(DICE + 1):
        first.append(len(every))
        every += combinations_with_replacement(range(FACES), size)
    codes = [*map(code, every)]
    number = {one: place for place, one in enumerate(codes)}
    grown = [
        tuple([number[one + more] for more in CODES]) if len(faces) < DICE else ()
        for one, faces in zip(codes, every, strict=True)
    ]
    counts = [tuple(map(faces.count, range(FACES))) for faces in every]
    return Multisets(every, counts, grown, number, first)


@cache
def reachable(number: int) -> tuple[tuple[int, ...], ...]:
    """Return the multisets that contain this one, itself included, by the dice added (0 to …)."""
    grown = multisets().grown
    layers: list[tuple[int, ...]] = [(number,)]
    for _ in range(DICE - len(multisets().faces[number])):
        layers.append(tuple(sorted({more for each in layers[-1] for more in grown[each]})))
    return tuple(layers)


@cache
def joined() -> list[list[int]]:
    """Return the number of two multisets together, five dice at most: by the number of each."""
    tables = multisets()
    codes = list(map(code, tables.faces))
    ends = (*tables.first[1:], len(codes))
    return [
        [tables.number[one + more] for more in codes[: ends[DICE - len(faces)]]]
        for one, faces in zip(codes, tables.faces, strict=True)
    ]


@cache
def ranking() -> tuple[int, ...]:
    """Return the place of every hand of five among all hands, the weakest 0, in their order."""
    tables = multisets()
    hands = range(tables.first[DICE], len(tables.faces))
    order = sorted(hands, key=lambda hand: rank(tables.faces[hand]))
    places = {hand: place for place, hand in enumerate(order)}
    return tuple(places[hand] for hand in hands)
