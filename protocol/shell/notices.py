"""What is said, alike to those who play and those who watch, when seats and peers change."""

from __future__ import annotations

from protocol.replica.events import (
    Accused,
    Changed,
    Event,
    Held,
    Missing,
    Reached,
    Seated,
    Unkept,
    Waiting,
    Willing,
)
from protocol.replica.roster import NAME, Roster
from protocol.text import clean_text

TOO_FEW = (
    "Too few laptops are here to go on: the game waits for the others. It is kept, and lanplay "
    "resume goes on with it. If all who are here type anew, they continue as a new game, with AI "
    "in the other seats and all hidden cards dealt again."
)


def change(roster: Roster, event: Changed | Seated) -> list[str]:
    """Return the sentences about who takes part, or who answers for a seat, from now on."""
    if isinstance(event, Changed):
        out = [f"{roster.shown(peer)} is out; AI takes its seats." for peer in event.lost]
        return out + [f"{roster.shown(peer)} takes its seats again." for peer in event.back]
    holder = event.holder
    name = clean_text(roster.names[event.seat], NAME)
    who = f"the AI {clean_text(holder.bot, NAME)} on" if holder.bot else "its person at"
    return [f"{name}: {who} the laptop of {roster.shown(holder.peer)} plays now."]


def sentences(roster: Roster, event: Event, why: str, now: float) -> list[str]:
    """Return what to say of an event; ``why`` is the reason of a peer's last broken connection."""
    shown = roster.shown
    match event:
        case Changed() | Seated():
            return change(roster, event)
        case Missing(peer=peer, until=until):
            head = f"{shown(peer)} is not connected{f' ({why})' if why else ''}"
            left = "" if until is None else f"{max(0, until - now):.0f}"
            return [
                f"{head}; AI takes its seats in {left} s." if left else f"{head}; the game waits."
            ]
        case Reached(peer=peer):
            return [f"{shown(peer)} is back."]
        case Waiting():
            return [TOO_FEW]
        case Unkept(peer=peer):
            return [f"{shown(peer)} can no longer keep the game on its disk."]
        case Willing(peer=peer):
            return [f"{shown(peer)} wants to continue without the others: anew agrees."]
        case Accused(peer=peer, text=text):
            return [f"{shown(peer)} broke the rules of the table: {text}"]
        case Held(reason=reason):
            return [f"the game is held: {reason}"]
    return []
