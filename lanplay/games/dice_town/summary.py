"""A seat's view in a few lines of text, for interfaces without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from typing import Final

from lanplay.engine.question import Phrase
from lanplay.engine.view import View
from lanplay.games.dice_town.cards import points
from lanplay.games.dice_town.table import DiceTownTable
from lanplay.games.dice_town.text import card_name, dice_text
from lanplay.games.wording import Title
from lanplay.language import N_, _, dollars


def situation(view: View[DiceTownTable], names: Sequence[str]) -> Iterator[str]:
    """Yield the table and the seat's own things, each line at most 80 columns for short names."""
    t = view.table
    row = ", ".join(card_name(t.face(card)) for card in t.row)
    yield _("Round {round}. Mine {mine}, Bank ${bank}, Stagecoach ${coach}. Row: {row}.").format(
        round=t.round, mine=t.mine, bank=t.bank, coach=t.coach, row=row or "-"
    )
    yield _("Sheriff: {seat}.").format(seat=names[t.sheriff])
    for seat in range(t.seats):
        things = _(
            "nuggets {nuggets}, cards {cards}, claims {claims} and {fenced} fenced, dice {dice}"
        )
        held = things.format(
            nuggets=t.nuggets[seat],
            cards=len(t.hands[seat]),
            claims=len(t.deeds[seat]),
            fenced=len(t.fences[seat]),
            dice=dice_text(t.dice[seat]) or "-",
        )
        yield f"  {names[seat]}: {dollars(t.dollars[seat])}, {held}"
    hand = [card_name(face) for card in t.loot(view.seat) if (face := view.face(card)) is not None]
    if hand:
        yield _("Your hand: {cards}.").format(cards=", ".join(hand))
    if view.cup:
        yield _("Your dice: {dice}.").format(dice=dice_text(view.cup))


WEIGHTS: Final = {"nuggets": 1.0, "dollars": 0.5}
"""What goods of an event are worth in points (DT-7.2)."""


TITLES: Final = (
    Title(N_("The greatest robbery"), "bank", "dollars"),
    Title(N_("The best day in the mine"), "mine", "nuggets"),
    Title(N_("Most often in the Saloon"), "robs"),
    Title(N_("Won the badge most often"), "badge"),
)


def weight(event: Phrase) -> float:
    """Return the points that an event has moved, as all could see them."""
    values = event.values
    match event.id:
        case "mine" | "bank" | "joe" | "splits" | "doc-dollars" | "doc-nuggets":
            return fsum(each * values.get(name, 0) for name, each in WEIGHTS.items())
        case "hall":
            return float(sum(points(face) for face in values["cards"]))
    return 0
