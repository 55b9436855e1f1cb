"""The words of A Dog's Life: a template for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.games.dogs_life.town import TOWN
from lanplay.games.wording import Wording, texts_of
from lanplay.language import _

TEXTS = texts_of(__name__)
NOUNS = TEXTS.nouns
DOGS = TEXTS.more["dogs"]
BREEDS = TEXTS.more["breeds"]
"""By the number of the dog (DL-1.3)."""

BUILDINGS = TEXTS.more["buildings"]
"""By the key of the building; of addresses it is the number."""


def dog_name(dog: int) -> str:
    """Return the name and the breed of a dog, by its number."""
    return f"{_(DOGS[dog])} ({_(BREEDS[dog])})"


def place_name(place: int) -> str:
    """Return the name of a place: of a street space its line and number, as on the map.

    A building has its name with its key, as on the map: ``"Museum [5]"``.
    """
    key = TOWN.key(place)
    if place in TOWN.streets:
        return key
    return _(BUILDINGS[key]) if place in TOWN.dens else f"{_(BUILDINGS[key])} [{key}]"


def address_name(number: int) -> str:
    """Return the number on a newspaper as people count it: from 1."""
    return str(number + 1)


WORDING = Wording(
    TEXTS.templates,
    NOUNS,
    {
        "dog": lambda dog, names: dog_name(dog),
        "place": lambda place, names: place_name(place),
        "from": lambda place, names: place_name(place),
        "address": lambda number, names: address_name(number),
    },
)
word = WORDING.word


def words_of_places(places: Sequence[int]) -> str:
    """Return the names of several places, in their order."""
    return ", ".join(map(place_name, places))
