"""What one machine's seats have seen and others have not: kept in a private file beside a record.

A record is public: whoever has it can replay the game as everybody saw it. With the private file
the own seats can be looked at as well. It is of no use in any other game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from lanplay import files
from lanplay.engine.plain import decode, digest, encode
from lanplay.engine.requests import At, Card, Face
from lanplay.errors import Fault, Mistake

MAGIC: Final = b"lanplay private 1\n"
SUFFIX: Final = ".private"
_CHECKSUM = 32


class PrivateKnowledge:
    """Faces of cards by seat, and of dice under cups by seat and slot, since the game began.

    ``seats`` are those of which anything is noted. What one of them saw stays, also when somebody
    else holds it later.
    """

    __slots__ = ("cards", "cups", "seats")

    def __init__(self, seats: Iterable[int] = ()) -> None:
        self.seats = tuple(seats)
        self.cards: dict[int, dict[Card, Face]] = {}
        self.cups: dict[tuple[int, At], tuple[Face, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self.cards or self.cups)

    def dealt(self, seat: int, faces: Mapping[Card, Face]) -> None:
        """Note cards that a seat has learned."""
        if seat in self.seats:
            self.cards.setdefault(seat, {}).update(faces)

    def rolled(self, seat: int, at: At, faces: tuple[Face, ...]) -> None:
        """Note the dice under a seat's cup."""
        if seat in self.seats:
            self.cups[seat, at] = faces

    def save(self, record: Path, state_hash: bytes) -> Path:
        """Write it beside the record of a game that ended in this state; return the path.

        Only the owner can read it. ``OSError`` if the disk refuses.
        """
        body = MAGIC + encode(
            {
                "state_hash": state_hash,
                "seats": self.seats,
                "cards": tuple((s, tuple(c.items())) for s, c in sorted(self.cards.items())),
                "cups": tuple((seat, at, faces) for (seat, at), faces in self.cups.items()),
            }
        )
        path = record.with_suffix(SUFFIX)
        files.replace(path, body + digest(body))
        return path


def load_knowledge(record: Path, state_hash: bytes) -> PrivateKnowledge | None:
    """Return what was kept beside a record; ``None`` if nothing was, or of another game.

    Raises ``ValueError`` that names the file if it is damaged or cannot be read.
    """
    path = record.with_suffix(SUFFIX)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Mistake(Fault.CANNOT_OPEN, path=str(path), why=error.strerror) from error
    body, checksum = content[:-_CHECKSUM], content[-_CHECKSUM:]
    if not body.startswith(MAGIC) or digest(body) != checksum:
        raise Mistake(Fault.PRIVATE_DAMAGED, path=str(path))
    try:
        data: Any = decode(body[len(MAGIC) :])
        return _knowledge(data) if data["state_hash"] == state_hash else None
    except (KeyError, TypeError, ValueError) as error:
        raise Mistake(Fault.PRIVATE_DAMAGED, path=str(path)) from error


def _knowledge(data: Any) -> PrivateKnowledge:
    seen = PrivateKnowledge(data["seats"])
    for seat, cards in data["cards"]:
        seen.dealt(seat, dict(cards))
    for seat, at, faces in data["cups"]:
        seen.rolled(seat, at, faces)
    return seen
