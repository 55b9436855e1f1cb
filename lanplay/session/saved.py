"""Games in progress of this installation: which there are, and going on with one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from lanplay import __version__
from lanplay.errors import Fault, UserError
from lanplay.files import REFUSALS
from lanplay.language import _
from lanplay.session.ended import shown
from lanplay.session.events import TableNotice
from lanplay.session.hosting import listen
from lanplay.session.joining import playable
from lanplay.session.lifecycle import (
    WAIT,
    Seat,
    as_guest,
    finish,
    goes_back,
    play_until_left,
    seat_again,
    sent_back,
    waiting,
)
from lanplay.session.local import is_local, resumed_alone
from lanplay.session.on_disk import drop_offer
from lanplay.session.playing import PlayedTable, answered, go_on
from lanplay.session.reconnect import leaving, table_id
from lanplay.session.settings import Network, Target
from lanplay.session.table import TableSession
from lanplay.session.trust import shown as named
from lanplay_protocol.advert import Advert
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.outbox import Entry
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.shell.beginning import Beginning, FrozenTable, Unbegun
from lanplay_protocol.shell.discovery import open_discovery
from lanplay_protocol.shell.journal import (
    Damaged,
    Journal,
    JournalError,
    SavedGame,
    in_use,
    journals,
    read_journal,
)
from lanplay_protocol.shell.node import Node, open_node
from lanplay_protocol.shell.runner import GameOutcome

LOOK_SECONDS = 3.0
"""How long it is looked whether an own game is being played."""


@dataclass(frozen=True, slots=True)
class ResumableGame:
    """A game in progress of this installation, and what is announced of it now.

    ``playing``: somebody is at it; ``ended``: it has ended without this program, and somebody
    shows how.
    """

    path: Path
    kept: SavedGame
    playing: bool
    ended: bool = False


async def resumed(session: TableSession, path: Path) -> GameOutcome:
    """Go on with the game in a file; ``UserError`` if that cannot be."""
    journal, kept, entries = opened(path, lambda text: session.tell(TableNotice(text)))
    auto = session.client.profile.auto
    with closing(journal):
        _check_start(path, kept.roster)
        if is_local(kept):
            own = kept.roster.peers[0].public
            alone = answered(kept, own, auto, programs=True) if auto else kept
            return await resumed_alone(session, alone, journal, entries)
        return await _among_others(session, path, journal, kept, entries)


def _check_start(path: Path, roster: Roster) -> None:
    """Raise ``JournalError`` if a game is to begin from what no game comes to: whoever made it."""
    if roster.start is not None:
        game = playable(roster)
        try:
            game.table(len(roster.names), roster.options, roster.start)
        except ValueError as error:
            fault, why = Fault.JOURNAL_INCONSISTENT, str(error)
            raise JournalError(fault, path=str(path), why=why) from error


async def _among_others(
    session: TableSession, path: Path, journal: Journal, kept: SavedGame, entries: list[Entry]
) -> GameOutcome:
    identity = session.identity()
    if identity.public not in {peer.public for peer in kept.roster.peers}:
        raise UserError(Fault.OTHER_IDENTITY, path=str(path))
    playable(kept.roster)
    if auto := session.client.profile.auto:
        kept = answered(kept, identity.public, auto, programs=False)
    played: PlayedTable | None = None
    seat: Seat | None = None
    async with open_node(identity, __version__) as node, shown(node, session.client):
        await _listen(node, kept, session.client.network)
        if names := others(kept, identity):
            said = _("Going on. Waiting for {names}. {leaving}")
            how = leaving(session.client.profile)
            session.tell(TableNotice(said.format(names=names, leaving=how)))
        session.client = session.client.at(node.port)
        if entries or not kept.roster.table:  # one that was continued anew was never offered
            played = await go_on(node, journal, kept, entries, session)
        else:
            session.accepted = (kept, journal)
            found = await _begun(node, kept, session)
            if isinstance(found, FrozenTable):
                played = await as_guest(session, node, found)
            else:
                seat = partial(_at, found)
        if played is not None and goes_back(played):
            seat = partial(sent_back, session, played)
        elif played is not None and await finish(
            session, played.outcome, partial(waiting, node, played.sat)
        ):
            seat = partial(seat_again, played.sat)
    if seat is None:
        assert played is not None
        return played.outcome
    if kept.password and played is not None:
        await session.ask_password()
    return await play_until_left(session, identity, seat)


def _at(target: Target, _node: Node) -> Target:
    return target


async def _begun(node: Node, kept: SavedGame, session: TableSession) -> FrozenTable | Target:
    """Return the start of a game that this program had accepted, or the table to go back to.

    ``UserError`` if nobody of that table answers in time: it stays kept.
    """
    roster = kept.roster
    places = {key: tuple(each) for key, each in kept.addresses.items()}
    if not roster.accepts:
        beginning = Beginning(node, roster, places, roster.peers[0].public)
        ended = await beginning.run(lambda text: session.tell(TableNotice(text)))
        node.events.put_back(beginning.early)
        if isinstance(ended, Unbegun):
            if node.offers.accepted(roster.table)[0] > roster.term:
                drop_offer(session)  # nobody can begin it any more
            others = [place for key, each in places.items() if key in node.linked for place in each]
            if not others:
                raise UserError(ended.why)
            return Target(wait=WAIT, places=tuple(others))
        roster = ended
    if kept.password and session.access.wanted:
        await session.ask_password()
    return FrozenTable(roster, places, kept.table, kept.password)


def opened(path: Path, tell: Callable[[str], None]) -> tuple[Journal, SavedGame, list[Entry]]:
    """Open a game in progress to go on with it; ``Problem`` if that cannot be.

    Of a damaged one what is whole goes on, as of a program that the table has to cut off first.
    """
    try:
        try:
            return Journal.open(path)
        except Damaged as damaged:
            aside, whole = damaged.set_aside()
            where = {"path": str(damaged.path), "at": damaged.at}
            tell(Fault.JOURNAL_ASIDE.of(aside=aside.name, **where))
            return Journal.open(whole)
    except OSError as error:
        fault = Fault.DISK if error.errno in REFUSALS else Fault.CANNOT_OPEN
        raise UserError(fault, path=str(path), why=error.strerror) from error


async def own_game(folder: Path, identity: Identity, network: Network) -> ResumableGame | None:
    """Return the game of this identity that is being played now, else its newest, if any."""
    rows = await looked_for(own_games(folder, identity), network)
    there = (game for game in rows if game.playing or game.ended)
    return next(there, next(iter(rows), None))


def own_games(folder: Path, identity: Identity) -> list[tuple[Path, SavedGame]]:
    """Return the games in progress of an identity, the newest first; damaged files are left out."""
    own = identity.public
    return [game for game in all_games(folder) if own in {p.public for p in game[1].roster.peers}]


def all_games(folder: Path) -> list[tuple[Path, SavedGame]]:
    """Return the games that can go on here, the newest first; files that hold none are left out."""
    found = []
    for path in (each for each in journals(folder) if not in_use(each)):
        with suppress(JournalError):
            found.append((path, looked(path)[0]))
    return found


async def looked_for(
    games: Sequence[tuple[Path, SavedGame]], network: Network
) -> list[ResumableGame]:
    """Tell which games others are playing now; nobody announces one of this machine alone."""
    tables = [table_id(kept.roster) for _, kept in games if not is_local(kept)]
    states = await _announced(tables, network) if tables else {}
    found = [(path, kept, states.get(table_id(kept.roster), "")) for path, kept in games]
    return [
        ResumableGame(path, kept, state == "running", state == "ended")
        for path, kept, state in found
    ]


async def _announced(tables: Sequence[str], network: Network) -> Mapping[str, str]:
    """Return what is announced of the tables: as soon as there is anything of the first, the
    newest, or after a while. That of an older one, which others went on with, may come before."""
    found: Mapping[str, str] = {}
    with trio.move_on_after(LOOK_SECONDS):
        async with open_discovery(network.interfaces) as discovery:
            while tables[0] not in found:
                found = states_of(tables, (row.advert for row in discovery.tables))
                if tables[0] not in found:
                    await discovery.changed()
    return found


def states_of(tables: Collection[str], adverts: Iterable[Advert]) -> Mapping[str, str]:
    """Return what is announced of some tables: one that somebody still plays has not ended."""
    known = [each for each in adverts if each.table_id in tables]
    known.sort(key=lambda each: each.state == "running")
    return {each.table_id: each.state for each in known}


def others(kept: SavedGame, identity: Identity) -> str:
    """Return the names of the others at a table."""
    return ", ".join(named(peer) for peer in kept.roster.peers if peer.public != identity.public)


def looked(path: Path) -> tuple[SavedGame, list[Entry]]:
    """Return what a game in progress holds, of a damaged one what is whole; it is not changed.

    Raises ``JournalError`` if it is none, or cannot be opened.
    """
    try:
        return read_journal(path)
    except Damaged as damaged:
        return damaged.kept, damaged.entries
    except OSError as error:
        raise JournalError(Fault.CANNOT_OPEN, path=str(path), why=error.strerror) from error


async def _listen(node: Node, kept: SavedGame, network: Network) -> None:
    """Listen where the others last knew this program, if that port is still free."""
    ports = [port for _, port in kept.addresses.get(node.identity.public, ())]
    try:
        await listen(node, network, network.port or next(iter(ports), 0))
    except UserError:
        await listen(node, network, 0)
