"""Which dice to keep: what every sensible way to keep them adds in expected worth, less its price.

A location depends on one face alone, so that what dice add to it comes from a table; the Town Hall
comes from a table of whole hands. Dice that go back are worth a little each, whatever they may
bring. Ways that keep more than two different faces at once, or four dice or more of two faces, are
not weighed.
"""

from __future__ import annotations

from ai.dice_town.odds import contest, halls, keeps
from lanplay.engine.view import View
from lanplay.games.dice_town.questions import Keep, price
from lanplay.games.dice_town.table import DiceTownTable

DOLLAR = 0.55
"""Victory points of a dollar: a half at the end, and it pays for dice until then."""
FREEDOM = 0.15
"""Victory points of a die that goes back to be rolled and chosen again."""
CLAIM = 4.0
"""The mean claim is worth 3; a claim more also takes one from the others and ends the game."""
BADGE_EARLY, BADGE_LATE = 1.6, 5.0
LOOT = 0.55
"""Victory points of a dollar in the Bank."""

Scales = tuple[float, float, float, float, float, float]
"""For nine to ace: what the location is worth now, as a multiple of ``odds.LOCATIONS``."""


def scales(t: DiceTownTable, seat: int) -> Scales:
    """Return what the locations are worth to a seat now."""
    left = min(t.mine / 30, (len(t.claims) + len(t.row)) / 25)
    badge = BADGE_LATE + (BADGE_EARLY - BADGE_LATE) * left
    if t.sheriff == seat:
        badge *= 0.8
    store = (2.0 if t.round == 1 else 1.0) if t.deck or t.discards else 0.0
    loot = sum(map(len, t.hands)) + sum(map(len, t.deeds)) > len(t.hands[seat]) + len(t.deeds[seat])
    return 1.0, t.bank * LOOT, store, 1.0 if loot else 0.0, badge, 0.0


def best_keep(view: View[DiceTownTable], question: Keep, brutes: int) -> tuple[int, ...]:
    """Return the places of the dice with the greatest expected worth that can be paid for."""
    t, seat, cup = view.table, view.seat, view.cup
    held, held_code, tables = contest(tuple(t.dice))[seat]
    rows = [table[has] for table, has in zip(tables, held)]  # noqa: B905  # hot
    scale = scales(t, seat)
    hall = halls(t.seats - 1, CLAIM)
    order = sorted(range(len(cup)), key=cup.__getitem__)
    parts, by_number = keeps(tuple([cup[place] for place in order]))
    best = float("-inf")
    choice: tuple[int, ...] = (0,)
    for number, ways in by_number:
        cost = price(number, brutes, question.option)
        if cost > question.dollars:
            continue
        left = len(cup) - number
        worth = FREEDOM * left - DOLLAR * cost
        gains = [0.0, *[scale[face] * rows[face][left][more] for face, more in parts]]
        for places, one, other, code in ways:
            total = worth + gains[one] + gains[other] + hall[held_code + code]
            if total > best:
                best, choice = total, places
    return tuple([order[place] for place in choice])
