"""The public state of a game: what lies on the table for all to see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar, Self

from lanplay.engine.dialogue import Phrase
from lanplay.engine.fields import copied, shown
from lanplay.engine.plain import Plain, digest


class HiddenFaceError(Exception):
    """Rules looked at a face that is not public: a fault of the rules."""


class Table:
    """Base of every game's state: plain public data, equal on every replica.

    ``faces`` holds the faces of the cards that everybody may see. A card that is not in it is
    hidden, and rules must not ask for its face. A game's own fields are the ``__slots__`` of its
    table, in the order in which they are hashed, but for those in ``later`` while they hold what
    stands there: what games without such a field had, so that their records play the same. ``log``
    collects events when it is a list: those named in ``heard``, or all where that is ``None``.
    """

    __slots__: tuple[str, ...] = ("faces", "heard", "log", "round", "seats")
    later: ClassVar[Mapping[str, Plain]] = {}

    def __new__(cls, *_arguments: Any, **_named: Any) -> Self:
        """Return a blank table: one of a compiled class would be initialised else."""
        return super().__new__(cls)

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.round = 0
        self.faces: dict[int, int] = {}
        self.log: list[Phrase] | None = None
        self.heard: Collection[str] | None = None

    def face(self, card: int) -> int:
        """Return the face of a card that is public; ``HiddenFaceError`` for any other."""
        try:
            return self.faces[card]
        except KeyError:
            raise HiddenFaceError(f"the face of card {card} is not public") from None

    def open_faces(self, cards: Iterable[int]) -> tuple[int, ...]:
        """Return the faces of cards that are public; ``HiddenFaceError`` if one is not."""
        try:
            return tuple([self.faces[card] for card in cards])
        except KeyError as card:
            raise HiddenFaceError(f"the face of card {card} is not public") from None

    def log_event(self, event: str, **values: Any) -> None:
        """Add an event to the log, if it is kept there."""
        if self.log is not None and (self.heard is None or event in self.heard):
            self.log.append(Phrase(event, values))

    def public(self) -> dict[str, Plain]:
        """Return the whole public state as plain data, field by field, in a fixed order."""
        faces = tuple(sorted(self.faces.items()))
        state: dict[str, Plain] = {"seats": self.seats, "round": self.round, "faces": faces}
        for name in type(self).__slots__:
            state[name] = shown(getattr(self, name))
        return state

    def hash(self) -> bytes:
        """Return the 32-byte hash of the public state; equal states, equal hashes."""
        state = self.public()
        for name, before in type(self).later.items():
            if state[name] == before:
                del state[name]
        return digest(state)

    def copy(self) -> Self:
        """Return an independent copy, without the log."""
        twin = type(self).__new__(type(self))
        twin.seats, twin.round, twin.faces = self.seats, self.round, dict(self.faces)
        twin.log = twin.heard = None
        for name in type(self).__slots__:
            setattr(twin, name, copied(getattr(self, name)))
        return twin
