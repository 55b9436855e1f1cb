"""Continuing a game anew among too few peers to open what the old one holds.

All who are here have to agree. The public state of the last round boundary stays, the hidden cards
are dealt again under new keys, and the seats of the others go to AI; the old game stays as it was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from lanplay.engine.game import Game
from lanplay.engine.record import Entry, Record
from lanplay.engine.replay import Replay, boundary
from lanplay.engine.requests import Round
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.wire import encode


def last_boundary(game: Game, roster: Roster, history: list[Entry]) -> int | None:
    """Return the round at whose beginning the game could start anew; ``None`` before the first."""
    table = boundary(game, roster.header, history)
    return None if table is None else int(table.round) + 1


def boundaries(game: Game, roster: Roster, history: list[Entry]) -> dict[int, bytes]:
    """Return the rounds at whose beginning the game could start anew, each with its state's hash.

    Where a game has forked, those on its two sides know the same ones up to there.
    """
    replay = Replay(game, Record(roster.header, history, b"", finished=False))
    found: dict[int, bytes] = {}
    while True:
        request = replay.request
        if isinstance(request, Round):
            found[request.number] = digest("boundary", encode(game.snapshot(replay.table)))
        if not replay.advance():
            return found


def last_common(known: Collection[Mapping[int, bytes]]) -> int | None:
    """Return the last round that began alike for all who know these; ``None`` if none did."""
    rounds = set.intersection(*(set(each.items()) for each in known))
    return max((number for number, _ in rounds), default=None)


def restarted_roster(
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
        holder.bot if holder.peer in here else holder.bot or roster.settings.bot
        for holder in holders
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
    unoffered = replace(roster, table="", term=0, accepts=())
    return replace(unoffered, peers=peers, bots=bots, start=game.snapshot(table))


def continues(game: Game, old: Roster, history: list[Entry], new: Roster) -> bool:
    """Tell whether a roster is of a game that continues an old one, of which a history is known.

    It is if some of the same peers play the same game at the same seats from the public state of
    one of its round boundaries.
    """
    keys = [peer.public for peer in old.peers]
    places = [keys.index(peer.public) for peer in new.peers if peer.public in keys]
    if len(places) < len(new.peers) or places != sorted(places) or new.start is None:
        return False
    same = replace(new, peers=old.peers, bots=old.bots, start=old.start)
    if same != replace(old, table="", term=0, accepts=()):
        return False
    last = last_boundary(game, old, history) or 0
    starts = (boundary(game, old.header, history, number) for number in range(1, last + 1))
    return any(table is not None and game.snapshot(table) == new.start for table in starts)
