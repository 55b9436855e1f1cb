"""What the network commands share: this program's seats, its player, and the end of a game."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import trio

import lanplay_ai as ai
from lanplay import files
from lanplay.cli.client import Client
from lanplay.cli.desk import Desk, Screen
from lanplay.cli.reuniting import await_host, stay_findable
from lanplay.cli.seats import Seats
from lanplay.cli.verifying import verified
from lanplay.engine.game import Game
from lanplay.errors import Fault, UserError
from lanplay.games import load
from lanplay.language import _, figure
from lanplay.lines.commanding import at_keyboard
from lanplay.notices import Notice
from lanplay.session.settings import Access, Store
from lanplay.session.storage import save_record
from lanplay.session.trust import Known, refusal, warning
from lanplay.told import worded
from lanplay_ai.guard import Guarded, noted
from lanplay_protocol.replica.events import PhaseCompleted
from lanplay_protocol.replica.outbox import Entry
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.shell.host import FrozenTable
from lanplay_protocol.shell.journal import INCOMPLETE, Journal, SavedGame, journals
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.shell.runner import GameOutcome, GameRunner
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text

STAY_SECONDS = 60.0
"""How long a finished program stays for those who were away at the end."""
HELD = 3
"""Exit status of a game that is held."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a program needs to play: the game, the frozen table, its bots by seat.

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
class Played:
    """How a game ended, and the frozen table at which it was played, for a rematch."""

    outcome: GameOutcome
    sat: FrozenTable


async def play(node: Node, table: Table, client: Client) -> Played:
    """Play the game of a frozen table to its end."""
    start = table.start
    bots = {seat: (bot, os.urandom(32)) for seat, bot in table.bots.items()}
    seed = os.urandom(32)
    kept = SavedGame(start.roster, start.addresses, seed, bots, start.name, table.password)
    own = node.identity.public
    screen = screen_of(table.game, start.roster, client.desk)
    trusted = trust(table, own, client, screen)
    replica = Replica(table.game, start.roster, node.identity, kept.seed, trusted)
    seats = Seats(replica, agents(bots, table.game.name), screen, not trusted)
    seats.trusted = lambda: remember(start.roster, own, client.store)
    journal = begin(kept, client.store)
    return await run(node, replica, kept, seats, client, journal, None, table.gate)


async def go_on(
    node: Node,
    journal: Journal,
    kept: SavedGame,
    entries: Sequence[Entry],
    client: Client,
    access: Access,
) -> Played:
    """Go on with a game in progress from what this program had kept of it.

    Where its table has a password, others watch here only if it is told again.
    """
    game = load(kept.roster.game)
    replica = Replica(game, kept.roster, node.identity, kept.seed)
    own = agents(kept.bots, game.name)
    seats = Seats(replica, own, screen_of(game, kept.roster, client.desk), False)
    gate = Gate(node, await access.ask()) if kept.password and access.wanted else None
    return await run(node, replica, kept, seats, client, journal, entries, gate)


async def run(
    node: Node,
    replica: Replica,
    kept: SavedGame,
    seats: Seats,
    client: Client,
    journal: Journal | None,
    entries: Sequence[Entry] | None,
    gate: Gate | None,
) -> Played:
    """Run a replica to the end of its game; what was played stays on disk whatever happens."""
    timing = Timing()
    replica.windows = has_person(kept, node.identity.public) and people(kept.roster) > 1
    replica.jobs.offload = True
    settle()
    incomplete = journal is not None and journal.path.suffix == INCOMPLETE
    playing = GameRunner(
        node,
        replica,
        kept.roster,
        kept.addresses,
        seats,
        timing.stepped,
        None if incomplete else journal,
        entries,
        incomplete,
        gate,
        shut=kept.password and gate is None,
    )
    try:
        with seats.showing(playing):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(stay_findable, node, kept, playing, client)
                if not client.profile.auto:
                    nursery.start_soon(seats.listen)
                outcome = noted_in(await playing.run(), seats)
                nursery.cancel_scope.cancel()
    except BaseException:
        playing.leave()
        leave(noted_in(playing.outcome(), seats), journal, client.store)
        raise
    sat = FrozenTable(kept.roster, {k: tuple(a) for k, a in playing.addresses.items()}, kept.table)
    close(journal, delete=outcome.result is not None and not outcome.halted)
    if client.store.timing:
        timing.save(client.store.timing)
    if outcome.restarted is not None:
        return await continue_anew(node, outcome.restarted, playing.addresses, kept, client, gate)
    if outcome.result is None or outcome.halted or not playing.absent:
        return Played(outcome, sat)
    return Played(replace(outcome, stay=partial(stay, node, kept, playing, client)), sat)


def noted_in(outcome: GameOutcome, seats: Seats) -> GameOutcome:
    """Return an outcome whose record says which bots failed in this program."""
    return replace(outcome, record=noted(outcome.record, seats.faults))


def settle() -> None:
    """Let the garbage collector pass over what stays as long as the program: it takes it 40 ms."""
    gc.collect()
    gc.freeze()


async def stay(node: Node, kept: SavedGame, playing: GameRunner, client: Client) -> None:
    """Show the end of a game to those who were away, until all have seen it."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stay_findable, node, kept, playing, client)
        await playing.stay()
        nursery.cancel_scope.cancel()


def has_person(kept: SavedGame, own: bytes) -> bool:
    """Tell whether a person answers for a seat of this program, also when it goes on from disk."""
    seats = next(peer.seats for peer in kept.roster.peers if peer.public == own)
    return any(seat not in kept.bots for seat in seats)


def people(roster: Roster) -> int:
    """Return at how many seats of a table a person sits at its start."""
    return sum(not roster.bot(seat) for seat in range(len(roster.names)))


async def continue_anew(
    node: Node,
    roster: Roster,
    addresses: Mapping[bytes, Sequence[tuple[str, int]]],
    kept: SavedGame,
    client: Client,
    gate: Gate | None,
) -> Played:
    """Play the game with which those who are here continue; the old one stays on disk."""
    places = {key: tuple(each) for key, each in addresses.items()}
    start = FrozenTable(roster, places, kept.table)
    own = {seat: name for seat, (name, _) in kept.bots.items()}
    mine = next(peer.seats for peer in roster.peers if peer.public == node.identity.public)
    bots = {seat: own.get(seat) or roster.bot(seat) for seat in mine}
    bots = {seat: bot for seat, bot in bots.items() if bot}
    table = Table(load(roster.game), start, bots, kept.password, gate, trusted=True)
    return await play(node, table, client)


def screen_of(game: Game, roster: Roster, desk: Desk) -> Screen:
    """Return the person's screen of a table."""
    names = [clean_text(name, NICKNAME_LIMIT) for name in roster.names]
    return desk.table(game, names)


def agents(bots: Mapping[int, tuple[str, bytes]], game: str) -> dict[int, Guarded]:
    """Return this program's bots by seat, from their names and keys."""
    return {seat: ai.stand_in(name, key, game) for seat, (name, key) in bots.items()}


def hint_at_resume(store: Store) -> None:
    """Say so if a game of this installation is waiting to go on."""
    if journals(store.games):
        said = _("A game of yours can go on: lanplay resume (--list shows all).")
        print(said, file=sys.stderr)


def begin(kept: SavedGame, store: Store) -> Journal | None:
    """Start the journal of a game; a warning if the disk refuses."""
    try:
        return Journal.create(store.games, kept)
    except OSError as error:
        told = Fault.GAME_NOT_KEPT.of(path=str(error.filename), why=error.strerror)
        print(worded(told), file=sys.stderr)
        return None


def close(journal: Journal | None, delete: bool = False) -> bool:
    """Close a journal, and delete it with its game; a warning, and false, if the disk refuses."""
    try:
        if journal is not None:
            journal.close(delete)
    except OSError as error:
        told = Fault.JOURNAL_LEFT.of(path=str(error.filename), why=error.strerror)
        print(worded(told), file=sys.stderr)
        return False
    return True


def leave(outcome: GameOutcome, journal: Journal | None, store: Store) -> None:
    """Say how to come back to a game that this program leaves before its end."""
    if journal is not None and close(journal) and not journal.lost:
        print(_("The game is kept. To go on with it: lanplay resume"), file=sys.stderr)
    elif (path := _keep(outcome, store)) is not None:
        print(_("The game so far is kept in {path}.").format(path=path), file=sys.stderr)


def trust(table: Table, own: bytes, client: Client, screen: Screen) -> bool:
    """Tell whether this program trusts the table as it is, without asking its person.

    Raises ``UserError`` where keys are new and there is nobody to ask.
    """
    roster, known = table.start.roster, Known(client.store.folder)
    profile = client.profile
    strangers = known.strangers(roster, own)
    if impostors := known.impostors(roster, own):
        screen.notice(warning(impostors))
    if not (strangers or impostors) or profile.trust_new or table.password or table.trusted:
        return True
    if profile.auto:
        raise UserError(refusal(strangers or list(roster.peers)))
    return False


def remember(roster: Roster, own: bytes, store: Store) -> None:
    """Keep the keys of a table that was trusted; a warning if the disk refuses."""
    try:
        Known(store.folder).remember(roster, own)
    except OSError as error:
        told = Fault.KNOWN_NOT_KEPT.of(path=str(error.filename), why=error.strerror)
        print(worded(told), file=sys.stderr)


class Timing:
    """Notes when each phase was complete: kind, seconds, and this process's CPU seconds."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def stepped(self, event: PhaseCompleted) -> None:
        """Note a phase."""
        self.lines.append(json.dumps([event.kind, time.monotonic(), time.process_time()]))

    def save(self, path: Path) -> None:
        """Write the notes; a warning if the disk refuses."""
        try:
            files.replace(path, "\n".join(self.lines).encode(), files.COMMON)
        except OSError as error:
            told = Fault.NOT_KEPT.of(path=str(path), why=error.strerror)
            print(worded(told), file=sys.stderr)


async def finish(outcome: GameOutcome, client: Client, rematch: bool = False) -> int:
    """Keep the record, show the result, print the closing lines and return the exit status.

    ``rematch``: the person may wish for one; ``desk.again`` says then whether it does.
    Meanwhile, and at a person's table for ``STAY_SECONDS`` more, those who were away may come back
    and see how the game ended: the node still has to run for that.
    """
    path = _keep(outcome, client.store)
    if outcome.stay is None:
        await _over(outcome, client, rematch)
        return _close(outcome, path, client.json)
    async with trio.open_nursery() as nursery:
        seen = trio.Event()
        nursery.start_soon(_until_seen, outcome.stay, seen)
        await _over(outcome, client, rematch)
        status = _close(outcome, path, client.json)
        if not client.profile.auto and not client.desk.again:
            said = _("Somebody was away at the end: this program shows it for {seconds} s more.")
            print(
                said.format(seconds=figure(STAY_SECONDS, "g")),
                _("Ctrl-C ends it."),
                file=sys.stderr,
            )
            with trio.move_on_after(STAY_SECONDS):
                await seen.wait()
        nursery.cancel_scope.cancel()
    return status


async def _over(outcome: GameOutcome, client: Client, rematch: bool) -> None:
    """Show the result until the person goes on; meanwhile, tell it of a host that waits for it."""
    async with trio.open_nursery() as nursery:
        if rematch and outcome.result is not None and at_keyboard():
            nursery.start_soon(await_host, client)
        await client.desk.over(outcome.result, rematch)
        nursery.cancel_scope.cancel()


async def _until_seen(stay: Callable[[], Awaitable[None]], seen: trio.Event) -> None:
    await stay()
    seen.set()


def _close(outcome: GameOutcome, path: Path | None, as_json: bool) -> int:
    if outcome.halted:
        print(worded(Notice.HELD.of(why=outcome.halted)), file=sys.stderr)
        for line in outcome.report:
            print(f"  {line}", file=sys.stderr)
    elif path is not None:
        again = _("To check again: lanplay verify {path}").format(path=path)
        print(verified(outcome.checked), again, file=sys.stderr)
    if as_json:
        print(json.dumps(summary(outcome, path)), flush=True)
    return HELD if outcome.halted else 0


def _keep(outcome: GameOutcome, store: Store) -> Path | None:
    return save_record(outcome.record, store.record, store.folder, outcome.seen)


def summary(outcome: GameOutcome, path: Path | None) -> dict[str, Any]:
    """Return the closing JSON object of a network game."""
    record, result = outcome.record, outcome.result
    trace = hashlib.blake2b(b"".join(outcome.trace), digest_size=16)
    return {
        "game": record.header.game,
        "seats": list(record.header.seats),
        "scores": list(result.scores) if result else None,
        "winners": list(result.winners) if result else None,
        "rounds": outcome.rounds,
        "state_hash": record.state_hash.hex(),
        "steps": outcome.steps,
        "trace": trace.hexdigest(),
        "held": outcome.halted or None,
        "record": str(path) if path else None,
    }
