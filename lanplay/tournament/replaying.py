"""Any game of a tournament again, by its number."""

from __future__ import annotations

from itertools import groupby

from lanplay.engine.record import Record, load
from lanplay.errors import UserError
from lanplay.games import load as load_game
from lanplay.tournament.bots import check, seated
from lanplay.tournament.faults import Wrong
from lanplay.tournament.outcome import FinishedGame, from_csv
from lanplay.tournament.playing import outcome_of, record_of, simulate
from lanplay.tournament.schedule import line_ups
from lanplay.tournament.storage import Folder


def record_of_game(folder: Folder, number: int) -> Record:
    """Return the record of game ``number`` (from 1): the one kept, else the game played again.

    ``UserError`` if there is no such game, or if it ends otherwise than the table of games says.
    """
    plan, _ = folder.read_plan()
    kept = folder.record(number - 1)
    if kept.exists():
        return load(kept)
    known = _outcome(folder, number)
    hidden = folder.hidden(plan)
    check(plan, hidden)
    game = load_game(plan.game)
    agents = seated(plan, known.deal, known.line_up, hidden)
    luck = plan.luck(known.deal, known.number)
    simulation = simulate(plan, game, luck, known.line_up, agents)
    again = outcome_of(game, simulation, known.number, known.deal, known.line_up, agents)
    if again != known or known.line_up not in line_ups(plan, known.deal):
        raise UserError(Wrong.OTHER_END, number=number, folder=str(folder.path))
    return record_of(simulation)


def _outcome(folder: Folder, number: int) -> FinishedGame:
    games = 0
    for _, rows in groupby(folder.lines(), key=lambda line: line.partition(",")[0]):
        games += 1
        if games == number:
            return next(from_csv(rows))
    raise UserError(Wrong.NO_GAME_NUMBER, folder=str(folder.path), number=number, games=games)
