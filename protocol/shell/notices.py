"""What is said, alike to those who play and those who watch, when seats and peers change."""

from __future__ import annotations

from protocol.replica.events import Changed, Seated
from protocol.replica.roster import NAME, Roster
from protocol.text import clean_text


def change(roster: Roster, event: Changed | Seated) -> list[str]:
    """Return the sentences about who takes part, or who answers for a seat, from now on."""
    if isinstance(event, Changed):
        out = [f"{roster.shown(peer)} is out; AI takes its seats." for peer in event.lost]
        return out + [f"{roster.shown(peer)} takes its seats again." for peer in event.back]
    holder = event.holder
    name = clean_text(roster.names[event.seat], NAME)
    who = f"the AI {clean_text(holder.bot, NAME)} on" if holder.bot else "its person at"
    return [f"{name}: {who} the laptop of {roster.shown(holder.peer)} plays now."]
