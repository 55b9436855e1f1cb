"""What one seat, or somebody without a seat, sees of a game at a moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lanplay.engine.question import Question
from lanplay.engine.view import View


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment of a game, for drawing.

    ``view`` is what the person's seat sees, ``None`` for onlookers. ``asked`` are the questions the
    game waits for, by seat; ``missing`` the seats whose laptop nobody hears. ``rolling`` counts
    down while dice are shown rolling.
    """

    table: Any
    names: Sequence[str]
    view: View[Any] | None = None
    asked: Mapping[int, Question] = field(default_factory=dict)
    missing: frozenset[int] = frozenset()
    rolling: int = 0

    @property
    def seat(self) -> int | None:
        """The person's own seat, if any."""
        return None if self.view is None else self.view.seat

    def face(self, card: int) -> int | None:
        """Return the face of a card as far as the person may know it."""
        if self.view is not None:
            return self.view.face(card)
        face: int | None = self.table.faces.get(card)
        return face
