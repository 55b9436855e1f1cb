"""A recorded game again, from its public answers alone."""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path

from lanplay.cli.plain import PlainUI
from lanplay.cli.tables import summary
from lanplay.engine.record import RecordError, load
from lanplay.engine.replay import Replay
from lanplay.errors import UserError
from lanplay.games import load as load_game


def replay(args: argparse.Namespace) -> int:
    """Run ``lanplay replay``: nothing is shown of a record that does not hold to its end."""
    path = Path(args.file)
    try:
        record = load(path)
        game = load_game(record.header.game)
        Replay(game, record).run()
        again = Replay(game, record)
    except (RecordError, ValueError) as error:
        text = str(error)
        raise UserError(text if str(path) in text else f"{path}: {text}") from error
    table = again.table
    table.log = []
    screen = PlainUI(game, record.header.seats, io.StringIO(), sys.stdout)
    while again.step():
        if table.round >= args.first:
            for message in table.log:
                screen.happened(message)
        table.log.clear()
    if not record.finished:
        screen.notice("The record ends here: the game was not finished.")
    elif args.json:
        result = game.result(table)
        print(json.dumps(summary(record.header, result, table.round, record.state_hash, path)))
    return 0
