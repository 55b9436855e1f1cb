"""A seat's view in a few lines of text, for interfaces without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lanplay.engine.view import View
from lanplay.games.dice_town.table import DiceTownTable
from lanplay.games.dice_town.text import card_name, dice_text


def situation(view: View[DiceTownTable], names: Sequence[str]) -> Iterator[str]:
    """Yield the table and the seat's own things, each line at most 80 columns for short names."""
    t = view.table
    row = " ".join(str(card_name(t.face(card))) for card in t.row)
    yield f"Round {t.round}. Mine {t.mine}, Bank ${t.bank}, Stagecoach ${t.coach}. Row: {row}."
    for seat in range(t.seats):
        star = "*" if seat == t.sheriff else " "
        cards = f"cards {len(t.hands[seat])}, claims {len(t.deeds[seat])}+{len(t.fences[seat])}"
        dice = dice_text(t.dice[seat]) or "-"
        yield (
            f" {star}{names[seat]:<20.20} ${t.dollars[seat]:<3} nuggets {t.nuggets[seat]:<3}"
            f"{cards}  dice {dice}"
        )
    hand = [card_name(face) for card in t.loot(view.seat) if (face := view.face(card)) is not None]
    if hand:
        yield f"Your hand: {', '.join(hand)}."
    if view.cup:
        yield f"Your dice: {dice_text(view.cup)}."
