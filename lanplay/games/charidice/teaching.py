"""What the game teaches: see ``teaching.toml``."""

from __future__ import annotations

from typing import Final

from lanplay.games.teaching import Lessons

LESSONS: Final = Lessons.beside(__name__)
