"""Continuing a game anew among too few peers to open what the old one holds.

All who are here have to agree. The public state of the last round boundary stays, the hidden cards
are dealt again under new keys, and the seats of the others go to AI; the old game stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lanplay.engine.game import Game
from lanplay.engine.record import Entry
from lanplay.engine.replay import boundary
from protocol.replica.roster import Peer, Roster
from protocol.replica.seating import Holder


def last_boundary(game: Game, roster: Roster, history: list[Entry]) -> int | None:
    """Return the round at whose beginning the game could start anew; ``None`` before the first."""
    table = boundary(game, roster.header, history)
    return None if table is None else int(table.round) + 1


def afresh(
    game: Game,
    roster: Roster,
    history: list[Entry],
    holders: list[Holder],
    here: Mapping[int, tuple[bytes, int]],
) -> Roster:
    """Return the roster of the new game, the same for all who agree.

    ``here`` are the peers that do, each with a fresh nonce and its own last boundary: the earliest
    counts. ``ValueError`` if the history does not reach it.
    """
    number = min(known for _, known in here.values())
    table = boundary(game, roster.header, history, number)
    if table is None:
        raise ValueError(f"round {number} has not begun here")
    places = sorted(here)
    takers = [
        holder.peer if holder.peer in here else places[seat % len(places)]
        for seat, holder in enumerate(holders)
    ]
    bots = tuple(
        holder.bot if holder.peer in here else holder.bot or roster.house.bot for holder in holders
    )
    peers = tuple(
        Peer(
            roster.peers[place].public,
            roster.peers[place].name,
            tuple(seat for seat, taker in enumerate(takers) if taker == place),
            here[place][0],
        )
        for place in places
    )
    return replace(roster, peers=peers, bots=bots, start=game.start(table))
