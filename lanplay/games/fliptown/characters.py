"""The fourteen characters: what they start with and what they can (FT-9.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lanplay.games.fliptown.map import BADLANDS, CEMETERY, ITEM_BITS, MINE, REGIONS, TOWN, TRAIL
from lanplay.games.fliptown.sheet import Sheet

START: Final = {"cash": 4, "gold": 2}
"""What a seat starts with that plays no character (FT-1.2)."""
CHARACTERS: Final[Mapping[str, Mapping[str, int]]] = {
    "trailblazer": {"cash": 3, "gold": 4},
    "cheat": {"cash": 7, "gold": 1},
    "prospector": {"cash": 3, "gold": 5, "pans": 1},
    "settler": {"cash": 7, "gold": 2},
    "bandit": {"cash": 7, "gold": 6, "wanted": 4},
    "marshal": {"cash": 5, "gold": 2, "stars": 2},
    "preacher": {"cash": 3, "gold": 3},
    "miner": {"cash": 1, "gold": 5},
    "ranch-hand": {"cash": 5, "gold": 1, "hammers": 1},
    "grave-robber": {"cash": 3, "gold": 1, "shovel": 1},
    "man-in-black": {"cash": 3, "gold": 4, "wanted": 6, "stars": 1},
    "baroness": {"cash": 7, "gold": 1},
    "mayor": {"cash": 3, "gold": 1, "stars": 3},
    "wild-card": {"cash": 4},
}
"""In the order of the ranks that draw them (FT-9.5), ace to king; the joker last."""

(
    TRAILBLAZER,
    CHEAT,
    PROSPECTOR,
    SETTLER,
    BANDIT,
    MARSHAL,
    PREACHER,
    MINER,
    RANCH_HAND,
    GRAVE_ROBBER,
    MAN_IN_BLACK,
    BARONESS,
    MAYOR,
    WILD_CARD,
) = range(len(CHARACTERS))
JOKERS: Final = 2
RANCH_CROSSES: Final = 2
PREACHER_CROSSES: Final = 6
BONUS_OF: Final = {
    TRAILBLAZER: (TRAIL,),
    SETTLER: (TOWN,),
    BANDIT: (BADLANDS,),
    MINER: (MINE,),
    GRAVE_ROBBER: (CEMETERY,),
    MAN_IN_BLACK: tuple(REGIONS),
}
"""The regions of the bonus actions that an ability gives."""


def equip(sheet: Sheet, character: int) -> None:
    """Give a fresh sheet what it starts with; ``character`` is -1 for none (FT-1.2, FT-9.2)."""
    sheet.character = character
    goods = tuple(CHARACTERS.values())[character] if character >= 0 else START
    for kind, amount in goods.items():
        if kind == "shovel":
            sheet.items |= ITEM_BITS[kind]
        else:
            sheet.gain(kind, amount)
    sheet.gained = 0
    if character >= 0:
        sheet.uses = JOKERS if character == WILD_CARD else 1


def can(sheet: Sheet, character: int) -> bool:
    """Tell whether a seat plays a character whose ability is not used up."""
    return sheet.uses > 0 and sheet.character == character
