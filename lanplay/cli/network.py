"""What the network commands share: this program's seats, its player, and the end of a game."""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trio

import ai
from lanplay.cli.lines import Lines
from lanplay.cli.plain import PlainUI
from lanplay.cli.settings import save_record
from lanplay.cli.verifying import verified
from lanplay.engine.agent import Agent
from lanplay.engine.game import Game
from lanplay.engine.question import Answer, Illegal, Message, Question
from lanplay.engine.view import View
from protocol.identity import SEED, Identity
from protocol.replica.events import Stepped
from protocol.replica.replica import Replica
from protocol.shell.gather import Start
from protocol.shell.node import Node
from protocol.shell.play import Outcome, Play
from protocol.text import NICKNAME_LIMIT, clean_text

STDIN = Lines(sys.stdin)
"""The one reader of standard input."""
HELD = 3
"""Exit status of a game that is held."""


def new_identity() -> Identity:
    """Return a fresh identity for this run."""
    return Identity(os.urandom(SEED))


class Seats:
    """Answers for all seats of this program: bots for some, a person for at most one."""

    def __init__(self, agents: Mapping[int, Agent], screen: PlainUI) -> None:
        self._agents = agents
        self._screen = screen

    async def answer(self, seat: int, view: View[Any], question: Question) -> Answer:
        """Return a bot's answer at once, a person's when it comes."""
        if seat in self._agents:
            return self._agents[seat].answer(view, question)
        return await trio.to_thread.run_sync(
            self._screen.answer, view, question, abandon_on_cancel=True
        )

    def refused(self, seat: int, illegal: Illegal) -> None:
        """Say why an answer was refused; a bot's is a fault of the bot."""
        if seat in self._agents:
            raise illegal
        self._screen.refused(illegal)

    def happened(self, message: Message) -> None:
        """Show an event."""
        self._screen.happened(message)

    def notice(self, text: str) -> None:
        """Show what concerns the table."""
        self._screen.notice(text)


@dataclass(frozen=True, slots=True)
class Table:
    """What a program needs to play: the game, the frozen table, and its bots by seat."""

    game: Game
    start: Start
    bots: Mapping[int, str]


async def play(node: Node, table: Table, args: argparse.Namespace) -> Outcome:
    """Play the game of a frozen table to its end."""
    roster = table.start.roster
    names = [clean_text(name, NICKNAME_LIMIT) for name in roster.names]
    agents = {seat: ai.make(bot, os.urandom(32)) for seat, bot in table.bots.items()}
    screen = PlainUI(table.game, names, STDIN, io.StringIO() if args.quiet else sys.stdout)
    replica = Replica(table.game, roster, node.identity, os.urandom(32))
    seats = Seats(agents, screen)
    timing = Timing()
    playing = Play(node, replica, roster, table.start.addresses, seats, timing.stepped)
    try:
        outcome = await playing.run()
    except BaseException:
        finish_early(playing.outcome(), args)
        raise
    if args.timing:
        Path(args.timing).write_text("\n".join(timing.lines), encoding="utf-8")  # noqa: ASYNC240
    return outcome


class Timing:
    """Notes when each phase was complete: kind, seconds, and this process's CPU seconds."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def stepped(self, event: Stepped) -> None:
        """Note a phase."""
        self.lines.append(json.dumps([event.kind, time.monotonic(), time.process_time()]))


def finish(outcome: Outcome, args: argparse.Namespace) -> int:
    """Keep the record, print the closing lines and return the exit status."""
    path = save_record(outcome.record, Path(args.record) if args.record else None)
    if outcome.held:
        print(f"The game is held: {outcome.held}", file=sys.stderr)
        for line in outcome.report:
            print(f"  {line}", file=sys.stderr)
    elif path is not None:
        print(f"{verified(outcome.checked)} To check again: lanplay verify {path}", file=sys.stderr)
    if args.json:
        print(json.dumps(summary(outcome, path)), flush=True)
    return HELD if outcome.held else 0


def finish_early(outcome: Outcome, args: argparse.Namespace) -> None:
    """Keep the record of a game that this program leaves before its end."""
    path = save_record(outcome.record, Path(args.record) if args.record else None)
    print(f"The game so far is kept in {path}.", file=sys.stderr)


def summary(outcome: Outcome, path: Path | None) -> dict[str, Any]:
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
        "held": outcome.held or None,
        "record": str(path) if path else None,
    }


def own_name(args: argparse.Namespace) -> str:
    """Return the name to sit down with."""
    import getpass

    try:
        name = args.name or getpass.getuser()
    except (OSError, KeyError):
        name = "guest"
    return clean_text(name, NICKNAME_LIMIT)


def listen_host(args: argparse.Namespace) -> str | None:
    """Return the address to listen at: the only interface named, or all."""
    return args.interface[0] if args.interface and len(args.interface) == 1 else None
