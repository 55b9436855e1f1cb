"""How the bots differ: one table of weights, ``profiles.toml``. Worths are in victory points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lanplay_ai.bot import profiles

FREE: Final = "free"
TABLE: Final = "table"
OUTLOOK: Final = "outlook"
"""Ways to choose dice: one at a time for nothing; by tables of odds; by every hand there may be."""


@dataclass(frozen=True, slots=True, eq=False)
class DiceTownProfile:
    """The weights of one bot, hashed by identity: what depends on them is kept by profile.

    The weights of places (``nugget`` to ``doc``) multiply what a place is worth to anybody, so that
    1 is the plain worth. ``blunders`` is how many of 1,000 decisions are made by lot.
    """

    summary: str
    level: str
    character: str = ""
    keeping: str = TABLE
    blunders: int = 0
    nugget: float = 1.0
    money: float = 1.0
    store: float = 1.0
    saloon: float = 1.0
    badge: float = 1.0
    claim: float = 1.0
    doc: float = 1.0
    badge_power: int = 2
    """How late in the game the badge comes to its full worth: 1 is steadily, more is later."""
    price: float = 0.8
    """What a dollar paid for dice is worth: more than its half point, as money buys choice."""
    last_price: float = 0.8
    """The same in the last round."""
    freedom: float = 0.7
    """What a die that is still to be rolled is worth to who does not look further."""
    bribe: float = 0.5
    """The part of what a place is worth that is offered for it."""
    bid_limit: float = 0.0
    """Who bids the least that the Sheriff is likely to sell for: up to this part of the worth.

    0 is who offers ``bribe`` without a look at the others."""
    grudge: float = 0.02
    """How much more a loss is wished on a rival for every point that it has."""


PROFILES: Final = profiles(__name__, DiceTownProfile)
"""Every bot of the game by name."""
