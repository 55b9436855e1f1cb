"""Who sits where now: every seat's holder, and the peers that take part.

At the start both are the roster's. A cut takes peers out and brings them back; the seats of a peer
that is out go to others by lot, and home again when it returns.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanplay_protocol.replica.roster import Roster


@dataclass(frozen=True, slots=True)
class Holder:
    """Who answers for a seat: a person on a peer, or an AI by name on a peer."""

    peer: int
    bot: str = ""


class Seating:
    """The holders of all seats, the peers ``present``, and what still has to be handed over.

    ``handover_due`` maps a seat whose new holder has not yet been told what the seat knows to that
    holder's peer: also while that is out, as it may be back before the seat has gone to another.
    ``ever[seat]`` are the peers that have held a seat so far. ``changes`` collects (seat, holder)
    until they are taken. ``opened[seat]`` is the peer to which a seat's hand and cup are open,
    though it only stands in: until the seat goes to another, or its owner was back.
    """

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self.present = frozenset(range(len(roster.peers)))
        self.handover_due: dict[int, int] = {}
        self.changes: list[tuple[int, Holder]] = []
        self.opened: dict[int, int] = {}
        self.openings: list[tuple[int, Holder]] = []
        seats = range(len(roster.names))
        self.holders = [Holder(roster.host(seat), roster.bot(seat)) for seat in seats]
        self.ever = [{holder.peer} for holder in self.holders]

    def of(self, peer: int) -> tuple[int, ...]:
        """Return the seats that a peer answers for."""
        return tuple(s for s, holder in enumerate(self.holders) if holder.peer == peer)

    @property
    def unheld(self) -> list[int]:
        """The seats whose holder is out."""
        return [s for s, holder in enumerate(self.holders) if holder.peer not in self.present]

    def leave(self, peers: frozenset[int]) -> None:
        """Take peers out of the game."""
        self.present -= peers

    def come_back(self, peers: frozenset[int]) -> None:
        """Bring peers back, each to the seats it had at the start."""
        self.present |= peers
        for seat in range(len(self.holders)):
            home = self._roster.host(seat)
            if home in peers:
                self.seat(seat, Holder(home, self._roster.bot(seat)))

    def reveal_again(self, peers: frozenset[int]) -> None:
        """Mark what some peers' seats know as due to them again."""
        for seat, holder in enumerate(self.holders):
            if holder.peer in peers & self.present:
                self.handover_due[seat] = holder.peer

    def seat(self, seat: int, holder: Holder) -> None:
        """Give a seat to a holder; what the seat knows is owed to a peer that is new to it."""
        before = self.holders[seat]
        if holder.peer != before.peer:
            self.handover_due[seat] = holder.peer
            self.opened.pop(seat, None)
        self.holders[seat] = holder
        self.ever[seat].add(holder.peer)
        self.changes.append((seat, holder))

    def open(self, seat: int, holder: int) -> None:
        """Open a seat's hand and cup to a peer that stands in, if it still does."""
        if self.holders[seat].peer == holder:
            self.opened[seat] = self.handover_due[seat] = holder
            self.openings.append((seat, self.holders[seat]))

    def close(self, peers: frozenset[int]) -> None:
        """Close what was opened of some peers' seats: they are back, though they may go at once."""
        self.opened = {s: to for s, to in self.opened.items() if self._roster.host(s) not in peers}

    def take(self) -> tuple[list[tuple[int, Holder]], list[tuple[int, Holder]]]:
        """Return the changes, and the hands that were opened, since the last time."""
        taken, self.changes, self.openings = (self.changes, self.openings), [], []
        return taken
