"""Players that are programs. A bot sees a game through a seat's view only."""

from __future__ import annotations

from lanplay.engine.agent import Agent

NAMES = ("random", "steady")


def make(name: str, key: bytes) -> Agent:
    """Return the bot of that name with its own key (at most 64 bytes) to draw from.

    Raises ``ValueError`` that names the bots there are.
    """
    if name == "random":
        from ai.random_agent import RandomAgent

        return RandomAgent(key)
    if name == "steady":
        from ai.dice_town.steady import Steady

        return Steady()
    raise ValueError(f"there is no bot {name!r}; there are: {', '.join(NAMES)}")
