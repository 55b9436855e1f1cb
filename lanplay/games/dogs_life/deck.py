"""Cards off a dog's deck, drawn for all to see, and what they bring (DL-3.5, DL-4.3)."""

from __future__ import annotations

from lanplay.engine.requests import OpenRoll, Rules
from lanplay.games.dogs_life.dogs import BONE, FULL_DECK, SHUFFLE
from lanplay.games.dogs_life.table import MOST_HUNGER
from lanplay.games.dogs_life.table import DogsLifeTable as Table


def draw(t: Table, seat: int) -> Rules[int]:
    """Draw a result card of a seat's deck; a shuffle card makes it whole and is drawn over."""
    while True:
        deck = t.decks[seat]
        if len(deck) > 1:
            t.steps += 1
            (place,) = yield OpenRoll((t.round, t.active, t.steps), 1, len(deck))
        else:
            place = 0
        card: int = deck[place]
        if card != SHUFFLE:
            t.decks[seat] = deck[:place] + deck[place + 1 :]
            return card
        t.decks[seat] = FULL_DECK
        t.log_event("reshuffles", seat=seat)


def gain(t: Table, seat: int, prize: int) -> None:
    """Give a dog what a card brings: food as far as it fits, a bone with room for it."""
    if prize != BONE:
        t.hunger[seat] = min(t.hunger[seat] + prize, MOST_HUNGER)
        t.log_event("eats" if prize else "finds-nothing", seat=seat, food=prize)
    elif t.supply and t.room(seat):
        t.supply -= 1
        t.bones[seat] += 1
        t.log_event("gets-bone", seat=seat)
    else:
        t.log_event("leaves-bone", seat=seat)
