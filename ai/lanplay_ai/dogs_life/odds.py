"""What the next card of a deck may bring, from the cards that were not drawn yet (DL-3.5)."""

from __future__ import annotations

from functools import lru_cache
from math import fsum
from typing import NamedTuple

from lanplay.games.dogs_life.dogs import DOGS, FULL_DECK, RESULTS, SHUFFLE

Chances = tuple[float, ...]
"""Probabilities, by value."""


class Odds(NamedTuple):
    """The chances of a deck: of prizes (0 nothing, 1 to 3 food, 4 a bone), of 0 to 3 paws, of 0 or
    1 for escaped and for out of the pound."""

    trash: Chances
    restaurant: Chances
    newspaper: Chances
    fight: Chances
    catcher: Chances
    pound: Chances


@lru_cache(1 << 15)
def odds(dog: int, deck: tuple[int, ...] = FULL_DECK) -> Odds:
    """Return the chances of the card that a dog draws next.

    The shuffle card is as likely as any other, and stands for a card of the whole deck.
    """
    return Odds(*[_chances(DOGS[dog].field(name), deck) for name in Odds._fields])


def _chances(field: tuple[int, ...], deck: tuple[int, ...]) -> Chances:
    found = [field.count(prize) / RESULTS for prize in range(5)]
    for card in deck:
        if card != SHUFFLE:
            found[field[card]] += 1
    return tuple([each / len(deck) for each in found])


@lru_cache(1 << 12)
def fight(own: Chances, other: Chances) -> tuple[float, float]:
    """Return the chances to win and to lose a fight."""
    won = fsum(own[paws] * other[less] for paws in range(4) for less in range(paws))
    lost = fsum(other[paws] * own[less] for paws in range(4) for less in range(paws))
    return won, lost
