"""Which dice to keep: the expected worth of every way to keep them, less its price."""

from __future__ import annotations

from collections.abc import Sequence

from ai.dice_town.odds import expected, hall, keeps
from lanplay.engine.view import View
from lanplay.games.dice_town.poker import DICE, JACK, KING, NINE, QUEEN, TEN
from lanplay.games.dice_town.questions import Keep, price
from lanplay.games.dice_town.table import DiceTownTable

DOLLAR = 0.55
"""Victory points of a dollar: a half at the end, and it pays for dice until then."""
FREEDOM = 0.12
"""Victory points of a die that may still be rolled and chosen."""
CLAIM = 3.0
"""The mean claim."""
BADGE_EARLY, BADGE_LATE = 1.6, 5.0

Stakes = tuple[tuple[int, float, float], ...]
"""(face, points for taking its location, points for every die it is taken with)."""


def stakes(t: DiceTownTable, seat: int) -> Stakes:
    """Return what the locations are worth to a seat now, in victory points."""
    left = min(t.mine / 30, (len(t.claims) + len(t.row)) / 25)
    badge = BADGE_LATE + (BADGE_EARLY - BADGE_LATE) * left
    if t.sheriff == seat:
        badge *= 0.8
    store = 2.0 if t.deck or t.discards else 0.0
    saloon = 1.3 if t.victims(seat) else 0.0
    bank = t.bank / 2 + t.bank * 0.05
    twice = 2 if t.round == 1 else 1
    return (
        (NINE, 0.0, 1.0),
        (TEN, bank, 0.0),
        (JACK, store * twice, 0.5 * twice if store else 0.0),
        (QUEEN, saloon, 0.4 if saloon else 0.0),
        (KING, badge, 0.0),
    )


def best_keep(view: View[DiceTownTable], question: Keep, brutes: int) -> tuple[int, ...]:
    """Return the places of the dice with the greatest expected worth that can be paid for."""
    t, seat = view.table, view.seat
    set_aside = t.dice[seat]
    others = [other for other in range(t.seats) if other != seat]
    table = [(face, take, die, _rivals(t, others, face)) for face, take, die in stakes(t, seat)]
    order = sorted(range(question.dice), key=view.cup.__getitem__)
    best = float("-inf")
    choice: tuple[int, ...] = (0,)
    for places, faces in keeps(tuple([view.cup[place] for place in order])):
        cost = price(len(faces), brutes, question.option)
        if cost > question.dollars:
            continue
        held = [*set_aside, *faces]
        worth = _worth(table, held, len(others)) - cost * DOLLAR
        if worth > best:
            best, choice = worth, places
    return tuple([order[place] for place in choice])


def _rivals(t: DiceTownTable, others: Sequence[int], face: int) -> tuple[tuple[int, int], ...]:
    shown = [(t.dice[other].count(face), DICE - len(t.dice[other])) for other in others]
    shown.sort()
    return tuple(shown)


def _worth(
    table: Sequence[tuple[int, float, float, tuple[tuple[int, int], ...]]],
    held: list[int],
    rivals: int,
) -> float:
    to_come = DICE - len(held)
    worth = FREEDOM * to_come
    for face, take, die, shown in table:
        chance, dice = expected(shown, held.count(face), to_come)
        worth += take * chance + die * dice
    held.sort()
    return worth + CLAIM * hall(tuple(held), rivals)
