"""A table of this machine alone: one peer, all seats its own, no socket and no discovery.

It is a network game like any other, with full crypto and a journal; only its record has no
signatures: nobody else has to trust it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

import lanplay_ai as ai
from lanplay import __version__
from lanplay.engine.record import ALONE, AUTO, FAILURES
from lanplay.errors import Mistake, UserError
from lanplay.games import load
from lanplay.session.company import company
from lanplay.session.joining import installed
from lanplay.session.lifecycle import finish
from lanplay.session.on_disk import begin
from lanplay.session.playing import GameRun, PlayedTable
from lanplay.session.requests import (
    SEED_BYTES,
    TableSetup,
    bot_key,
    derived,
    seed_bytes,
    table_setup,
)
from lanplay.session.running import RunningGame
from lanplay.session.settings import Profile, TableWish
from lanplay.session.table import TableSession
from lanplay_ai.guard import Guarded
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.audit import Auditor
from lanplay_protocol.replica.messages import parse_signed
from lanplay_protocol.replica.outbox import Entry
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import NAME, NONCE, Peer, Roster
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.journal import Journal, SavedGame
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.shell.runner import GameOutcome


def identity_of(seed: bytes) -> Identity:
    """Return the identity of a local table: it follows from its seed, so that a seed repeats it."""
    return Identity(derived(seed, "identity"))


def is_local(kept: SavedGame) -> bool:
    """Tell whether a game in progress is one of this machine alone."""
    peers = kept.roster.peers
    return len(peers) == 1 and peers[0].public == identity_of(kept.seed).public


def local_table(
    table: TableSetup, wish: TableWish, profile: Profile, seed: bytes, typed: bool
) -> SavedGame:
    """Return the game to be played; a seed that was ``typed`` is short enough to be found."""
    others = company(wish.game, wish.bot, wish.seats - 1, derived(seed, "company")[0])
    plain = [(f"{wish.bot} {seat}", wish.bot) for seat in range(len(others) + 2, wish.seats + 1)]
    names, kinds = zip((profile.name, profile.auto), *others, *plain, strict=True)
    bots = {}
    for seat, bot in enumerate(kinds):
        if bot:
            purpose = ("bot", seat)
            key = bot_key(seed, bot, wish.game, *purpose) if typed else derived(seed, *purpose)
            bots[seat] = (bot, key)
    peer = Peer(identity_of(seed).public, profile.name, tuple(range(wish.seats)), bytes(NONCE))
    roster = Roster(
        game=wish.game,
        rules=table.game.fingerprint,
        options=dict(table.options),
        names=tuple(name[:NAME] for name in names),
        peers=(peer,),
        bots=("", *(bot[:NAME] for bot in kinds[1:])),
        settings=TableSettings(0, wish.bot[:NAME], hints=wish.hints),
    )
    return SavedGame(roster, {}, seed, bots)


async def played_alone(session: TableSession, wish: TableWish, seed: int | None) -> GameOutcome:
    """Play on this machine until the person wants no rematch."""
    profile = session.client.profile
    bots = [wish.bot, *([profile.auto] if profile.auto else [])]
    table = table_setup(wish.game, wish.seats, wish.options, bots)
    secret = os.urandom(SEED_BYTES) if seed is None else seed_bytes(seed)
    while True:
        kept = local_table(table, wish, profile, secret, seed is not None)
        journal = begin(kept, session.client)
        outcome = await play_local(session, kept, journal, None)
        if not await finish(session, outcome):
            return outcome
        secret = os.urandom(SEED_BYTES) if seed is None else derived(secret, "rematch")


async def resumed_alone(
    session: TableSession, kept: SavedGame, journal: Journal, entries: Sequence[Entry]
) -> GameOutcome:
    """Go on with a game of this machine, and play again until the person wants no rematch."""
    check_rules(kept, entries)
    outcome = await play_local(session, kept, journal, entries)
    if not await finish(session, outcome):
        return outcome
    roster = kept.roster
    wish = TableWish(
        game=roster.game,
        seats=len(roster.names),
        bot=roster.settings.bot,
        options=roster.options,
        hints=roster.settings.hints,
    )
    return await played_alone(session, wish, None)


def check_rules(kept: SavedGame, entries: Sequence[Entry]) -> None:
    """Raise ``UserError`` if a game that other rules began comes to other states by these here."""
    game = installed(kept.roster)
    if game.plays(kept.roster.rules):
        return
    auditor = Auditor(game, kept.roster)
    try:
        moves = [parse_signed(plain) for kind, plain in entries if kind == "move"]
        by_phase = {each.phase: (each,) for each in moves}  # in some nobody has anything to say
        phases = [by_phase.get(n, ()) for n in range(max(by_phase, default=-1) + 1)]
        found = auditor.follow(phases, [])
    except Exception as error:  # rules may raise anything where answers are not theirs
        raise UserError(auditor.rules_part(game)) from error
    if found is not None:
        raise UserError(auditor.rules_part(game))


async def play_local(
    session: TableSession, kept: SavedGame, journal: Journal | None, entries: Sequence[Entry] | None
) -> GameOutcome:
    """Play a game of this machine alone to its end; with ``entries`` go on from there.

    A journal that lies elsewhere may be anybody's: of it no program is started but one typed now.
    """
    identity = identity_of(kept.seed)
    replica = Replica(load(kept.roster.game), kept.roster, identity, kept.seed)
    whole = {name[:NAME]: name for name, _key in kept.bots.values()}
    own = journal is None or journal.path.parent.resolve() == session.client.store.games.resolve()

    def agent(name: str, key: bytes, game: str) -> Guarded:
        """Return a bot, which may be a program; the plainest one where it is not here any more."""
        name = whole.get(name, name)
        try:
            return ai.guarded(name, key, game, programs=own or name == session.client.profile.auto)
        except Mistake:
            return ai.stand_in(name, key, game)

    game = RunningGame(
        replica,
        {seat: agent(*bot, kept.roster.game) for seat, bot in kept.bots.items()},
        session.tell,
        pace=session.pace,
        habits=session.habits,
        alone=True,
        stand_in=agent,
    )
    async with open_node(identity, __version__) as node:  # it listens nowhere
        run = GameRun(node, replica, kept, game, session, alone=True)
        played = await run.play(journal, entries)
    return without_signatures(played, kept)


def without_signatures(played: PlayedTable, kept: SavedGame) -> GameOutcome:
    """Return an outcome whose record is that of a game of one machine."""
    record = played.outcome.record
    auto: Mapping[str, str] = {AUTO: kept.bots[0][0]} if 0 in kept.bots else {}
    extra = {name: value for name, value in record.extra.items() if name == FAILURES}
    return replace(played.outcome, record=replace(record, extra={**extra, ALONE: True, **auto}))
