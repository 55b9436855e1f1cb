"""What a node says of games that have ended, whatever it is there for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Endings(Protocol):
    """Answers what is asked about games that have ended, whatever a node is there for."""

    playing: bytes
    """The game that is played now: what is asked about that is for it."""

    def answers(self, identity: bytes, body: bytes) -> Sequence[bytes] | None:
        """Return what to say to a message of a program; ``None`` if it is for somebody else."""


class NoEndings:
    """Knows no game."""

    playing = b""

    def answers(self, identity: bytes, body: bytes) -> Sequence[bytes] | None:
        """Answer nothing."""
        return None
