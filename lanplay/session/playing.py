"""A game between laptops from its frozen table to its end; what was played is always on disk."""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

import trio

import lanplay_ai as ai
from lanplay.engine.game import Game
from lanplay.errors import Fault, UserError
from lanplay.games import load
from lanplay.notices import Notice
from lanplay.session import commands as c
from lanplay.session.ended import archive_of
from lanplay.session.on_disk import close, leave, taken
from lanplay.session.reconnect import stay_findable
from lanplay.session.running import RunningGame
from lanplay.session.settings import Installation, Profile
from lanplay.session.table import TableSession
from lanplay.session.timing import Timing
from lanplay.session.trust import KnownKeys, agreed, shown
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
    kept, journal = taken(session, start, table.bots, table.password)
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
        timing = Timing()
        playing = self._playing(timing, journal, entries)
        self._show(playing, journal, told)
        try:
            outcome = await self._to_the_end(playing)
        except BaseException:
            self._left(playing, journal)
            raise
        finally:
            self._remember()
        vain = self._in_vain(outcome)
        outcome = self._settled(outcome, playing, journal, vain)
        store = self.session.client.store
        if store.timing:
            timing.save(store.timing, store.lost)
        if outcome.restarted is not None:
            return await self._play_restarted(outcome.restarted, playing)
        return self._played(outcome, playing, vain)

    def _show(self, playing: GameRunner, journal: Journal | None, told: Sequence[str]) -> None:
        """Let the session show the game from now on."""
        own, roster = self.node.identity.public, self.kept.roster
        self.replica.windows = has_person(self.kept, own) and people(roster) > 1
        self.replica.jobs.offload = True
        settle()
        self.game.playing = playing
        self.session.kept_in = None if journal is None else journal.path
        self.session.begin(self.game)
        for text in told:
            self.game.notice(text)

    async def _to_the_end(self, playing: GameRunner) -> GameOutcome:
        """Play, findable for whoever comes back."""
        async with trio.open_nursery() as nursery:
            if not self.alone:
                links, client = playing.links, self.session.client
                nursery.start_soon(stay_findable, self.node, self.kept, links, client)
            nursery.start_soon(self._leave_to_ai)
            outcome = self._noted(await playing.run())
            nursery.cancel_scope.cancel()
        return outcome

    def _left(self, playing: GameRunner, journal: Journal | None) -> None:
        """Keep a game that does not come to its end here, and tell the others."""
        if playing.begun:
            playing.leave()
            leave(self._noted(playing.outcome()), journal, self.session.client)
        else:
            close(journal, self.session.client)

    def _in_vain(self, outcome: GameOutcome) -> bool:
        """Tell whether a game that was offered, or that continues another, has not begun."""
        awaited = bool(self.kept.roster.table) or self.kept.roster.start is not None
        return awaited and not outcome.on_record and outcome.restarted is None

    def _settled(
        self, outcome: GameOutcome, playing: GameRunner, journal: Journal | None, vain: bool
    ) -> GameOutcome:
        """Keep what others may still ask for; return the outcome with what is left to be done."""
        client = self.session.client
        kept_end = outcome.signed and self._keep_end(outcome, bool(playing.absent))
        close(journal, client, delete=vain)
        if vain and self.kept.roster.start is not None:  # the one that it was to continue is next
            client.say(Notice.KEPT.of())
        if kept_end:  # who is killed before its record is kept sees the end once more
            outcome = replace(outcome, forget=partial(close, journal, client, delete=True))
        if outcome.result is not None and playing.absent:
            outcome = replace(outcome, stay=partial(self._stay, playing, journal))
        return outcome

    def _played(self, outcome: GameOutcome, playing: GameRunner, vain: bool) -> PlayedTable:
        """Return how the game ended, with the table for the next one."""
        roster = self.kept.roster
        addresses = {key: tuple(each) for key, each in playing.links.addresses.items()}
        away = playing.missing.keys() - playing.elsewhere
        gone = frozenset(roster.peers[place].public for place in away)
        sat = FrozenTable(roster, addresses, self.kept.table)
        return PlayedTable(outcome, sat, gone, void=vain and bool(roster.table))

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
