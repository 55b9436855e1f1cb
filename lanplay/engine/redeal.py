"""Continuing a game anew: what is public stays, what is hidden is dealt again.

A game's ``snapshot`` names the cards of every place by their *visible faces*: a public card by its
face, any other as ``HIDDEN``. A new table lays a public card with its face as its handle and hidden
ones with the faces that are left over; its rules then shuffle these before anything else, so that
what anybody knew of the old cards says nothing about the new ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lanplay.engine.requests import At, Card, Face, Rules, Shuffle
from lanplay.engine.table import Table

HIDDEN = -1
"""The visible face of a card whose face is not public."""

VisibleFaces = tuple[Face, ...]


def visible_faces(table: Table, cards: Iterable[Card]) -> VisibleFaces:
    """Return the visible faces of some cards."""
    return tuple([table.faces.get(card, HIDDEN) for card in cards])


def laid(place: VisibleFaces, spare: Iterator[Card]) -> list[Card]:
    """Return the cards of a place of a new table; hidden ones are taken from ``spare`` in order."""
    return [next(spare) if face == HIDDEN else face for face in place]


def spare_faces(back: range, places: Iterable[Any]) -> list[Face]:
    """Return the faces of one back that none of them names, in order: those of the hidden cards.

    ``places`` come from a file or a peer. ``ValueError`` says what is wrong unless they are visible
    faces that hold every card of that back once.
    """
    known: list[Face] = []
    hidden = 0
    for place in places:
        if type(place) is not tuple or not all(type(face) is int for face in place):
            raise ValueError(f"{place!r} is no place of cards")
        known += [face for face in place if face != HIDDEN]
        hidden += place.count(HIDDEN)
    if not set(known) <= set(back) or len(set(known)) != len(known):
        raise ValueError(f"a card is named twice or is none of {back.start} to {back.stop - 1}")
    if len(known) + hidden != len(back):
        raise ValueError(f"there are {len(known) + hidden} cards where {len(back)} belong")
    return [face for face in back if face not in known]


def redistribute(
    at: At, piles: Mapping[str, Sequence[Card]], places: Iterable[list[Card]]
) -> Rules[None]:
    """Shuffle each pile over all the places its cards lie in; a place keeps its number of cards.

    ``places`` are changed. An empty pile is left out; without any nothing is asked.
    """
    full = {name: list(pile) for name, pile in piles.items() if pile}
    if not full:
        return
    fresh = yield Shuffle(at, full)
    new = {
        old: card
        for name, pile in full.items()
        for old, card in zip(pile, fresh[name], strict=True)
    }
    for place in places:
        place[:] = [new.get(card, card) for card in place]
