"""Bots of a day, frozen: what later ones are measured against. Nothing of it is shipped.

They are those of commit 0b5e9ad2, with other imports and without words. ``lanplay`` sees them,
named ``frozen-expert`` and so on, where this package's folder is on the path:
``PYTHONPATH=tests/rivals lanplay tournament charidice expert frozen-expert --schedule field``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """Return how a bot is made with its key: ``dice_town_expert`` is that of Dice Town."""
    game, _, level = name.rpartition("_")
    if game not in ("charidice", "dice_town", "dogs_life", "fliptown"):
        raise AttributeError(name)
    return import_module(f"lanplay_rivals.{game}").BOTS[level].make
