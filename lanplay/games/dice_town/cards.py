"""The cards of Dice Town: 19 General Store cards and 25 property claims.

A face is a number: 0 to 18 are Store cards, 19 to 43 claims.
"""

from __future__ import annotations

from typing import Final

EQUIPMENT: Final = "equipment"
DYNAMITE: Final = "dynamite"
GIRLS: Final = "girls"
BRUTE: Final = "brute"
CHEATER: Final = "cheater"
CORRUPTION: Final = "corruption"
CREDIT: Final = "credit"
JOE: Final = "joe"
MARSHAL: Final = "marshal"
SPLIT: Final = "split"
WANTED: Final = "wanted"
ELIXIR: Final = "elixir"

EQUIPMENT_VALUES: Final[tuple[int, ...]] = (1, 2, 3, 4, 5, 8)
STORE: Final[tuple[str, ...]] = (
    *(EQUIPMENT for _ in EQUIPMENT_VALUES),
    *(DYNAMITE, GIRLS, BRUTE, BRUTE, CHEATER, CHEATER, CORRUPTION),
    *(CREDIT, JOE, MARSHAL, SPLIT, WANTED, ELIXIR),
)
"""Kind of each Store card by its face."""

CLAIM_VALUES: Final[tuple[int, ...]] = tuple(value for value in range(1, 6) for _ in range(5))
"""Victory points of each claim by its face, counted from the first claim."""

STORE_FACES: Final = range(len(STORE))
CLAIM_FACES: Final = range(len(STORE), len(STORE) + len(CLAIM_VALUES))
CARDS: Final = len(STORE) + len(CLAIM_VALUES)

_KINDS: Final[tuple[str, ...]] = (*STORE, *("claim" for _ in CLAIM_VALUES))
_POINTS: Final[tuple[int, ...]] = (
    *EQUIPMENT_VALUES,
    *(0 for _ in STORE[len(EQUIPMENT_VALUES) :]),
    *CLAIM_VALUES,
)

FACES_OF: Final = {
    each: frozenset(face for face, found in enumerate(_KINDS) if found == each)
    for each in dict.fromkeys(_KINDS)
}
"""The faces of the cards of each kind."""

RULES: Final = {
    BRUTE: "DT-6.1",
    CHEATER: "DT-6.2",
    DYNAMITE: "DT-6.3",
    CREDIT: "DT-6.4",
    GIRLS: "DT-6.5",
    MARSHAL: "DT-6.6",
    CORRUPTION: "DT-6.7",
    JOE: "DT-6.8",
    SPLIT: "DT-6.9",
    ELIXIR: "DT-6.10",
    WANTED: "DT-6.11",
    EQUIPMENT: "DT-6.12",
}
"""The rule of each kind of Store card."""


def kind(face: int) -> str:
    """Return the kind of card with this face: one of the constants above, or ``claim``."""
    return _KINDS[face]


def points(face: int) -> int:
    """Return the victory points printed on a card (DT-7.2): equipment and claims, else 0."""
    return _POINTS[face]
