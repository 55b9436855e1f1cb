"""Where dogs may go, as the tests ask for it."""

from __future__ import annotations

from lanplay.games.dogs_life import actions
from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.dogs_life.town import NOWHERE, TOWN


def is_passing(t: DogsLifeTable, seat: int) -> bool:
    """Tell whether a dog shares its space with a dog or the van and has to move on."""
    place = t.place[seat]
    if place in (NOWHERE, TOWN.pound):
        return False
    return place == t.van or t.place.count(place) > 1


def can_enter(t: DogsLifeTable, seat: int, place: int, points: int) -> bool:
    """Tell whether a dog with so many points may move to a neighbouring place (DL-3.2 a)."""
    others = [each for other, each in enumerate(t.place) if other != seat]
    return actions.can_enter(t, seat, place, points, [*others, t.van])
