"""Which dice to keep: the expected worth of every way to keep them, less its price.

The worth of a location depends on one face alone, so that it comes from a table; ways to keep dice
differ only in the few faces under the cup.
"""

from __future__ import annotations

from ai.dice_town.odds import Counts, Row, counts, hall, keeps, pair_weight, rows
from lanplay.engine.view import View
from lanplay.games.dice_town.poker import JACK, NINE, QUEEN, TEN
from lanplay.games.dice_town.questions import Keep, price
from lanplay.games.dice_town.table import DiceTownTable

DOLLAR = 0.55
"""Victory points of a dollar: a half at the end, and it pays for dice until then."""
FREEDOM = 0.12
"""Victory points of a die that may still be rolled and chosen."""
CLAIM = 3.0
"""The mean claim."""
BADGE_EARLY, BADGE_LATE = 1.6, 5.0

Stakes = tuple[tuple[float, float], ...]
"""For nine to king: points for taking the location, points for every die it is taken with."""


def stakes(t: DiceTownTable, seat: int) -> Stakes:
    """Return what the locations are worth to a seat now, in victory points."""
    left = min(t.mine / 30, (len(t.claims) + len(t.row)) / 25)
    badge = BADGE_LATE + (BADGE_EARLY - BADGE_LATE) * left
    if t.sheriff == seat:
        badge *= 0.8
    twice = 2 if t.round == 1 else 1
    store = (2.0 * twice, 0.5 * twice) if t.deck or t.discards else (0.0, 0.0)
    saloon = (1.3, 0.4) if t.victims(seat) else (0.0, 0.0)
    worth = {NINE: (0.0, 1.0), TEN: (t.bank * 0.55, 0.0), JACK: store, QUEEN: saloon}
    return (worth[NINE], worth[TEN], worth[JACK], worth[QUEEN], (badge, 0.0))


def best_keep(view: View[DiceTownTable], question: Keep, brutes: int) -> tuple[int, ...]:
    """Return the places of the dice with the greatest expected worth that can be paid for."""
    t, seat, cup = view.table, view.seat, view.cup
    held, held_code, missing = counts(tuple(t.dice[seat]))
    rivals = [counts(tuple(t.dice[other])) for other in range(t.seats) if other != seat]
    faces = _locations(t, seat, rivals)
    order = sorted(range(len(cup)), key=cup.__getitem__)
    best = float("-inf")
    choice: tuple[int, ...] = (0,)
    for number, ways in keeps(tuple([cup[place] for place in order])):
        cost = price(number, brutes, question.option)
        if cost > question.dollars:
            continue
        to_come = missing - number
        rolled = [(take, die, *table[to_come]) for take, die, table in faces]
        points = [take * c[n] + die * d[n] for (take, die, c, d), n in zip(rolled, held)]  # noqa: B905
        worth = sum(points) + FREEDOM * to_come - cost * DOLLAR
        for places, added, code in ways:
            total = worth + CLAIM * hall(held_code + code, len(rivals))
            for face, more in added:
                take, die, chances, dice = rolled[face]
                count = held[face] + more
                total += take * chances[count] + die * dice[count] - points[face]
            if total > best:
                best, choice = total, places
    return tuple([order[place] for place in choice])


def _locations(
    t: DiceTownTable, seat: int, rivals: list[Counts]
) -> list[tuple[float, float, tuple[Row, ...]]]:
    """Return stakes and odds of nine to king, and of the ace, which takes no location."""
    found = []
    for face, (take, die) in enumerate(stakes(t, seat)):
        key = 0
        for shown, _, to_come in rivals:
            key += pair_weight(shown[face], to_come)
        found.append((take, die, rows(key)))
    return [*found, (0.0, 0.0, rows(0))]
