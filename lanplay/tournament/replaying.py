"""Any game of a tournament again, by its number."""

from __future__ import annotations

from itertools import islice

from lanplay.engine.record import Record, load
from lanplay.errors import UserError
from lanplay.games import load as load_game
from lanplay.tournament.bots import check, seated
from lanplay.tournament.faults import Wrong
from lanplay.tournament.outcome import FinishedGame
from lanplay.tournament.plan import TournamentPlan
from lanplay.tournament.playing import outcome_of, record_of, simulate
from lanplay.tournament.running import check_rules
from lanplay.tournament.schedule import deal_size, line_ups
from lanplay.tournament.storage import Folder, Goal


def record_of_game(folder: Folder, number: int) -> Record:
    """Return the record of game ``number`` (from 1): the one kept, else the game played again.

    ``UserError`` if there is no such game, or if it ends otherwise than the table of games says.
    """
    plan, goal = folder.read_plan()
    kept = folder.record(number - 1)
    if kept.exists():
        return load(kept)
    known = _outcome(folder, plan, goal, number)
    hidden = folder.hidden(plan)
    check(plan, folder)
    game = load_game(plan.game)
    agents = seated(plan, known.deal, known.line_up, hidden)
    luck = plan.luck(known.deal, known.number)
    simulation = simulate(plan, game, luck, known.line_up, agents)
    again = outcome_of(game, simulation, known.number, known.deal, known.line_up, agents)
    if again != known:
        check_rules(plan, folder)
        raise UserError(Wrong.OTHER_END, number=number, folder=str(folder.path))
    return record_of(simulation)


def _outcome(folder: Folder, plan: TournamentPlan, goal: Goal, number: int) -> FinishedGame:
    size = deal_size(plan)
    first = goal.first * size
    before = max(0, number - 1 - first) * plan.seats
    rows = list(islice(folder.lines(), before, before + plan.seats))
    if number <= first or len(rows) < plan.seats:
        games = sum(1 for _ in folder.lines()) // plan.seats
        numbers = {"first": first + 1, "last": first + games}
        raise UserError(Wrong.NO_GAME_NUMBER, folder=str(folder.path), number=number, **numbers)
    deal, place = divmod(number - 1, size)
    game = number - 1, line_ups(plan, deal)[place]
    return folder.read(plan, rows, [game], before + 2)[0]
