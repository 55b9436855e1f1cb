"""A game of one person against AI, on this machine alone."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
from pathlib import Path
from typing import Any

import ai
from lanplay.cli.plain import PlainUI
from lanplay.cli.settings import save_record
from lanplay.cli.tables import SEED_BYTES, derived, seed_bytes, setup, summary
from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.question import Answer, Question
from lanplay.engine.record import Header, Record
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View


class Person:
    """An agent that asks a person, after showing what has happened since the last question."""

    def __init__(self, screen: PlainUI) -> None:
        self._screen = screen

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the person's answer."""
        show_log(view.table, self._screen)
        return self._screen.answer(view, question)


def show_log(table: Any, screen: PlainUI) -> None:
    """Print and forget the events that were not shown yet."""
    for message in table.log:
        screen.happened(message)
    table.log.clear()


def play(args: argparse.Namespace) -> int:
    """Run ``lanplay play``."""
    bots = [args.bot, *([args.auto] if args.auto else [])]
    table = setup(args.game, args.seats, args.option, bots)
    seed = os.urandom(SEED_BYTES) if args.seed is None else seed_bytes(args.seed)
    names = (own_name(args.name), *(f"{args.bot} {seat + 1}" for seat in range(1, args.seats)))
    header = Header(table.game.name, table.game.version, table.options, names, seed)
    screen = PlainUI(table.game, names, sys.stdin, sys.stdout)
    me: Agent = ai.make(args.auto, derived(seed, "bot", 0)) if args.auto else Person(screen)
    others = [ai.make(args.bot, derived(seed, "bot", seat)) for seat in range(1, args.seats)]
    game = Simulation(table.game, header, [me, *others], Chance(seed))
    game.table.log = []
    while game.request is not None:
        game.step()
        if args.auto:
            show_log(game.table, screen)
    show_log(game.table, screen)
    record = Record(header, game.referee.history, game.table.hash())
    path = save_record(record, Path(args.record) if args.record else None)
    if args.json:
        result = table.game.result(game.table)
        print(json.dumps(summary(header, result, game.table.round, record.state_hash, path)))
    return 0


def own_name(name: str | None) -> str:
    """Return the name to play under."""
    try:
        return name or getpass.getuser()
    except (OSError, KeyError):
        return "you"
