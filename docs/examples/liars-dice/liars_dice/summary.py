"""A seat's view in a few lines of text, and which events have decided a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lanplay.engine.question import Phrase
from lanplay.engine.view import View
from lanplay.language import _
from liars_dice.table import LiarsTable
from liars_dice.text import bid_text, dice_text


def situation(view: View[LiarsTable], names: Sequence[str]) -> Iterator[str]:
    """Yield the round, the dice of all seats, the last bid and the own dice."""
    t = view.table
    yield _("Round {number}.").format(number=t.round)
    for seat in range(t.seats):
        mark = "*" if seat == t.active else " "
        yield f" {mark}{names[seat]:<20.20} {'#' * t.dice[seat]:<5}"
    if t.bid:
        yield _("The last bid: {bid}, by {seat}.").format(bid=bid_text(t.bid), seat=names[t.bidder])
    if view.cup:
        yield _("Under your cup: {dice}.").format(dice=dice_text(view.cup))


def weight(event: Phrase) -> float:
    """Return how much an event has decided: who lost a die, who the last one."""
    return {"loses": 1, "out": 3}.get(event.id, 0)
