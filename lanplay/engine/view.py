"""What one seat can see: the public table and its own hidden dice and cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from lanplay.engine.table import Table

if TYPE_CHECKING:
    from lanplay.engine.record import Entry, Header

TableT = TypeVar("TableT", bound=Table)


class View(Generic[TableT]):
    """A seat's view, kept up to date by the driver; nothing hidden from the seat is reachable.

    ``table`` is the live public state: agents read it and never write to it. ``cup`` holds the
    faces under the seat's own cup, ``own`` the faces of the cards it has been dealt or has seen.
    ``header`` and ``history`` are the public record so far, enough to fork the game from.
    """

    __slots__ = ("cup", "header", "history", "own", "seat", "table")

    def __init__(self, seat: int, table: TableT, header: Header, history: list[Entry]) -> None:
        self.seat = seat
        self.table = table
        self.cup: tuple[int, ...] = ()
        self.own: dict[int, int] = {}
        self.header = header
        self.history = history

    def face(self, card: int) -> int | None:
        """Return the face of ``card`` if this seat may know it, else ``None``."""
        face = self.own.get(card)
        return self.table.faces.get(card) if face is None else face
