"""What cards are worth, those in hand and those that may be stolen, in victory points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final

from lanplay.games.dice_town.cards import CARDS, kind
from lanplay.games.dice_town.table import DiceTownTable
from lanplay_ai.dice_town.kept import Kept
from lanplay_ai.dice_town.worth import (
    ACTIONS,
    HIDDEN_CLAIM,
    HIDDEN_STORE,
    POINTS,
    DiceTownView,
    left,
)


def card_worth(t: DiceTownTable, face: int) -> float:
    """Return what a card is worth in hand; an action card is worth nothing after the game."""
    return card_worths(t)[face]


def card_worths(t: DiceTownTable) -> list[float]:
    """Return what every card is worth in hand now, by its face."""
    return _CARD_WORTHS[left(t)]


def _worths_with(left: float) -> list[float]:
    """Return what every card is worth in hand with so much of the game left."""
    use = min(1.0, 0.2 + 1.6 * left)
    actions = [ACTIONS.get(kind(face), 0.0) for face in range(CARDS)]
    return [POINTS[face] + action * use for face, action in enumerate(actions)]


_CARD_WORTHS: Final[dict[float, list[float]]] = Kept(_worths_with)


def worths_in_hand(view: DiceTownView, cards: list[int], hidden: float) -> list[float]:
    """Return what some cards are worth in hand; one whose face is not known is worth ``hidden``."""
    if not cards:
        return []
    own, faces, worths = view.own, view.table.faces, card_worths(view.table)
    found: list[float] = []
    for card in cards:
        if card in own:
            found.append(worths[own[card]])
        elif card in faces:
            found.append(worths[faces[card]])
        else:
            found.append(hidden)
    return found


def dearest(cards: Sequence[int], worths: list[float]) -> int:
    """Return the card that is worth most, the lowest of several."""
    most = max(worths)
    return min([card for place, card in enumerate(cards) if worths[place] == most])


def best_take(view: DiceTownView, victim: int, number: int) -> tuple[float, int]:
    """Return what robbing a seat of ``number`` cards is worth, and how many Store cards to take."""
    t = view.table
    store = worths_in_hand(view, t.hands[victim], HIDDEN_STORE)
    claims = worths_in_hand(view, t.deeds[victim], HIDDEN_CLAIM)
    store.sort()
    claims.sort()
    return _best_split(tuple(store), tuple(claims), number)


@lru_cache(maxsize=4096)
def _best_split(
    store: tuple[float, ...], claims: tuple[float, ...], number: int
) -> tuple[float, int]:
    """Return the expected worth of the best of ``number`` things drawn, and how many of ``store``.

    Both are sorted. The other things drawn are ``claims``.
    """
    number = min(number, len(store) + len(claims))
    fewest, most = max(0, number - len(claims)), min(number, len(store))
    worth, fewer = max(
        (max(best_drawn(store, n), best_drawn(claims, number - n)), -n)
        for n in range(fewest, most + 1)
    )
    return worth, -fewer


def best_drawn(worths: Sequence[float], number: int) -> float:
    """Return the expected greatest of some of the sorted ``worths`` drawn blindly; 0 of nothing."""
    size = len(worths)
    if not number:
        return 0.0
    total = 0.0
    for place, each in enumerate(reversed(worths)):
        total += each * comb(size - place - 1, number - 1) / comb(size, number)
    return total
