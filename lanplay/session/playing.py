"""A game between laptops from its frozen table to its end; what was played is always on disk."""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import trio

import lanplay_ai as ai
from lanplay.engine.game import Game
from lanplay.errors import Fault, UserError
from lanplay.games import load
from lanplay.language import _
from lanplay.notices import Notice
from lanplay.session import commands as c
from lanplay.session.ended import archive_of
from lanplay.session.reconnect import stay_findable
from lanplay.session.running import RunningGame
from lanplay.session.settings import Installation, Profile
from lanplay.session.storage import save_record
from lanplay.session.table import TableSession
from lanplay.session.timing import Timing
from lanplay.session.trust import KnownKeys, agreed, drop_left, shown
from lanplay_ai.guard import Guarded, noted
from lanplay_protocol.replica.outbox import Entry
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.shell.host import FrozenTable
from lanplay_protocol.shell.journal import INCOMPLETE, Journal, SavedGame
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.shell.runner import GameOutcome, GameRunner
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """What a peer needs to play: the game, the frozen table, its bots by seat.

    ``password``: everybody has proven to the host, and the host to everybody, to know it. ``gate``
    asks for it who wants to watch. ``trusted``: nobody is at the table who was not before.
    """

    game: Game
    start: FrozenTable
    bots: Mapping[int, str]
    password: bool = False
    gate: Gate | None = None
    trusted: bool = False


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """How a game ended, and the frozen table at which it was played, for a rematch.

    ``absent`` are the keys of those who were not there in the end. ``void``: it could not begin,
    and nobody is proven to have lied: its people go back to the table.
    """

    outcome: GameOutcome
    sat: FrozenTable
    absent: frozenset[bytes] = frozenset()
    void: bool = False


async def play(
    node: Node, table: SeatedTable, session: TableSession, away: Set[int] = frozenset()
) -> PlayedTable:
    """Play the game of a frozen table to its end; people here may be ``away`` from its start."""
    start, client = table.start, session.client
    kept, journal = taken(session, table)
    known = KnownKeys(client.store.folder)
    trusted = trusts(table, node.identity.public, known, client.profile)
    replica, game, changed = followed(node, kept, session, known, trusted)
    warned = [Fault.OTHER_KEY.of(names=changed)] if changed else []
    told = [*warned, *hosted(start.roster)]
    run = GameRun(node, replica, kept, game, session, table.gate, away=away)
    return await run.play(journal, None, told)


def followed(
    node: Node, kept: SavedGame, session: TableSession, known: KnownKeys, trusted: bool
) -> tuple[Replica, RunningGame, str]:
    """Return this program's replica of a game, what answers for its seats, and whose key is another
    one than was known; unless the table is ``trusted`` its person is asked."""
    roster, own = kept.roster, node.identity.public
    changed = ", ".join(known.impostors(roster, own))
    replica = Replica(load(roster.game), roster, node.identity, kept.seed, trusted)
    replica.openings.ahead = not known.strangers(roster, own)
    running = RunningGame(
        replica,
        agents(kept.bots, roster.game),
        session.tell,
        asks_words=not trusted,
        changed=changed,
        pace=session.pace,
        habits=session.habits,
        trusted=partial(remember, roster, own, session.client),
    )
    return replica, running, changed


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


def taken(session: TableSession, table: SeatedTable) -> tuple[SavedGame, Journal | None]:
    """Return what is kept of a game that begins, and its journal.

    It is what this program has accepted, with the certificate; or a game continued anew.
    """
    start, client = table.start, session.client
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
    kept = new_game(start, table.bots, table.password)
    return kept, begin(kept, client)


async def go_on(
    node: Node, journal: Journal, kept: SavedGame, entries: Sequence[Entry], session: TableSession
) -> PlayedTable:
    """Go on with a game in progress from what this program had kept of it.

    Where its table has a password, others watch here only if it is told again.
    """
    roster, client, known = kept.roster, session.client, KnownKeys(session.client.store.folder)
    own, start = node.identity.public, FrozenTable(roster, {}, kept.table)
    table = SeatedTable(load(roster.game), start, {}, kept.password, trusted=not roster.table)
    trusted = agreed(roster, own, entries) or trusts(table, own, known, client.profile)
    replica, running, _changed = followed(node, kept, session, known, trusted)
    told = kept.password and session.access.wanted
    gate = Gate(node, await session.access.ask()) if told else None
    return await GameRun(node, replica, kept, running, session, gate).play(journal, entries)


@dataclass(slots=True)
class GameRun:
    """A replica on its way to the end of its game; ``alone``: there are no other peers.

    Then nobody holds what a journal misses: it is gone on with as if nothing were missing. For the
    seats of people who are ``away`` AI answers as soon as it runs.
    """

    node: Node
    replica: Replica
    kept: SavedGame
    game: RunningGame
    session: TableSession
    gate: Gate | None = None
    alone: bool = False
    away: Set[int] = frozenset()

    async def play(
        self, journal: Journal | None, entries: Sequence[Entry] | None, told: Sequence[str] = ()
    ) -> PlayedTable:
        """Play to the end; what was played stays on disk whatever happens.

        With ``entries`` it goes on from there. ``told`` are sentences that come first.
        """
        kept, client, timing = self.kept, self.session.client, Timing()
        own = self.node.identity.public
        self.replica.windows = has_person(kept, own) and people(kept.roster) > 1
        self.replica.jobs.offload = True
        settle()
        playing = self._playing(timing, journal, entries)
        self.game.playing = playing
        self.session.kept_in = None if journal is None else journal.path
        self.session.begin(self.game)
        for text in told:
            self.game.notice(text)
        try:
            async with trio.open_nursery() as nursery:
                if not self.alone:
                    nursery.start_soon(stay_findable, self.node, kept, playing.links, client)
                nursery.start_soon(self._leave_to_ai)
                outcome = self._noted(await playing.run())
                nursery.cancel_scope.cancel()
        except BaseException:
            self._remember()
            if playing.begun:
                playing.leave()
                leave(self._noted(playing.outcome()), journal, client)
            else:
                close(journal, client)
            raise
        self._remember()
        offered, continues = bool(kept.roster.table), kept.roster.start is not None
        came = outcome.on_record or outcome.restarted is not None
        vain = (offered or continues) and not came
        kept_end = outcome.signed and self._keep_end(outcome, bool(playing.absent))
        close(journal, client, delete=vain)
        if vain and continues:  # the one that it was to continue is the newest again
            client.say(Notice.KEPT.of())
        if kept_end:  # who is killed before its record is kept sees the end once more
            outcome = replace(outcome, forget=partial(close, journal, client, delete=True))
        if client.store.timing:
            timing.save(client.store.timing, client.store.lost)
        if outcome.restarted is not None:
            return await self._play_restarted(outcome.restarted, playing)
        addresses = {key: tuple(each) for key, each in playing.links.addresses.items()}
        if outcome.result is not None and playing.absent:
            outcome = replace(outcome, stay=partial(self._stay, playing, journal))
        away = playing.missing.keys() - playing.elsewhere
        gone = frozenset(kept.roster.peers[place].public for place in away)
        sat = FrozenTable(kept.roster, addresses, kept.table)
        return PlayedTable(outcome, sat, gone, void=vain and offered)

    def _playing(
        self, timing: Timing, journal: Journal | None, entries: Sequence[Entry] | None
    ) -> GameRunner:
        stale = journal is not None and journal.path.suffix == INCOMPLETE and not self.alone
        return GameRunner(
            self.node,
            self.replica,
            self.kept.roster,
            self.kept.addresses,
            self.game,
            timing.stepped,
            journal,
            entries,
            stale,
            self.gate,
            shut=self.kept.password and self.gate is None,
        )

    async def _leave_to_ai(self) -> None:
        """Let AI answer for who is away: the game runs by the time that anything beside it does."""
        for seat in sorted(self.away):
            self.game.submit(c.SetAway(seat, True))

    def _remember(self) -> None:
        """Keep what was learnt of the people here; a warning where that is impossible."""
        if why := self.session.habits.save():
            self.session.client.say(why)

    def _noted(self, outcome: GameOutcome) -> GameOutcome:
        """Return an outcome whose record says which bots failed in this program."""
        return replace(outcome, record=noted(outcome.record, self.game.faults))

    def _keep_end(self, outcome: GameOutcome, missed: bool) -> bool:
        """Keep the end of a game for who missed it; tell whether it is on the disk."""
        if self.alone:
            return True
        try:
            archive_of(self.session.client.store).keep(outcome.record, missed)
        except OSError as error:
            told = Fault.END_NOT_KEPT.of(path=str(error.filename), why=error.strerror)
            self.session.client.say(told)
            return False
        return True

    async def _stay(self, playing: GameRunner, journal: Journal | None) -> None:
        """Show the end of a game to those who were away, until all have seen it."""
        async with trio.open_nursery() as nursery:
            links, client = playing.links, self.session.client
            nursery.start_soon(stay_findable, self.node, self.kept, links, client)
            await playing.stay()
            nursery.cancel_scope.cancel()
        outcome = self._noted(playing.outcome())
        if outcome.signed and self._keep_end(outcome, missed=False):
            close(journal, self.session.client, delete=True)

    async def _play_restarted(self, roster: Roster, playing: GameRunner) -> PlayedTable:
        """Play the game with which those who are here continue; the old one stays on disk."""
        kept = self.kept
        places = {key: tuple(each) for key, each in playing.links.addresses.items()}
        own = {seat: name for seat, (name, _) in kept.bots.items()}
        public = self.node.identity.public
        mine = next(peer.seats for peer in roster.peers if peer.public == public)
        bots = {seat: own.get(seat) or roster.bot(seat) for seat in mine}
        bots = {seat: bot for seat, bot in bots.items() if bot}
        start = FrozenTable(roster, places, kept.table)
        table = SeatedTable(load(roster.game), start, bots, kept.password, self.gate, trusted=True)
        return await play(self.node, table, self.session, self.game.away)


def hosted(roster: Roster) -> list[str]:
    """Return who plays through whose laptop, which could see what they hold, in sentences."""
    out: list[str] = []
    for place, peer in enumerate(roster.peers):
        people = [roster.names[seat] for seat in peer.seats if not roster.bot(seat)]
        guests = [clean_text(each, NICKNAME_LIMIT) for each in people if each != peer.name]
        out += [Notice.HOSTED.of(name=name, laptop=roster.shown(place)) for name in guests]
    return out


def settle() -> None:
    """Let the garbage collector pass over what stays as long as this game: it takes it 40 ms.

    What the game before has left, nobody needs any more.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def has_person(kept: SavedGame, own: bytes) -> bool:
    """Tell whether a person answers for a seat of this program, also when it goes on from disk."""
    seats = next(peer.seats for peer in kept.roster.peers if peer.public == own)
    return any(seat not in kept.bots for seat in seats)


def people(roster: Roster) -> int:
    """Return at how many seats of a table a person sits at its start."""
    return sum(not roster.bot(seat) for seat in range(len(roster.names)))


def agents(bots: Mapping[int, tuple[str, bytes]], game: str) -> dict[int, Guarded]:
    """Return this program's bots by seat, from their names and keys."""
    return {seat: ai.stand_in(name, key, game) for seat, (name, key) in bots.items()}


def answered(kept: SavedGame, own: bytes, bot: str, *, programs: bool) -> SavedGame:
    """Return a game in which a bot answers for this program's person; ``Mistake`` for an unknown.

    ``programs``: it may be one that runs beside this one.
    """
    roster, key = kept.roster, os.urandom(32)
    ai.check(bot, key, roster.game, programs=programs)
    seats = next(peer.seats for peer in roster.peers if peer.public == own)
    persons = [seat for seat in seats if not roster.bot(seat)]
    return replace(kept, bots={**kept.bots, **dict.fromkeys(persons, (bot, key))})


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


def trusts(table: SeatedTable, own: bytes, known: KnownKeys, profile: Profile) -> bool:
    """Tell whether this program trusts the table as it is, without asking its person.

    Raises ``UserError`` where keys are new and there is nobody to ask.
    """
    roster = table.start.roster
    strangers = known.strangers(roster, own)
    if not (strangers or known.impostors(roster, own)):
        return True
    if profile.trust_new or table.password or table.trusted:
        return True
    if profile.auto:
        names = ", ".join(map(shown, strangers or roster.peers))
        raise UserError(Fault.STRANGERS, names=names)
    return False


def remember(roster: Roster, own: bytes, client: Installation) -> None:
    """Keep the keys of a table that was trusted; a warning if the disk refuses."""
    try:
        KnownKeys(client.store.folder).remember(roster, own)
    except OSError as error:
        client.say(Fault.KNOWN_NOT_KEPT.of(path=str(error.filename), why=error.strerror))
