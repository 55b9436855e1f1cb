"""How the bots differ: one table of settings."""

from __future__ import annotations

from dataclasses import dataclass

from lanplay.language import N_


@dataclass(frozen=True, slots=True)
class FliptownProfile:
    """The settings of one bot.

    ``foresight`` is the part of what is still to come that counts for it, from 0 to 1. ``beam``
    says how many ways are followed through a chain of bonus actions, ``nodes`` how many sheets it
    looks at in one decision. ``blunders`` is how many of 1,000 decisions are made by lot.
    """

    summary: str
    level: str
    foresight: float = 1.0
    beam: int = 6
    nodes: int = 3_000
    blunders: int = 0


PROFILES = {
    "beginner": FliptownProfile(
        N_("takes what brings most at once, often guesses"),
        "beginner",
        foresight=0.0,
        beam=1,
        nodes=300,
        blunders=300,
    ),
    "casual": FliptownProfile(
        N_("takes what brings most this turn, knows the odds"),
        "casual",
        foresight=0.0,
        beam=4,
        nodes=1_000,
    ),
    "strong": FliptownProfile(
        N_("looks at what a site is worth later on, too little"), "strong", 0.4
    ),
    "expert": FliptownProfile(
        N_("knows what each site is worth later on, follows longer chains"),
        "expert",
        beam=12,
        nodes=20_000,
    ),
}
"""Every bot of the game by name."""
