"""Exact odds from the cards that a seat has not seen: robberies, arrests, the last poker card."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from math import comb

from lanplay.games.fliptown.cards import CARDS, number
from lanplay.games.fliptown.map import POKER
from lanplay.games.fliptown.poker import best
from lanplay.games.fliptown.questions import FliptownView
from lanplay.games.fliptown.table import FLIPPED

PAY: tuple[float, ...] = tuple([cash / 4 + stars for cash, stars in POKER])
"""What each poker rank pays, in points."""


def unseen(view: FliptownView, flipped: Collection[int] = ()) -> tuple[int, ...]:
    """Return the faces that the next cards may have, as far as the seat knows, in order.

    They lie face down; where the deck has too few for a flip, those used may come again (FT-2.8).
    ``flipped`` are faces that are supposed to have been flipped next.
    """
    t = view.table
    held = [*t.flipped, *t.hole[view.seat]]
    if len(t.deck) >= len(flipped) + FLIPPED:
        held += t.discards
    if t.sheriff is not None:
        held.append(t.sheriff)
    seen = {*flipped, *[view.face(card) for card in held]}
    return tuple([face for face in range(CARDS) if face not in seen])


@lru_cache(1 << 10)
def at_least(faces: tuple[int, ...]) -> tuple[float, ...]:
    """Return the chance that a card of these has a value of at least 0, 1, … 14."""
    values = [number(face) for face in faces]
    total = max(len(values), 1)
    return tuple([sum([value >= least for value in values]) / total for least in range(15)])


def arrest(view: FliptownView, faces: tuple[int, ...]) -> tuple[float, ...]:
    """Return the chance to be arrested without a bribe by WANTED, from 0 to 14 (FT-3.3)."""
    sheriff = view.table.sheriff
    known = None if sheriff is None else view.face(sheriff)
    if known is not None:
        return tuple([float(number(known) < wanted) for wanted in range(15)])
    chances = at_least(faces)
    return tuple([1 - chances[wanted] for wanted in range(15)])


@lru_cache(1 << 12)
def rank(cards: tuple[int, ...]) -> int:
    """Return the rank of five or more cards."""
    return best(cards)[0]


def draw(cards: Sequence[int], faces: tuple[int, ...]) -> float:
    """Return what a hand pays on average that lacks one card, the best of three to come."""
    return _draw(tuple(sorted(cards)), faces)


@lru_cache(1 << 10)
def _draw(cards: tuple[int, ...], faces: tuple[int, ...]) -> float:
    counts = [0] * len(PAY)
    for face in faces:
        counts[rank((*cards, face))] += 1
    total, below, expected = comb(len(faces), FLIPPED), 0, 0.0
    for each, count in enumerate(counts):
        upto = below + count
        expected += PAY[each] * (comb(upto, FLIPPED) - comb(below, FLIPPED)) / total
        below = upto
    return expected
