"""What cards are worth, those in hand and those that may be stolen, in victory points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from ai.dice_town.worth import ACTIONS, HIDDEN_CLAIM, HIDDEN_STORE, DiceTownView
from lanplay.games.dice_town.cards import CARDS, kind, points
from lanplay.games.dice_town.table import DiceTownTable


def card_worth(t: DiceTownTable, face: int | None) -> float:
    """Return what a card is worth in hand; an action card is worth nothing after the game."""
    return HIDDEN_STORE if face is None else card_worths(t)[face]


def card_worths(t: DiceTownTable) -> tuple[float, ...]:
    """Return what every card is worth in hand now, by its face."""
    return _card_worths(t.mine, len(t.claims) + len(t.row))


@lru_cache(maxsize=1024)
def _card_worths(nuggets: int, claims: int) -> tuple[float, ...]:
    use = min(1.0, 0.2 + 1.6 * min(nuggets / 30, claims / 25))
    actions = [ACTIONS.get(kind(face), 0.0) for face in range(CARDS)]
    return tuple([points(face) + action * use for face, action in enumerate(actions)])


def loot_worths(view: DiceTownView, seat: int) -> tuple[list[float], list[float]]:
    """Return what a seat's Store cards and its claims are worth, as far as this view knows."""
    t, face, worths = view.table, view.face, card_worths(view.table)
    store = [HIDDEN_STORE if (f := face(card)) is None else worths[f] for card in t.hands[seat]]
    claims = [HIDDEN_CLAIM if (f := face(card)) is None else worths[f] for card in t.deeds[seat]]
    return store, claims


def best_take(view: DiceTownView, victim: int, number: int) -> tuple[float, int]:
    """Return what robbing a seat of ``number`` cards is worth, and how many Store cards to take."""
    store, claims = loot_worths(view, victim)
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
