"""The choices within a turn, and what a turn tells."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final, TypeAlias

from lanplay.engine.question import Message
from lanplay.engine.value import value
from lanplay.games.fliptown.sheet import Sheet

BAIL, PLAN, PICK, EFFECT = 5, 6, 9, 16
"""Tasks: a hunted rank, the plan, the pick after the look, and from 16 on effects of buildings.

Tasks 0 to 4 are bonus actions, by their region.
"""
ABILITY: Final = 8
"""The option to use the character's ability before going on."""
NO: Final = -1
"""The option to do nothing: forgo the action, decline a bonus or an effect, end the turn."""
LOOK: Final = 1
"""The pause in which a seat looks at the sheriff card; other pauses are the target robbed."""


@value
class Ask:
    """A choice within a turn: its options, and for each a number that belongs to its wording.

    ``NO`` is the last of them, so that whoever takes the first one forgoes nothing; but ending the
    turn comes before the character's ability, which is used once.
    """

    what: str
    options: tuple[int, ...]
    notes: tuple[int, ...] = ()


Steps: TypeAlias = Generator[Ask, int, Any]
Told: TypeAlias = "list[Message] | None"


def tell(told: Told, event: str, **values: Any) -> None:
    """Add an event, if events are wanted."""
    if told is not None:
        told.append(Message(event, values))


def take(s: Sheet, kind: str, amount: int, told: Told) -> None:
    """Gain goods (see ``Sheet.gain``) and tell how many they are: a fifth tool is none (FT-1.3)."""
    before: int = getattr(s, kind)
    s.gain(kind, amount)
    if gained := getattr(s, kind) - before:
        tell(told, f"gains-{kind}", amount=gained)
