"""How the bots differ: one table of settings."""

from __future__ import annotations

from dataclasses import dataclass

from lanplay.language import N_


@dataclass(frozen=True, slots=True)
class Profile:
    """The settings of one bot.

    ``learned`` is whether it weighs what is to come. ``beam`` says how many ways are followed
    through a chain of bonus actions, ``nodes`` how many sheets it looks at in one decision.
    ``samples`` is how many next turns it looks at for each of its ``finalists`` best ways.
    ``blunders`` is how many of 1,000 decisions are made by lot.
    """

    summary: str
    level: str
    learned: bool = True
    beam: int = 6
    nodes: int = 3_000
    samples: int = 0
    finalists: int = 0
    blunders: int = 0


PROFILES = {
    "beginner": Profile(
        N_("takes what brings most at once, often guesses"),
        "beginner",
        learned=False,
        beam=1,
        nodes=300,
        blunders=300,
    ),
    "casual": Profile(
        N_("takes what brings most this turn, knows the odds"),
        "casual",
        learned=False,
        beam=4,
        nodes=1_000,
    ),
    "strong": Profile(N_("knows what each site is worth later on"), "strong"),
    "expert": Profile(
        N_("follows longer chains, and looks at the turn after this one"),
        "expert",
        beam=12,
        nodes=20_000,
        samples=8,
        finalists=4,
    ),
}
"""Every bot of the game by name."""
