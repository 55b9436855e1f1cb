"""What a game's package says of each of its bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lanplay.engine.agent import Agent

Factory: TypeAlias = Callable[[bytes], Agent]
"""Makes an agent with a key of its own (at most 64 bytes) to draw from."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that can be named.

    ``summary`` is one line in English, marked for translation. ``level`` and ``character`` are
    names too, the latter empty for bots without a plan of their own. ``make`` imports what it needs
    when it is called.
    """

    summary: str
    make: Factory
    level: str = ""
    character: str = ""


Bots: TypeAlias = Mapping[str, Bot]
"""The bots of one game by name: what ``lanplay_ai.<game>.BOTS`` is."""
