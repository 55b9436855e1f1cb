"""The numbers that stand for the tasks of a turn and for some of the options."""

from __future__ import annotations

from typing import Final

BAIL, PLAN, PICK, EFFECT = 5, 6, 9, 16
"""Tasks: a hunted rank, the plan, the pick after the look, and from 16 on effects of buildings.

Tasks 0 to 4 are bonus actions, by their region.
"""
ABILITY: Final = 8
"""The option to use the character's ability before going on."""
NO: Final = -1
"""The option to do nothing: forgo the action, decline a bonus or an effect, end the turn."""
JOKER: Final = 8
"""Added to a suit that a joker stands for."""
BY_GOLD, BY_PANS, BY_JOKER = range(3)
"""The ways to change the value of a card."""
BY_ABILITY: Final = 32
"""Marks the price of a site that gold alone does not reach."""
LOOK: Final = 1
"""The pause in which a seat looks at the sheriff card; other pauses are the target robbed."""
END: Final = -1
"""What stands for a pause where the turn has ended."""
