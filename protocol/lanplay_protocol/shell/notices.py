"""What is said, alike to those who play and those who watch, when seats and peers change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lanplay.errors import by_code
from lanplay.notices import Notice
from lanplay.told import Told, briefly
from lanplay_protocol.replica.events import (
    Accused,
    Event,
    Halted,
    HandOpened,
    OpeningAsked,
    PeerNotDurable,
    PeerReachable,
    PeerUnreachable,
    QuorumLost,
    RestartVote,
    SeatReassigned,
    ViewChanged,
    WaitDisputed,
)
from lanplay_protocol.replica.roster import NAME, Roster
from lanplay_protocol.replica.settings import PASS
from lanplay_protocol.text import clean_text


def change(roster: Roster, event: ViewChanged | SeatReassigned | HandOpened) -> list[Told]:
    """Return the sentences about who takes part, or who answers for a seat, from now on."""
    if isinstance(event, ViewChanged):
        slow = [Notice.SLOW.of(name=roster.shown(peer)) for peer in event.slow]
        told = Notice.OUT_PASS if roster.settings.absent == PASS else Notice.OUT
        out = [told.of(name=roster.shown(peer)) for peer in event.lost]
        return slow + out + [Notice.IN_AGAIN.of(name=roster.shown(peer)) for peer in event.back]
    holder = event.holder
    seat = clean_text(roster.names[event.seat], NAME)
    name = roster.shown(holder.peer)
    if isinstance(event, HandOpened):
        return [Notice.OPENED.of(seat=seat, name=name, bot=clean_text(holder.bot, NAME))]
    stands_in = roster.host(event.seat) != holder.peer and not roster.bot(event.seat)
    if stands_in and roster.settings.absent == PASS:
        return [Notice.NOBODY_PLAYS.of(seat=seat, name=name)]
    if seat == name and roster.host(event.seat) == holder.peer:  # who has this laptop
        return [(Notice.AI_PLAYS_HERE if holder.bot else Notice.ANSWERS_AGAIN).of(name=name)]
    if holder.bot:
        return [Notice.AI_PLAYS.of(seat=seat, bot=clean_text(holder.bot, NAME), name=name)]
    return [Notice.PERSON_PLAYS.of(seat=seat, name=name)]


OF_ONE: Final[Mapping[type[Event], Notice]] = {
    PeerReachable: Notice.REACHED,
    PeerNotDurable: Notice.UNKEPT,
    RestartVote: Notice.WILLING,
}


def _disputed(roster: Roster, event: WaitDisputed) -> Told:
    who = {"name": roster.shown(event.peer), "who": roster.shown(event.about)}
    if event.keep:
        return Notice.WAITS.of(**who)
    told = Notice.WAITS_NOT if event.asks else Notice.WAITS_NOT_TOLD
    return told.of(**who, votes=event.votes, needed=event.needed)


def sentences(roster: Roster, event: Event, why: str) -> list[Told]:
    """Return what to say of an event; ``why`` is the reason of a peer's last broken connection."""
    shown = roster.shown
    match event:
        case ViewChanged() | SeatReassigned() | HandOpened():
            return change(roster, event)
        case OpeningAsked(seats=seats) if seats:
            names = ", ".join(clean_text(roster.names[seat], NAME) for seat, _ in seats)
            return [Notice.ASKED_TO_OPEN.of(seats=names)]
        case PeerUnreachable(peer=peer):
            told = Notice.MISSING_WHY if why else Notice.MISSING
            return [told.of(name=shown(peer), why=briefly(why))]
        case QuorumLost():
            return [Notice.TOO_FEW.of()]
        case PeerReachable() | PeerNotDurable() | RestartVote():
            return [OF_ONE[type(event)].of(name=shown(event.peer))]
        case WaitDisputed():
            return [_disputed(roster, event)]
        case Accused(peer=peer, code=code, text=text):
            return [Notice.ACCUSED.of(name=shown(peer), why=by_code(code, text))]
        case Halted(reason=reason):
            return [Notice.HELD.of(why=reason)]
    return []
