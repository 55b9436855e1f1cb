"""What all can see once the dice lie: who could still react in this round, and to what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from lanplay.games.dice_town.cards import CORRUPTION, DYNAMITE, FACES_OF, MARSHAL, SPLIT
from lanplay.games.dice_town.poker import KING, NINE, TEN, rank
from lanplay.games.dice_town.table import DiceTownTable as Table

Dice: TypeAlias = "Sequence[tuple[int, ...]]"
"""The dice of all seats, five each."""
LEAST_LOOT: Final = 2


def out(t: Table, wanted: str) -> bool:
    """Tell whether all see every card of a kind on the discards: nobody can hold it (DT-6.13)."""
    faces = FACES_OF[wanted]
    return len(t.discards) >= len(faces) and faces.issubset(map(t.faces.get, t.discards))


def chances(t: Table, dice: Dice, seat: int) -> list[tuple[str, int, int | None]]:
    """Return what a seat could play in the town with these dice: kind, stake and seat it hits.

    The Elixir is not among them: what a seat obtains is not known yet.
    """
    found: list[tuple[str, int, int | None]] = []
    if seat in leaders(dice, NINE) and not out(t, DYNAMITE):
        found.append((DYNAMITE, min(dice[seat].count(NINE), t.mine), None))
    takers = [each for each in leaders(dice, TEN) if each != seat]
    if takers and t.bank >= LEAST_LOOT and not out(t, SPLIT):
        found.append((SPLIT, t.bank // 2, takers[0]))
    takers = [each for each in leaders(dice, KING) if each != t.sheriff]
    if takers and not out(t, MARSHAL):
        found.append((MARSHAL, 0, takers[0]))
    if t.claims and seat in best_hands(dice) and not out(t, CORRUPTION):
        found.append((CORRUPTION, 1, None))
    return found


def leaders(dice: Dice, face: int) -> list[int]:
    """Return the seats that show the most of a face, at least one (DT-3.0)."""
    counts = [each.count(face) for each in dice]
    most = max(counts)
    return [seat for seat, count in enumerate(counts) if count == most > 0]


def best_hands(dice: Dice) -> list[int]:
    """Return the seats with the best poker hand (DT-5.3)."""
    ranks = [rank(each) for each in dice]
    best = max(ranks)
    return [seat for seat, each in enumerate(ranks) if each == best]
