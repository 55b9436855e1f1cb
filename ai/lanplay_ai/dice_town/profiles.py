"""How the bots differ: one table of weights. All worths are in victory points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from lanplay.language import N_

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
    grudge: float = 0.02
    """How much more a loss is wished on a rival for every point that it has."""


_STRONG: Final = DiceTownProfile(N_("knows the odds, spends with care"), "strong")
PROFILES: Final = {
    "steady": replace(_STRONG, summary=N_("the same as strong, under its first name")),
    "beginner": DiceTownProfile(
        N_("keeps what it has most of, pays for nothing, often guesses"),
        "beginner",
        keeping=FREE,
        blunders=250,
        bribe=0.0,
    ),
    "casual": DiceTownProfile(
        N_("knows some odds, spends too freely, sometimes guesses"),
        "casual",
        blunders=120,
        price=0.5,
        last_price=0.5,
        freedom=0.2,
        bribe=0.3,
    ),
    "strong": _STRONG,
    "expert": DiceTownProfile(
        N_("weighs every hand it may still get against all that the others show"),
        "expert",
        keeping=OUTLOOK,
        nugget=0.95,
        money=0.85,
        store=0.85,
        saloon=1.5,
        badge_power=4,
        claim=0.8,
        price=0.9,
        last_price=0.5,
        freedom=0.3,
    ),
    "miner": replace(
        _STRONG,
        summary=N_("digs for gold and ends the game early"),
        character="miner",
        nugget=1.25,
        store=0.9,
    ),
    "banker": replace(
        _STRONG,
        summary=N_("hoards dollars and buys the Sheriff"),
        character="banker",
        money=1.2,
        saloon=1.1,
        price=0.9,
        last_price=0.7,
        bribe=0.7,
    ),
    "sheriff": replace(
        _STRONG,
        summary=N_("wants the badge, above all when the end is near"),
        character="sheriff",
        saloon=1.1,
        badge=1.3,
        badge_power=3,
    ),
    "mayor": replace(
        _STRONG,
        summary=N_("collects claims and guards them with barbed wire"),
        character="mayor",
        saloon=1.1,
        claim=1.25,
        doc=1.2,
    ),
}
"""Every bot of the game by name."""
