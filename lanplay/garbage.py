"""How often a process looks for garbage while it starts, and while it plays many games."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SELDOM: Final = (50_000, 20, 100)
"""Thresholds for ``gc``: objects made before a search, and searches before a wider one."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage while a block loads modules, and among these never again."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for garbage less often, in a ``with`` statement or as a decorator of a function.

    A finished game frees itself, and each search sees all that a game under way and the tables of
    the bots keep. What was set before holds again afterwards.
    """
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
