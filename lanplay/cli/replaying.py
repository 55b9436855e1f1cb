"""A recorded game again, from its public answers alone."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Awaitable
from pathlib import Path

from lanplay.cli.place import full_screen
from lanplay.cli.stepping import Walk, seats_of
from lanplay.cli.verifying import unusable
from lanplay.config.declared import Settings
from lanplay.engine.game import Game
from lanplay.engine.knowledge import load_knowledge
from lanplay.engine.record import Record, RecordError, load
from lanplay.engine.replay import Replay, rules_note
from lanplay.engine.stepper import Stepper
from lanplay.errors import Fault, UserError
from lanplay.files import COMMON, replace
from lanplay.games import load as load_game
from lanplay.games.wording import narrator_of
from lanplay.language import _
from lanplay.lines.plain import PlainUI
from lanplay.lines.source import STDIN
from lanplay.session.requests import summary
from lanplay.session.storage import data_folder
from lanplay.told import worded
from lanplay.ui.looking import looked_at, names_of, review_of


def replay(args: argparse.Namespace) -> int:
    """Run ``lanplay replay``: nothing is shown of a record that does not hold to its end."""
    path = Path(args.file)
    try:
        data = data_folder(args.data)
        record = load(path) if args.game is None else _of_tournament(path, data, args.game)
        game = load_game(record.header.game)
        _check(game, record, path, args.first, args.seat)
        if told := rules_note(game, record.header.rules):
            print(worded(told), file=sys.stderr)
        if args.page or args.review:
            return look_at(game, record, path, args.page, args.review)
        if wants_steps(args):
            return step_through(game, record, path, args.settings, args.seat, args.first)
        again = Replay(game, record)
    except (RecordError, ValueError) as error:
        raise unusable(path, error) from error
    table = again.table
    table.log = []
    screen = PlainUI(game, names_of(record), io.StringIO(), sys.stdout)
    narrator = narrator_of(game.name)
    while again.step():
        said = [each for message in table.log for each in narrator.tell(message)]
        if table.round >= args.first:
            for message in said:
                screen.happened(message)
        table.log.clear()
    if not record.finished:
        screen.notice(_("The record ends here: the game was not finished."))
    elif args.json:
        result = game.result(table)
        print(json.dumps(summary(record.header, result, table.round, record.state_hash, path)))
    return 0


def _check(game: Game, record: Record, path: Path, first: int, whose: str) -> None:
    """Raise ``RecordError`` if a record does not hold, ``UserError`` if it ends before the round,
    or shows no hand of the seat, that is asked for."""
    whole = Replay(game, record)
    whole.run()
    if first > max(1, whole.table.round):
        raise UserError(Fault.ROUND_LATE, last=whole.table.round)
    if whose != "all":
        seats_of(whose, _stepper(game, record, path), names_of(record))


def look_at(game: Game, record: Record, path: Path, page_path: str | None, review: bool) -> int:
    """Tell of a finished game what luck and decisions brought, or write a page of it.

    See ``lanplay.ui.retrospect`` and ``lanplay.ui.story``; a page has both where both are wanted.
    """
    if not record.finished:
        raise ValueError(_("The record ends here: the game was not finished."))
    names = names_of(record)
    told = looked_at(path, record) if review else []
    if page_path:
        from lanplay.ui.story import page

        replace(Path(page_path), page(game, record, names, told).encode("utf-8"), COMMON)
        print(page_path)
        return 0
    screen = PlainUI(game, names, io.StringIO(), sys.stdout)
    for line in told:
        screen.notice(line)
    return 0


def wants_steps(args: argparse.Namespace) -> bool:
    """Tell whether the person steps through the record: if it says so, or at the full screen."""
    if args.step is not None:
        return bool(args.step)
    if args.settings.web:
        return not args.json and args.first == 1
    return full_screen(args.settings) and not args.json and args.first == 1


def step_through(
    game: Game, record: Record, path: Path, settings: Settings, whose: str, first: int
) -> int:
    """Let the person step through a record, from a round on.

    Raises ``RecordError`` or ``ValueError`` if it is unusable.
    """
    stepper = _stepper(game, record, path)
    if first > 1:
        stepper.to_round(first)
    names = names_of(record)
    seats = seats_of(whose, stepper, names)
    if settings.web:
        from lanplay.web.front_end import WebFrontEnd, sit

        def main(front: WebFrontEnd) -> Awaitable[None]:
            return front.replay(stepper, game, names, seats[0] if len(seats) == 1 else None)

        sit(settings, main)
    elif full_screen(settings):
        from lanplay.tui.screens.replay import show

        review = review_of(game.name, path, record) if record.finished else None
        show(settings, stepper, game, names, seats[0] if seats else None, review)
    else:
        walk = Walk(stepper, game, names, STDIN, sys.stdout)
        walk.seats = seats
        walk.run()
    return 0


def _stepper(game: Game, record: Record, path: Path) -> Stepper:
    return Stepper(game, record, load_knowledge(path, record.state_hash))


def _of_tournament(folder: Path, data: Path, number: int) -> Record:
    from lanplay.tournament.replaying import record_of_game
    from lanplay.tournament.storage import Folder

    return record_of_game(Folder(folder, data), number)
