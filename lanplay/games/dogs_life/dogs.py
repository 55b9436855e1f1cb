"""The six dogs: action points and decks (DL-1.1 to DL-1.3), read from ``dogs.toml``."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any, Final

from lanplay.engine.frozen import frozen

CARDS: Final = 13
SHUFFLE: Final = 12
"""A card is a number below 13; this one is the shuffle card (DL-1.1)."""
RESULTS: Final = 12
NOTHING, BONE = 0, 4
"""Prizes: nothing, 1 to 3 food, a bone (DL-1.2)."""
FULL_DECK: Final = tuple(range(CARDS))
SIGNS: Final[dict[str, dict[str, int]]] = {
    "trash": {"-": NOTHING, "1": 1, "2": 2, "3": 3, "b": BONE},
    "restaurant": {"-": NOTHING, "1": 1, "2": 2, "3": 3, "b": BONE},
    "newspaper": {"1": 1, "2": 2, "3": 3, "b": BONE},
    "fight": {"1": 1, "2": 2, "3": 3},
    "catcher": {"x": 0, "e": 1},
    "pound": {"s": 0, "o": 1},
}
"""The fields of a card and their signs, with what each stands for (DL-1.2)."""
FIELDS: Final = tuple(SIGNS)
POINTS: Final = range(6, 9)


@frozen
class Dog:
    """A dog: its key, its action points and the six fields of its twelve result cards.

    A field is a tuple with one entry per card: prizes (``trash``, ``restaurant``, ``newspaper``),
    paws (``fight``), 1 for escaped (``catcher``), 1 for out (``pound``).
    """

    key: str
    points: int
    trash: tuple[int, ...]
    restaurant: tuple[int, ...]
    newspaper: tuple[int, ...]
    fight: tuple[int, ...]
    catcher: tuple[int, ...]
    pound: tuple[int, ...]

    def field(self, name: str) -> tuple[int, ...]:
        """Return one of the ``FIELDS``, card by card."""
        found: tuple[int, ...] = getattr(self, name)
        return found


def parse(text: str) -> tuple[Dog, ...]:
    """Return the dogs of a text in TOML; ``ValueError`` names what DL-1.1 to DL-1.3 forbid."""
    dogs = tuple([_dog(key, data) for key, data in tomllib.loads(text).items()])
    if len(dogs) != 6:
        raise ValueError(f"there are six dogs, not {len(dogs)}")
    return dogs


def _dog(key: str, data: Any) -> Dog:
    if type(data) is not dict or data.keys() != {"points", *FIELDS}:
        raise ValueError(f"{key} has points and {', '.join(FIELDS)}")
    if data["points"] not in POINTS:
        raise ValueError(f"{key} has 6 to 8 action points")
    return Dog(key, data["points"], **{name: _field(key, name, data[name]) for name in FIELDS})


def _field(key: str, name: str, line: Any) -> tuple[int, ...]:
    signs = str(line).split()
    if len(signs) != RESULTS or not set(signs) <= SIGNS[name].keys():
        known = " ".join(SIGNS[name])
        raise ValueError(f"{key}: {name} takes {RESULTS} signs out of {known}")
    return tuple([SIGNS[name][sign] for sign in signs])


DOGS: Final = parse(files(__package__).joinpath("dogs.toml").read_text("utf-8"))
"""The dogs, in their order: a dog is a number from 0 to 5."""
