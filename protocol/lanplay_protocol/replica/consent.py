"""When the people open a lost person's hand to whoever stands in for it.

The laptop of every person at the table signs its consent, for one seat, one holder and one absence
of the seat's owner; a view whose certificate carries them all opens the hand. So no peer opens one
that a person has not agreed to, and a consent serves no other loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.messages import OPEN, SignedWish, check_wish
from lanplay_protocol.replica.roster import PEERS, SEATS, Roster
from lanplay_protocol.replica.settings import PASS


@dataclass(frozen=True, slots=True, order=True)
class HandOpening:
    """A seat whose hand may be opened to ``holder``, while its owner is out since the view with
    the number ``since``: on another line of the game that is another loss."""

    seat: int
    holder: int
    since: int

    @property
    def number(self) -> int:
        """What a consent is signed for."""
        return (self.since * SEATS + self.seat) * PEERS + self.holder


def opening_of(number: int) -> HandOpening:
    """Return what a consent was signed for."""
    rest, holder = divmod(number, PEERS)
    since, seat = divmod(rest, SEATS)
    return HandOpening(seat, holder, since)


def people(roster: Roster, members: Set[int]) -> frozenset[int]:
    """Return those of some peers that hold a person's seat from the start."""
    return frozenset(p for p in members if any(not roster.bot(s) for s in roster.peers[p].seats))


def possible(
    context: Context, members: Set[int], settled: Callable[[int], int]
) -> list[HandOpening]:
    """Return the closed hands of who is out, with whoever stands in, that could be opened.

    ``settled`` says which view has left a peer out.
    Somebody else than the holder has to agree, so that nobody opens a hand to itself.
    """
    roster, seating = context.roster, context.seating
    if roster.settings.absent == PASS:
        return []
    return [
        HandOpening(seat, holder.peer, settled(roster.host(seat)))
        for seat, holder in enumerate(seating.holders)
        if holder.peer in members
        and context.is_sealed(seat, holder.peer)
        and roster.host(seat) not in members
        and people(roster, members - {holder.peer})
    ]


def agreed(
    context: Context,
    members: Set[int],
    settled: Callable[[int], int],
    consents: Iterable[SignedWish],
) -> tuple[HandOpening, ...]:
    """Return the hands that members open: every person's laptop among them has signed for it."""
    given = sorted({(each.number, each.author, each.signature) for each in consents})
    if not given:
        return ()
    found, wanted = [], people(context.roster, members)
    for each in possible(context, members, settled):
        signed = (SignedWish(OPEN, a, n, s) for n, a, s in given if n == each.number)
        if wanted <= {wish.author for wish in signed if is_true(wish, context)}:
            found.append(each)
    return tuple(found)


def is_true(wish: SignedWish, context: Context) -> bool:
    """Tell whether the author that is named has signed a consent for this game."""
    try:
        check_wish(wish, context.roster, context.game_id)
    except PeerError:
        return False
    return True
