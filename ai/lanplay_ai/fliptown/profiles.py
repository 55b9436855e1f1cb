"""How the bots differ: one table of settings, ``profiles.toml``."""

from __future__ import annotations

from dataclasses import dataclass

from lanplay_ai.bot import profiles


@dataclass(frozen=True, slots=True)
class FliptownProfile:
    """The settings of one bot.

    ``foresight`` is the part of what is still to come that counts for it, from 0 to 1. ``beam``
    says how many ways are followed through a chain of bonus actions, ``nodes`` how many sheets it
    looks at in one decision, ``looks`` how many of the best ways get a second look (``look.py``).
    ``blunders`` is how many of 1,000 decisions are made by lot.
    ``taste`` is what a circled site is worth beyond its points, by region: what the bot likes.
    """

    summary: str
    level: str
    foresight: float = 1.0
    beam: int = 6
    nodes: int = 3_000
    looks: int = 0
    blunders: int = 0
    taste: tuple[float, ...] = ()


PROFILES = profiles(__name__, FliptownProfile)
"""Every bot of the game by name."""
