"""What is kept of a game on this disk, from the offer that was accepted to its record.

A journal goes once nobody can want to go on with its game:

======================================  ===========  ===========================================
the game                                its record   its journal
======================================  ===========  ===========================================
is offered, and this program accepts    none         begins (``keep_offer``): others may begin
is void, as a later one is accepted     none         goes (``drop_offer``)
was left before its words were agreed   none         goes then, too (``drop_left``)
begins                                  none         gets the certificate (``taken``)
is left, or this program fails          none         stays (``leave``)
could not begin, or not go on anew      none         goes
has ended, and all there signed that    kept         goes after the record (``forget``)
has ended without that, or is held      kept         stays
is continued as a new game              none         stays, beside that of the new one
======================================  ===========  ===========================================
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from lanplay.errors import Fault
from lanplay.language import _
from lanplay.notices import Notice
from lanplay.session.profile import public_now
from lanplay.session.settings import Installation, Store
from lanplay.session.storage import save_record
from lanplay.session.table import TableSession
from lanplay.session.trust import agreed
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.shell.host import FrozenTable
from lanplay_protocol.shell.journal import (
    Journal,
    JournalError,
    SavedGame,
    journals,
    read_journal,
)
from lanplay_protocol.shell.runner import GameOutcome


def new_game(start: FrozenTable, bots: Mapping[int, str], password: bool) -> SavedGame:
    """Return what a game needs to go on, with fresh secrets."""
    keyed = {seat: (bot, os.urandom(32)) for seat, bot in bots.items()}
    return SavedGame(start.roster, start.addresses, os.urandom(32), keyed, start.name, password)


def keep_offer(
    session: TableSession, offer: FrozenTable, bots: Mapping[int, str], password: bool
) -> None:
    """Keep what this program is about to accept on disk: others may begin it without its knowing.

    What it had accepted before is void by that, and kept until then; the same offer is kept once.
    """
    if accepted(session, offer.roster):
        return
    kept = new_game(offer, bots, password)
    journal = begin(kept, session.client)
    drop_offer(session)
    drop_left(session.client.store, offer.roster)
    session.accepted = (kept, journal)


def accepted(session: TableSession, offer: Roster) -> bool:
    """Tell whether this is what this program has accepted last."""
    known = session.accepted
    return known is not None and known[0].roster.digest() == offer.digest()


def drop_offer(session: TableSession, delete: bool = True) -> None:
    """Forget an accepted offer, on the disk too if nobody can begin it, or its person leaves."""
    if session.accepted is not None:
        _, journal = session.accepted
        session.accepted = None
        close(journal, session.client, delete)


def drop_left(store: Store, offer: Roster) -> None:
    """Delete what is kept of earlier starts of a table that this program left before it trusted it.

    Nobody can play them any more: without it they did not begin, and all have gone back there.
    """
    own = public_now(store.folder)
    for path in journals(store.games):
        with suppress(JournalError, OSError):  # what is damaged is no hindrance to sit down
            kept, entries = read_journal(path)
            start = kept.roster
            earlier = start.table == offer.table and start.term < offer.term
            ours = any(peer.public == own for peer in start.peers)
            if earlier and ours and not agreed(start, own, entries):
                path.unlink()
                forget_beside(path)


def taken(
    session: TableSession, start: FrozenTable, bots: Mapping[int, str], password: bool
) -> tuple[SavedGame, Journal | None]:
    """Return what is kept of a game that begins, and its journal.

    It is what this program has accepted, with the certificate; or a game continued anew.
    """
    client = session.client
    if session.accepted is not None and accepted(session, start.roster):
        (kept, journal), session.accepted = session.accepted, None
        kept = replace(kept, roster=start.roster, addresses=start.addresses)
        try:
            if journal is not None:
                journal.begin(start.roster)
        except OSError as error:
            client.say(Fault.GAME_NOT_KEPT.of(path=str(error.filename), why=error.strerror))
            close(journal, client, delete=True)
            journal = None
        return kept, journal
    drop_offer(session)
    kept = new_game(start, bots, password)
    return kept, begin(kept, client)


def begin(kept: SavedGame, client: Installation) -> Journal | None:
    """Start the journal of a game; a warning if the disk refuses."""
    try:
        return Journal.create(client.store.games, kept)
    except OSError as error:
        client.say(Fault.GAME_NOT_KEPT.of(path=str(error.filename), why=error.strerror))
        return None


def close(journal: Journal | None, client: Installation, delete: bool = False) -> bool:
    """Close a journal, and delete it with its game; a warning, and false, if the disk refuses."""
    try:
        if journal is not None:
            journal.close(delete)
            if delete:
                forget_beside(journal.path)
    except OSError as error:
        client.say(Fault.JOURNAL_LEFT.of(path=str(error.filename), why=error.strerror))
        return False
    return True


def guests_of(journal: Path) -> Path:
    """Return where the people with phones of a kept game are kept."""
    return journal.with_suffix(".guests")


def coached_in(journal: Path) -> Path:
    """Return where the coach of a kept game notes what it has said."""
    return journal.with_suffix(".coach")


def forget_beside(journal: Path) -> None:
    """Delete what is kept beside a journal; ``OSError`` if the disk refuses."""
    for path in (guests_of(journal), coached_in(journal)):
        path.unlink(missing_ok=True)


def leave(outcome: GameOutcome, journal: Journal | None, client: Installation) -> None:
    """Say how to come back to a game that this program leaves before its end."""
    if journal is not None and close(journal, client) and not journal.lost:
        client.say(Notice.KEPT.of())
    elif (path := keep(outcome, client)) is not None:
        client.say(_("The game so far is kept in {path}.").format(path=path))


def keep(outcome: GameOutcome, client: Installation) -> Path | None:
    """Keep the record of a game and return its path; ``None`` where there is to be none, or, with
    a warning, where that is impossible."""
    if not outcome.on_record:
        return None
    store = client.store
    how = store.record, store.folder, outcome.seen, client.say, outcome.restored
    return save_record(outcome.record, *how)
